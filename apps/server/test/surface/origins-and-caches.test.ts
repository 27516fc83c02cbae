import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type OutgoingHttpHeaders, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Endpoint } from '@pegasus/contracts/endpoint'
import { expect, it, onTestFinished } from 'vitest'
import { isLongRun } from '../process/product-process.ts'
import { baseUrlOf } from '../storage/storage-client.ts'
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

const NGINX = '/usr/sbin/nginx'
const CACHED_CALLS = isLongRun ? 1000 : 100

/** Runs nginx as a cache that ignores who asks. Returns a function that calls the server through it. */
async function startCache(app: TestApp) {
  const folder = await mkdtemp(join(tmpdir(), 'pegasus-cache-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const socketPath = join(folder, 'socket')
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  await writeFile(
    join(folder, 'nginx.conf'),
    `daemon off; ${process.getuid?.() === 0 ? 'user root;' : ''} pid ${folder}/pid; error_log ${folder}/error.log;
     events {}
     http {
       access_log off;
       ${folders.map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')}
       proxy_cache_path ${folder}/cache keys_zone=responses:1m;
       server {
         listen unix:${socketPath};
         proxy_cache responses;
         add_header X-Cache $upstream_cache_status always;
         location / { proxy_pass ${await baseUrlOf(app)}; }
       }
     }`,
  )
  const nginx = spawn(NGINX, ['-c', join(folder, 'nginx.conf'), '-p', folder], { stdio: 'ignore' })
  const ended = once(nginx, 'exit')
  onTestFinished(async () => {
    nginx.kill('SIGTERM')
    await ended
  })
  await expect.poll(() => existsSync(socketPath), { timeout: 20_000 }).toBe(true)
  return async (path: string, headers: OutgoingHttpHeaders = {}) => {
    const sent = request({ socketPath, path, headers: { host: 'localhost', ...headers } }).end()
    const [response] = await once(sent, 'response')
    return {
      isHit: response.headers['x-cache'] === 'HIT',
      status: response.statusCode,
      body: await text(response),
    }
  }
}

it.skipIf(!existsSync(NGINX))(
  'T79 two people behind a caching proxy never get the response of the other',
  { timeout: 120_000 },
  async () => {
    const app = await buildTestApp()
    const call = await startCache(app)
    const people = [await app.as('admin'), await app.as('viewer'), {}]
    const paths = [
      '/api/auth/me',
      '/auth/v1/user',
      '/rest/v1/user_roles',
      '/api/auth/sessions',
      '/api/orders',
    ]
    const own = await Promise.all(
      people.map((headers) => app.http.inject({ url: '/api/auth/me', headers }).then(({ body }) => body)),
    )
    expect(new Set(own).size).toBe(people.length)
    const wrong: string[] = []
    for (let calls = 0; calls < CACHED_CALLS; calls += 1) {
      const person = calls % people.length
      const path = paths[Math.floor(calls / people.length) % paths.length] ?? ''
      const { isHit, status, body } = await call(path, people[person])
      const isOwn = (status === 200) === person < 2 && (path !== '/api/auth/me' || body === own[person])
      if (isHit || !isOwn) wrong.push(`${path} of person ${person}: ${status}`)
    }
    console.info(`T79 wrong ${wrong.length} of ${CACHED_CALLS} responses through a caching proxy`)
    expect(wrong).toEqual([])
    // The cache works: it keeps a response that everybody may get.
    const keys = '/auth/v1/.well-known/jwks.json'
    expect([(await call(keys)).isHit, (await call(keys)).isHit]).toEqual([false, true])
  },
)
