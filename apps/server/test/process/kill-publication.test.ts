import type { Product } from '@pegasus/contracts/products/products'
import type { Publication, PublishedProduct } from '@pegasus/contracts/products/publishing'
import { expect, it } from 'vitest'
import { aMainSite, take } from '../servers/main-site-server.ts'
import {
  bearer,
  makeDataFolder,
  type ProductProcess,
  signIn,
  startProduct,
  until,
} from './product-process.ts'
import { DRAGON, MAIN_SITE_KEY } from '../support/publishing.ts'

const PATIENCE_MS = 120_000

const read = async <T>({ url }: ProductProcess, token: string, path: string): Promise<T> =>
  (await (await fetch(`${url}${path}`, { headers: bearer(token) })).json()) as T

const press = ({ url }: ProductProcess, token: string): Promise<Response> =>
  fetch(`${url}/api/admin/products`, {
    method: 'POST',
    headers: { ...bearer(token), 'content-type': 'application/json' },
    body: JSON.stringify(DRAGON),
  })

it("T92 T106 a product is published once, even if the server is killed before it records the site's response", {
  timeout: 600_000,
}, async () => {
  const site = await aMainSite()
  const dataDir = await makeDataFolder()
  const variables = { MAIN_SITE_URL: site.url, MAIN_SITE_ADMIN_KEY: MAIN_SITE_KEY }
  const arrived = Promise.withResolvers<void>()
  // The site has stored the product, but its response never arrives.
  site.behave((_, request) => {
    take(site, request)
    arrived.resolve()
  })
  const first = await startProduct(dataDir, variables)
  const lost = press(first, (await signIn(first.url)).access_token).catch(() => null)
  await arrived.promise
  first.signalGroup('SIGKILL')
  await first.ended
  expect(await lost).toBeNull()

  site.behave(null)
  const product = await startProduct(dataDir, variables)
  const { access_token: token } = await signIn(product.url)
  const [row] = await read<Product[]>(product, token, '/api/products')
  expect(row).toMatchObject({ slug: DRAGON.slug, status: 'publishing', published_at: null })
  // Somebody publishes the product again while the server continues the first publication by itself.
  const again = await press(product, token)
  const published = (await again.json()) as PublishedProduct
  expect([again.status, published]).toMatchObject([200, { id: row?.id, status: 'published' }])
  const isPublished = async () =>
    (await read<Product>(product, token, `/api/products/${row?.id}`)).status === 'published'
  expect(await until(isPublished, PATIENCE_MS, 100)).toBe(true)
  const history = await read<Publication[]>(product, token, `/api/products/${row?.id}/publications`)
  expect(history).toMatchObject([{ number: 1, tries: 2, status: 'published' }])
  const keys = new Set(site.requests.flatMap(({ headers }) => headers['idempotency-key']?.toString() ?? []))
  console.info(
    `T92 products on the site after a kill in the midst of publishing ${site.products.size}, keys ${keys.size}, catalogue ${(await read<Product[]>(product, token, '/api/products')).length}`,
  )
  expect([site.products.size, keys.size]).toEqual([1, 1])
  product.signal('SIGTERM')
  expect(await product.ended).toEqual({ code: 0, signal: null })
})
