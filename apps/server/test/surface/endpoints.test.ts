import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { ACCESS, type AccessName, accessNameOf } from './access-table/access-table.ts'
import { type TestApp, buildTestApp } from '../support/build-test-app.ts'
import { createResponseCheck } from './schema-fuzz/response-check.ts'
import { lastingCaller } from '../support/accounts/lasting-caller.ts'

/** Routes that have no endpoint declaration, each with the reason. They return no account data. */
const UNDECLARED: Readonly<Record<string, string>> = {
  'GET /metrics': 'figures for Prometheus; METRICS says who may read them',
  'GET /api/openapi.json': 'the description of the API, public',
  'GET /api/docs': 'the same for people, public',
  'OPTIONS *': 'what browsers ask before they call another origin',
}

const RANK: Readonly<Record<string, number>> = { public: 0, 'signed-in': 1, staff: 2, admin: 3, owner: 4 }
/** Returns the lowest rank of a session that may make the call, or 5 if only keys may make it. */
const rankOf = (access: AccessName): number => RANK[access.replace(/ or key .*$/, '')] ?? 5
const CALLERS = ['viewer', 'employee', 'staff', 'admin', 'owner'] as const
const CALLER_RANK = { viewer: 1, employee: 2, staff: 2, admin: 3, owner: 4 }

const SOME_ID = '01890000-0000-7000-8000-000000000000'

/**
 * Returns the status, the headers and the body of a response. An event stream never ends, so only its headers
 * are read.
 */
const headOf = async (
  app: TestApp,
  request: { method?: 'GET'; url: string; headers: Record<string, string> },
) => {
  const response = await app.http.inject({ ...request, payloadAsStream: true })
  const { statusCode, headers } = response
  if (statusCode !== 200) return { statusCode, headers, body: await text(response.stream()) }
  response.stream().destroy()
  return { statusCode, headers, body: '' }
}

const call = (app: TestApp, route: string, headers: Record<string, string>) => {
  const [method = 'GET', path = '/'] = route.split(' ')
  const url = path.replace(':id', SOME_ID).replace(':code', 'I-99999')
  if (route === 'GET /api/events') return headOf(app, { url, headers })
  return app.http.inject({ method: method as 'GET', url, headers })
}

describe('access to the whole API with sessions', () => {
  it('T1 T86 every endpoint admits exactly the roles that the access table lists, and each response matches the OpenAPI document', {
    timeout: 120_000,
  }, async () => {
    const app = await buildTestApp()
    const declared = app.endpoints.all.flatMap(({ method, path, aliases = [], access }) =>
      [path, ...aliases].map((url) => [`${method} ${url}`, accessNameOf(access)] as const),
    )
    expect(Object.fromEntries(declared)).toEqual(ACCESS)
    const endpoints = new Map(
      app.endpoints.all.flatMap((endpoint) =>
        [endpoint.path, ...(endpoint.aliases ?? [])].map((url) => [`${endpoint.method} ${url}`, endpoint]),
      ),
    )
    const check = await createResponseCheck(app)
    let cells = 0
    const wrong: string[] = []
    const differences: string[] = []
    for (const caller of CALLERS) {
      const account = lastingCaller(app, caller)
      for (const [route, access] of Object.entries(ACCESS)) {
        const response = await call(app, route, await account.headers())
        const { statusCode } = response
        const difference = access === 'nobody' ? null : check.differenceOf(endpoints.get(route)!, response)
        if (difference !== null) differences.push(`${caller} ${route} ${statusCode}: ${difference}`)
        account.saw(route.split(' ')[0] ?? '', statusCode)
        const isRefused = statusCode === 401 || statusCode === 403
        // Only 401 and 403 mean that the guard refused the call. A call that passes the guard may get 400 or 422,
        // because it has no body.
        if (isRefused !== rankOf(access) > CALLER_RANK[caller])
          wrong.push(`${caller} ${route}: ${statusCode}`)
        cells += 1
      }
    }
    console.info(`T1 role cells wrong ${wrong.length} of ${cells}`)
    console.info(`T86 responses that differ from the OpenAPI document ${differences.length} of ${cells}`)
    expect(wrong).toEqual([])
    expect(differences).toEqual([])
  })

  it('T1 a viewer is refused before the type, the size and the content of a body are checked', async () => {
    const app = await buildTestApp()
    const viewer = await app.as('viewer')
    const bodies = [
      { payload: '{', type: 'application/json', length: '1' },
      { payload: '<a/>', type: 'application/x-unknown', length: '2000000' },
    ]
    const closed = Object.entries(ACCESS).filter(
      ([route, access]) => !route.startsWith('GET ') && rankOf(access) > CALLER_RANK.viewer,
    )
    const wrong: string[] = []
    for (const [route] of closed)
      for (const { payload, type, length } of bodies) {
        const [method = '', path = ''] = route.split(' ')
        const { statusCode } = await app.http.inject({
          method: method as 'POST',
          url: path.replace(/:\w+/g, SOME_ID),
          headers: { ...viewer, 'content-type': type, 'content-length': length },
          payload,
        })
        if (statusCode !== 401 && statusCode !== 403) wrong.push(`${route} ${type}: ${statusCode}`)
      }
    console.info(`T1 bodies looked at too early ${wrong.length} of ${closed.length * bodies.length}`)
    expect(wrong).toEqual([])
  })

  it('T1 T2 the access table contains every registered route', async () => {
    const app = await buildTestApp()
    const known = new Set([...Object.keys(ACCESS), ...Object.keys(UNDECLARED)])
    const isKnown = (route: string): boolean => known.has(route.replace(/^HEAD /, 'GET '))
    const strangers = app.routes.filter((route) => !isKnown(route))
    const missing = [...known].filter((route) => !app.routes.includes(route))
    console.info(`T1 routes outside the table ${strangers.length} of ${app.routes.length}`)
    expect({ strangers, missing }).toEqual({ strangers: [], missing: [] })
    const fromAfar = await app.http.inject({ url: '/metrics', remoteAddress: '203.0.113.9' })
    expect(fromAfar.statusCode).toBe(403)
  })

  it('T2 missing, empty, invalid and Basic credentials are refused in the same way by every call that is not public', async () => {
    const app = await buildTestApp()
    const noToken = [undefined, 'Bearer', 'Bearer ', 'Basic b3duZXI6eA==']
    const badToken = ['Bearer garbage', 'Bearer a.b.c', 'bearer null']
    const guarded = app.routes.filter((route) => {
      const access = ACCESS[route.replace(/^HEAD /, 'GET ')]
      return access !== undefined && access !== 'public'
    })
    const wrong: string[] = []
    const bodies = new Set<string>()
    let calls = 0
    for (const route of guarded)
      for (const authorization of [...noToken, ...badToken]) {
        const isHosted = route.includes('/auth/v1/')
        const isBad = authorization !== undefined && badToken.includes(authorization)
        const response = await call(app, route, authorization === undefined ? {} : { authorization })
        calls += 1
        if (!route.startsWith('HEAD ')) bodies.add(`${isHosted && isBad} ${isHosted} ${response.body}`)
        // The hosted service's protocol distinguishes an invalid token (403) from a missing token (401).
        if (response.statusCode !== (isHosted && isBad ? 403 : 401))
          wrong.push(`${route} ${authorization}: ${response.statusCode}`)
      }
    console.info(
      `T2 wrong answers ${wrong.length} of ${calls} on ${guarded.length} routes, bodies ${bodies.size} of 7`,
    )
    expect(wrong).toEqual([])
    // There is one body for our own API, two for the hosted auth service (for a missing and for an invalid
    // token), two for its database service, one for its storage service, and one for resumable uploads.
    expect(bodies.size).toBe(7)
  })

  it('T3 modified paths and methods do not bypass the access check of any endpoint', {
    timeout: 300_000,
  }, async () => {
    const app = await buildTestApp()
    const known = [
      'OPTIONS /api/stl-files',
      'DELETE /api/stl-files',
      'PUT /api/stl-files/upload',
      'GET /api/auth/me%00',
      'GET /assets/../api/stl-files',
    ]
    const guarded = Object.entries(ACCESS).filter(([, access]) => access !== 'public')
    const games = guarded.flatMap(([route]) => {
      const [method = '', declared = ''] = route.split(' ')
      const path = declared.replace(':id', SOME_ID).replace(':code', 'I-99999')
      const paths = [
        `/${path}`,
        path.replaceAll('/', '//'),
        `${path}/`,
        path.toUpperCase(),
        `${path};x=1`,
        path.replace(/\/([^/]*)$/, '%2F$1'),
        `/api/..${path}`,
        `${path}/.`,
        `${path}%00`,
        `${path}?_method=GET`,
      ]
      return [...paths.map((each) => `${method} ${each}`), ...(method === 'GET' ? [`HEAD ${path}`] : [])]
    })
    const viewer = await app.as('viewer')
    const closed = new Set(guarded.filter(([, access]) => rankOf(access) > 1).map(([route]) => route))
    const bypasses: string[] = []
    const refusals = new Set([400, 401, 403, 404, 405, 414])
    let calls = 0
    const play = async (game: string, headers: Record<string, string>) => {
      const [method = '', url = '/'] = game.split(' ')
      const sent = { ...headers, 'x-http-method-override': 'GET', 'x-original-url': '/healthz' }
      const { statusCode } = await headOf(app, { method: method as 'GET', url, headers: sent })
      calls += 1
      if (!refusals.has(statusCode))
        bypasses.push(`${game}: ${statusCode}${headers['authorization'] ? ' as viewer' : ''}`)
    }
    for (const game of [...known, ...games]) await play(game, {})
    for (const route of closed) {
      const [method = '', declared = ''] = route.split(' ')
      const path = declared.replace(':id', SOME_ID).replace(':code', 'I-99999')
      for (const each of [`/${path}`, `${path}/`, path.toUpperCase(), `/api/..${path}`, `${path};x=1`])
        await play(`${method} ${each}`, viewer)
    }
    console.info(`T3 bypasses ${bypasses.length} of ${calls}`)
    expect(bypasses).toEqual([])
  })

  it('T78 every response has the security headers, errors included', async () => {
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
