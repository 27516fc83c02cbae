import { sign as signBytes, generateKeyPairSync } from 'node:crypto'
import { text } from 'node:stream/consumers'
import type { Access } from '@pegasus/contracts/roles'
import { describe, expect, it } from 'vitest'
import { type TestApp, buildTestApp } from './build-test-app.ts'

/** Every endpoint and the least that its caller must be. A new endpoint fails the test until it stands here. */
const ACCESS: Readonly<Record<string, Access>> = {
  'GET /healthz': 'public',
  'GET /readyz': 'public',
  'GET /api/config': 'public',
  'POST /auth/login': 'public',
  'GET /api/auth/me': 'signed-in',
  'POST /api/auth/change-password': 'signed-in',
  'POST /api/auth/reauthenticate': 'signed-in',
  'GET /api/auth/users': 'admin',
  'GET /api/auth/users/:id': 'admin',
  'POST /api/auth/users': 'admin',
  'PATCH /api/auth/users/:id': 'admin',
  'GET /api/outbox-mails': 'admin',
  'POST /auth/v1/token': 'public',
  'POST /auth/v1/logout': 'signed-in',
  'GET /auth/v1/user': 'signed-in',
  'PUT /auth/v1/user': 'signed-in',
  'POST /auth/v1/signup': 'public',
  'GET /auth/v1/verify': 'public',
  'POST /auth/v1/verify': 'public',
  'POST /auth/v1/resend': 'public',
  'POST /auth/v1/recover': 'public',
  'GET /auth/v1/.well-known/jwks.json': 'public',
  'GET /auth/v1/settings': 'public',
  'GET /auth/v1/health': 'public',
  'GET /api/stats': 'signed-in',
  'GET /api/stats/history': 'signed-in',
  'GET /api/events': 'signed-in',
  'GET /api/inventory': 'signed-in',
  'GET /api/inventory/:id': 'signed-in',
  'GET /api/inventory/:id/movements': 'signed-in',
  'GET /api/filament': 'signed-in',
  'GET /api/print-queue': 'signed-in',
  'GET /api/orders': 'signed-in',
  'GET /api/orders/:id': 'signed-in',
  'GET /api/products': 'signed-in',
  'GET /api/products/:id': 'signed-in',
  'GET /api/stl-files': 'signed-in',
  'GET /api/stl-files/:id': 'signed-in',
  'GET /api/stl-files/:id/file': 'signed-in',
  'GET /api/stl-files/:id/thumbnail': 'signed-in',
  'POST /api/stl-files/upload': 'staff',
}

const RANK: Readonly<Record<Access, number>> = { public: 0, 'signed-in': 1, staff: 2, admin: 3, owner: 4 }
const CALLERS = ['viewer', 'employee', 'staff', 'admin', 'owner'] as const
const CALLER_RANK = { viewer: 1, employee: 2, staff: 2, admin: 3, owner: 4 }

const SOME_ID = '01890000-0000-7000-8000-000000000000'

/** A stream of events has no end, so of a good answer only the head is waited for. */
const headOf = async (app: TestApp, request: { url: string; headers: Record<string, string> }) => {
  const response = await app.http.inject({ ...request, payloadAsStream: true })
  const { statusCode, headers } = response
  if (statusCode !== 200) return { statusCode, headers, body: await text(response.stream()) }
  response.stream().destroy()
  return { statusCode, headers, body: '' }
}

const call = (app: TestApp, route: string, headers: Record<string, string>) => {
  const [method = 'GET', path = '/'] = route.split(' ')
  const url = path.replace(':id', SOME_ID)
  if (route === 'GET /api/events') return headOf(app, { url, headers })
  return app.http.inject({ method: method as 'GET', url, headers })
}

describe('the whole surface', () => {
  it('T1 lets each role through exactly where the table says so', async () => {
    const app = await buildTestApp()
    expect(Object.fromEntries(app.endpoints.all.map((e) => [`${e.method} ${e.path}`, e.access]))).toEqual(
      ACCESS,
    )
    let cells = 0
    const wrong: string[] = []
    for (const caller of CALLERS)
      for (const [route, access] of Object.entries(ACCESS)) {
        const { statusCode } = await call(app, route, await app.as(caller))
        const isRefused = statusCode === 401 || statusCode === 403
        // Without a body a public sign-in says 400 or 422; whoever may call gets past the guard.
        if (isRefused !== RANK[access] > CALLER_RANK[caller]) wrong.push(`${caller} ${route}: ${statusCode}`)
        cells += 1
      }
    console.info(`T1 role cells wrong ${wrong.length} of ${cells}`)
    expect(wrong).toEqual([])
  })

  it('T2 answers 401 with one body to no token, an empty one, garbage and Basic, but for the public list', async () => {
    const app = await buildTestApp()
    const credentials = [
      undefined,
      'Bearer',
      'Bearer ',
      'Bearer garbage',
      'Bearer a.b.c',
      'Basic b3duZXI6eA==',
      'bearer null',
    ]
    const wrong: string[] = []
    const bodies = new Set<string>()
    let calls = 0
    for (const [route, access] of Object.entries(ACCESS))
      for (const authorization of credentials) {
        if (access === 'public' || route.includes('/auth/v1/')) continue
        const response = await call(app, route, authorization === undefined ? {} : { authorization })
        calls += 1
        bodies.add(response.body)
        if (response.statusCode !== 401) wrong.push(`${route} ${authorization}: ${response.statusCode}`)
      }
    console.info(`T2 wrong answers ${wrong.length} of ${calls}, bodies ${bodies.size} of 1`)
    expect(wrong).toEqual([])
    expect(bodies.size).toBe(1)
  })

  it('T3 decides alike whatever is done to the path or the method', async () => {
    const app = await buildTestApp()
    const games = [
      'GET //api/stl-files',
      'GET /api//stl-files',
      'GET /api/stl-files/',
      'GET /API/STL-FILES',
      'GET /api/stl-files;x=1',
      'GET /api%2Fstl-files',
      'GET /api/../api/stl-files',
      'GET /assets/../api/stl-files',
      'HEAD /api/stl-files',
      'OPTIONS /api/stl-files',
      'POST /api/stl-files',
      'DELETE /api/stl-files',
      'PUT /api/stl-files/upload',
      'GET /api/auth/me%00',
    ]
    const bypasses: string[] = []
    for (const game of games) {
      const response = await app.http.inject({
        method: game.split(' ')[0] as 'GET',
        url: game.split(' ')[1] ?? '/',
        headers: { 'x-http-method-override': 'GET' },
      })
      if (![400, 401, 403, 404, 405].includes(response.statusCode))
        bypasses.push(`${game}: ${response.statusCode}`)
    }
    console.info(`T3 bypasses ${bypasses.length} of ${games.length}`)
    expect(bypasses).toEqual([])
  })

  it('T78 sends the security headers with every answer, errors included', async () => {
    const app = await buildTestApp()
    const owner = { authorization: `Bearer ${await app.signIn('owner', 'correct horse battery')}` }
    const routes = [
      ...Object.keys(ACCESS),
      'GET /nothing',
      'GET /api/nothing',
      'POST /api/nothing',
      'GET /api/%zz',
      'GET /metrics',
    ]
    const missing: string[] = []
    for (const route of routes)
      for (const headers of [{}, owner]) {
        const response = await call(app, route, headers)
        const policy = String(response.headers['content-security-policy'])
        const holds = [
          policy.includes("object-src 'none'"),
          policy.includes("base-uri 'none'"),
          policy.includes("frame-ancestors 'none'"),
          /script-src 'self' 'wasm-unsafe-eval';|default-src 'none';/.test(policy),
          !policy.includes('unsafe-inline'),
          response.headers['x-content-type-options'] === 'nosniff',
          response.headers['referrer-policy'] === 'no-referrer',
          /^[0-9a-f-]{36}$/.test(String(response.headers['x-request-id'])),
          response.headers['cache-control'] !== undefined,
          response.headers['x-powered-by'] === undefined,
        ]
        if (holds.includes(false)) missing.push(`${route}: ${holds.indexOf(false)}`)
      }
    console.info(`T78 answers with a header missing ${missing.length} of ${routes.length * 2}`)
    expect(missing).toEqual([])
    const https = await buildTestApp({ variables: { PUBLIC_URL: 'https://ops.example.com' } })
    expect((await https.http.inject('/healthz')).headers['strict-transport-security']).toContain('max-age=')
  })
})

describe('forged tokens', () => {
  const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

  it('T20 accepts none', async () => {
    const app = await buildTestApp()
    const good = await app.signIn('owner', 'correct horse battery')
    const [head = '', body = '', signature = ''] = good.split('.')
    const header = JSON.parse(Buffer.from(head, 'base64url').toString()) as Record<string, unknown>
    const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as Record<string, unknown>
    const foreign = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const signForeign = (h: object, c: object): string => {
      const input = `${encode(h)}.${encode(c)}`
      const bytes = signBytes('sha256', Buffer.from(input), {
        key: foreign.privateKey,
        dsaEncoding: 'ieee-p1363',
      })
      return `${input}.${bytes.toString('base64url')}`
    }
    const unsigned = (alg: string) => `${encode({ ...header, alg })}.${body}.`
    const altered = (change: object) => `${head}.${encode({ ...claims, ...change })}.${signature}`
    const forged: Record<string, string> = {
      'alg none': unsigned('none'),
      'alg None': unsigned('None'),
      'alg nOnE': unsigned('nOnE'),
      'alg HS256 with no key': `${encode({ ...header, alg: 'HS256' })}.${body}.${signature}`,
      'foreign key, our kid': signForeign(header, claims),
      'foreign key, no kid': signForeign({ alg: 'ES256', typ: 'JWT' }, claims),
      'kid that walks': signForeign({ ...header, kid: '../../dev/null' }, claims),
      'kid with SQL': signForeign({ ...header, kid: "' or 1=1 --" }, claims),
      'embedded jwk': signForeign({ ...header, jwk: foreign.publicKey.export({ format: 'jwk' }) }, claims),
      jku: signForeign({ ...header, jku: 'https://evil.example/jwks.json' }, claims),
      x5u: signForeign({ ...header, x5u: 'https://evil.example/cert.pem' }, claims),
      'unknown crit': `${encode({ ...header, crit: ['exp2'], exp2: 1 })}.${body}.${signature}`,
      'stripped signature': `${head}.${body}.`,
      'no signature part': `${head}.${body}`,
      'doubled signature': `${good}.${signature}`,
      'edited role': altered({ role: 'service_role' }),
      'edited subject': altered({ sub: SOME_ID }),
      'edited session': altered({ session_id: SOME_ID }),
      'edited expiry': altered({ exp: Number(claims.exp) + 3600 }),
      'edited audience': altered({ aud: 'other' }),
      'edited issuer': altered({ iss: 'https://evil.example' }),
      'duplicate claims': `${head}.${Buffer.from(`{"sub":"${SOME_ID}",${JSON.stringify(claims).slice(1)}`).toString('base64url')}.${signature}`,
      'leading white space in the header': `${Buffer.from(` ${JSON.stringify(header)}`).toString('base64url')}.${body}.${signature}`,
      'a megabyte': `${head}.${'A'.repeat(1024 * 10)}.${signature}`,
      'refresh token as access token': 'x'.repeat(70),
      'nothing at all': '..',
    }
    const accepted: string[] = []
    for (const [name, token] of Object.entries(forged)) {
      const response = await app.http.inject({
        url: '/api/auth/me',
        headers: { authorization: `Bearer ${token}` },
      })
      if (response.statusCode !== 401) accepted.push(`${name}: ${response.statusCode}`)
    }
    console.info(`T20 forged accepted ${accepted.length} of ${Object.keys(forged).length}`)
    expect(accepted).toEqual([])
    const me = () => app.http.inject({ url: '/api/auth/me', headers: { authorization: `Bearer ${good}` } })
    expect((await me()).statusCode).toBe(200)
    app.clock.advance(3606 * 1000)
    expect((await me()).statusCode).toBe(401)
  })
})
