import type { Endpoint } from '@pegasus/contracts/endpoint'
import { expect, it } from 'vitest'
import { type TestApp, buildTestApp } from '../support/build-test-app.ts'
import { fillShop, type ShopIds } from './cost/fill-shop.ts'
import { pathOf } from './cost/requests.ts'
import { admittedTo, callersOf } from './cost/walk.ts'

/** Origins of other sites. Some of them resemble the server's own origin. */
const FOREIGN_ORIGINS = [
  'https://evil.example',
  'null',
  'http://localhost:9999',
  'http://localhost.evil.example',
  'https://ops.example.com.evil.example',
  'https://evilops.example.com',
  'https://ops.example.com@evil.example',
  'file://',
  'chrome-extension://abcdefghijklmnop',
  'HTTPS://EVIL.EXAMPLE',
]

/** The content types that a page may send to another origin without a preflight request. */
const SIMPLE_TYPES = ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']

/**
 * The calls whose responses everybody may get and every cache may keep: keys, metadata, and files in public buckets.
 */
const PUBLIC_ANSWERS = [
  'GET /auth/v1/.well-known/jwks.json',
  'GET /auth/v1/sso/saml/metadata',
  'GET /storage/v1/object/public/:bucket/*',
  'GET /storage/v1/render/image/public/:bucket/*',
]

const isHosted = ({ path }: Endpoint): boolean => /^\/(auth|storage|rest)\/v1\//.test(path)

async function aShop() {
  const app = await buildTestApp({ checksJson: false })
  const callers = await callersOf(app)
  for (const caller of callers) await caller.headers()
  const ids = await fillShop(app, 2)
  const headersFor = async (endpoint: Endpoint): Promise<Record<string, string>> =>
    (await callers.find(({ name }) => name === admittedTo(endpoint))?.headers()) ?? {}
  const endpoints = app.endpoints.all.filter(({ access }) => access !== 'nobody')
  return { app, ids, endpoints, headersFor }
}

async function read(app: TestApp, endpoint: Endpoint, ids: ShopIds, headers: Record<string, string>) {
  const response = await app.http.inject({
    method: endpoint.method,
    url: pathOf(endpoint.path, ids),
    headers,
    remoteAddress: '10.0.0.1',
    // An event stream never ends, so only its headers are read.
    payloadAsStream: endpoint.path === '/api/events',
  })
  if (endpoint.path === '/api/events') response.stream().destroy()
  return response
}

it('T80 only the hosted protocol can be called from another origin, and never with credentials', async () => {
  const { app, ids, endpoints, headersFor } = await aShop()
  const wrong: string[] = []
  let calls = 0
  for (const endpoint of endpoints)
    for (const origin of FOREIGN_ORIGINS.slice(0, endpoint.method === 'GET' ? FOREIGN_ORIGINS.length : 2)) {
      const preflight = await app.http.inject({
        method: 'OPTIONS',
        url: pathOf(endpoint.path, ids),
        headers: { origin, 'access-control-request-method': endpoint.method },
        remoteAddress: '10.0.0.1',
      })
      const responses: Pick<typeof preflight, 'headers'>[] = [preflight]
      if (endpoint.method === 'GET')
        responses.push(await read(app, endpoint, ids, { ...(await headersFor(endpoint)), origin }))
      for (const { headers } of responses) {
        calls += 1
        const allowed = headers['access-control-allow-origin']
        const isRight = isHosted(endpoint) ? allowed === origin : allowed === undefined
        if (!isRight || headers['access-control-allow-credentials'] !== undefined)
          wrong.push(`${endpoint.method} ${endpoint.path} from ${origin}: ${allowed}`)
      }
    }
  console.info(`T80 wrong ${wrong.length} of ${calls} answers to other origins`)
  expect(wrong).toEqual([])
})

it('T80 a form from another origin changes nothing, because it contains no token', async () => {
  const { app, ids, endpoints } = await aShop()
  const changes = endpoints.filter(({ method, access }) => method !== 'GET' && access !== 'public')
  const wrong: string[] = []
  for (const endpoint of changes)
    for (const type of SIMPLE_TYPES) {
      const { statusCode } = await app.http.inject({
        method: endpoint.method,
        url: pathOf(endpoint.path, ids),
        headers: { origin: 'https://evil.example', 'content-type': type, cookie: 'session=stolen' },
        payload: 'name=x',
        remoteAddress: '10.0.0.1',
      })
      if (![400, 401, 403, 415].includes(statusCode))
        wrong.push(`${endpoint.method} ${endpoint.path} as ${type}: ${statusCode}`)
    }
  console.info(`T80 wrong ${wrong.length} of ${changes.length * SIMPLE_TYPES.length} forms`)
  expect(changes.length).toBeGreaterThan(100)
  expect(wrong).toEqual([])
})

it("T79 no shared cache may keep a signed-in person's response, and no response sets a cookie that it could share", async () => {
  const { app, ids, endpoints, headersFor } = await aShop()
  const wrong: string[] = []
  let succeeded = 0
  const reads = endpoints.filter(({ method }) => method === 'GET')
  for (const endpoint of reads) {
    const route = `${endpoint.method} ${endpoint.path}`
    const { statusCode, headers } = await read(app, endpoint, ids, await headersFor(endpoint))
    const caching = String(headers['cache-control'] ?? '')
    if (statusCode < 300) succeeded += 1
    if (PUBLIC_ANSWERS.includes(route)) continue
    if (!/\b(no-store|private|no-cache)\b/.test(caching) || /\bpublic\b/.test(caching))
      wrong.push(`${route}: ${statusCode} ${caching}`)
    if (headers['set-cookie'] !== undefined && !/\bno-store\b/.test(caching)) wrong.push(`${route}: a cookie`)
  }
  console.info(`T79 wrong ${wrong.length} of ${reads.length} endpoints, ${succeeded} of them successful`)
  expect(succeeded).toBeGreaterThan(80)
  expect(wrong).toEqual([])
})
