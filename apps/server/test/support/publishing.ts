import { type TestApp, buildTestApp } from './build-test-app.ts'
import type { TestSite } from '../servers/main-site-server.ts'

type Headers = Record<string, string>

export const MAIN_SITE_KEY = 'main-site-key-01234567'
export const DRAGON = {
  name: 'Dragon',
  slug: 'dragon',
  category: 'miniatures',
  price: 19.99,
  stock: 3,
  description: 'Breathes fire',
}

export async function aShop(site?: TestSite): Promise<{ app: TestApp; staff: Headers }> {
  const variables = site
    ? { MAIN_SITE_URL: site.url, MAIN_SITE_ADMIN_KEY: MAIN_SITE_KEY, PUBLIC_URL: 'https://ops.example' }
    : {}
  const app = await buildTestApp({ variables })
  return { app, staff: await app.as('staff') }
}

export const post = (app: TestApp, headers: Headers, body: object = DRAGON) =>
  app.http.inject({ method: 'POST', url: '/api/admin/products', headers, payload: body })

export const publish = (app: TestApp, headers: Headers, id: string, body?: object) =>
  app.http.inject({
    method: 'POST',
    url: `/api/products/${id}/publish`,
    headers,
    ...(body && { payload: body }),
  })

export const get = async <T>(app: TestApp, headers: Headers, path: string): Promise<T> =>
  (await app.http.inject({ url: `/api/products${path}`, headers })).json<T>()

export const update = (app: TestApp, headers: Headers, id: string, body: object) =>
  app.http.inject({
    method: 'PUT',
    url: `/api/products/${id}`,
    headers: { ...headers, 'if-match': '*' },
    payload: body,
  })
