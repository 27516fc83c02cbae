import { text } from 'node:stream/consumers'
import type { Access, Role } from '@pegasus/contracts/roles'
import type { ApiKeyScope, KeyAccess } from '@pegasus/contracts/scopes'
import { describe, expect, it } from 'vitest'
import { type TestApp, buildTestApp } from './build-test-app.ts'

/** `key integration of staff`: a key of that scope whose owner is at least staff, and no person's session. */
type AccessName = Exclude<Access, KeyAccess> | `key ${ApiKeyScope} of ${Role}`

const nameOf = (access: Access): AccessName =>
  typeof access === 'object' ? `key ${access.scope} of ${access.owner}` : access

/** Every endpoint and the least that its caller must be. A new endpoint fails the test until it stands here. */
const ACCESS: Readonly<Record<string, AccessName>> = {
  'GET /healthz': 'public',
  'GET /readyz': 'public',
  'GET /api/config': 'public',
  'POST /auth/login': 'public',
  'POST /api/auth/login': 'public',
  'GET /api/auth/me': 'signed-in',
  'POST /api/auth/change-password': 'signed-in',
  'POST /api/auth/reauthenticate': 'signed-in',
  'POST /api/auth/admin/reset-password': 'admin',
  'PUT /api/auth/profile': 'signed-in',
  'GET /api/auth/sessions': 'signed-in',
  'DELETE /api/auth/sessions/:id': 'signed-in',
  'GET /api/auth/users': 'admin',
  'GET /api/auth/users/:id': 'admin',
  'POST /api/auth/users': 'admin',
  'PATCH /api/auth/users/:id': 'admin',
  'POST /api/auth/users/:id/invitation': 'admin',
  'DELETE /api/auth/users/:id/factors': 'admin',
  'GET /api/outbox-mails': 'admin',
  'POST /auth/v1/token': 'public',
  'POST /auth/v1/logout': 'signed-in',
  'GET /auth/v1/user': 'signed-in',
  'PUT /auth/v1/user': 'signed-in',
  'POST /auth/v1/factors': 'signed-in',
  'DELETE /auth/v1/factors/:id': 'signed-in',
  'POST /auth/v1/factors/:id/challenge': 'signed-in',
  'POST /auth/v1/factors/:id/verify': 'signed-in',
  'GET /auth/v1/factors/recovery-codes': 'signed-in',
  'POST /auth/v1/factors/recovery-codes': 'signed-in',
  'DELETE /auth/v1/factors/recovery-codes': 'signed-in',
  'POST /auth/v1/factors/recovery-codes/verify': 'signed-in',
  'POST /auth/v1/factors/recovery-codes/regenerate': 'signed-in',
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
  'GET /api/audit': 'admin',
  'GET /api/audit/export': 'admin',
  'GET /api/api-keys': 'admin',
  'POST /api/api-keys': 'admin',
  'GET /api/api-keys/:id/usage': 'admin',
  'POST /api/api-keys/:id/rotate': 'admin',
  'PUT /api/api-keys/:id/enable': 'admin',
  'PUT /api/api-keys/:id/disable': 'admin',
  'DELETE /api/api-keys/:id': 'admin',
  'POST /api/integration/orders': 'key integration of staff',
  'GET /api/integration/stock': 'key integration of viewer',
  'GET /api/integration/products': 'key integration of viewer',
  'POST /api/print-jobs/claim': 'key print-jobs of staff',
  'POST /api/print-jobs/:id/heartbeat': 'key print-jobs of staff',
  'POST /api/print-jobs/:id/complete': 'key print-jobs of staff',
  'POST /api/print-jobs/:id/fail': 'key print-jobs of staff',
  'GET /api/print-jobs/:id/file': 'key print-jobs of staff',
  'GET /api/events': 'signed-in',
  'GET /api/inventory': 'signed-in',
  'GET /api/inventory/:id': 'signed-in',
  'GET /api/inventory/:id/movements': 'signed-in',
  'POST /api/inventory': 'staff',
  'PUT /api/inventory/:id': 'staff',
  'DELETE /api/inventory/:id': 'staff',
  'POST /api/inventory/:id/restore': 'staff',
  'POST /api/inventory/:id/duplicate': 'staff',
  'POST /api/inventory/identical': 'staff',
  'POST /api/inventory/bulk': 'staff',
  'POST /api/inventory/:id/adjust': 'staff',
  'POST /api/inventory/:id/count': 'staff',
  'POST /api/inventory/:id/reserve': 'staff',
  'POST /api/inventory/:id/release': 'staff',
  'POST /api/inventory/:id/move': 'staff',
  'POST /api/stock-movements/:id/undo': 'staff',
  'GET /api/inventory/export': 'signed-in',
  'POST /api/inventory/import': 'staff',
  'GET /api/inventory/:id/cost': 'signed-in',
  'POST /api/inventory/:id/cost': 'staff',
  'GET /api/cost-settings': 'signed-in',
  'PUT /api/cost-settings': 'admin',
  'GET /api/locations': 'signed-in',
  'GET /api/locations/:id': 'signed-in',
  'GET /api/locations/:id/contents': 'signed-in',
  'POST /api/locations': 'staff',
  'PUT /api/locations/:id': 'staff',
  'DELETE /api/locations/:id': 'staff',
  'POST /api/locations/:id/restore': 'staff',
  'GET /api/inventory/:id/label': 'signed-in',
  'GET /api/locations/:id/label': 'signed-in',
  'GET /api/filament/:id/label': 'signed-in',
  'POST /api/labels': 'signed-in',
  'POST /api/labels/sheet': 'signed-in',
  'GET /api/labels/queue': 'signed-in',
  'POST /api/labels/printed': 'staff',
  'GET /api/alerts': 'signed-in',
  'GET /api/alerts/unread': 'signed-in',
  'POST /api/alerts/:id/read': 'signed-in',
  'POST /api/alerts/read': 'signed-in',
  'GET /api/alerts/preferences': 'signed-in',
  'PUT /api/alerts/preferences': 'signed-in',
  'GET /api/scan': 'signed-in',
  'GET /s/:code': 'signed-in',
  'GET /S/:code': 'signed-in',
  'GET /api/filament': 'signed-in',
  'POST /api/filament': 'staff',
  'POST /api/filament/batch': 'staff',
  'GET /api/filament/stock': 'signed-in',
  'GET /api/filament/forecast': 'signed-in',
  'GET /api/filament/:id': 'signed-in',
  'PUT /api/filament/:id': 'staff',
  'DELETE /api/filament/:id': 'staff',
  'POST /api/filament/:id/restore': 'staff',
  'POST /api/filament/:id/archive': 'staff',
  'POST /api/filament/:id/unarchive': 'staff',
  'POST /api/filament/:id/dry': 'staff',
  'POST /api/filament/:id/use': 'staff',
  'POST /api/filament/:id/weigh': 'staff',
  'POST /api/filament/:id/correct': 'staff',
  'GET /api/filament/:id/ledger': 'signed-in',
  'POST /api/spool-entries/:id/undo': 'staff',
  'GET /spoolman/api/v1/info': 'key print-jobs of viewer',
  'GET /spoolman/api/v1/health': 'key print-jobs of viewer',
  'GET /spoolman/api/v1/vendor': 'key print-jobs of viewer',
  'GET /spoolman/api/v1/vendor/:id': 'key print-jobs of viewer',
  'GET /spoolman/api/v1/filament': 'key print-jobs of viewer',
  'GET /spoolman/api/v1/filament/:id': 'key print-jobs of viewer',
  'GET /spoolman/api/v1/spool': 'key print-jobs of viewer',
  'GET /spoolman/api/v1/spool/:id': 'key print-jobs of viewer',
  'PUT /spoolman/api/v1/spool/:id/use': 'key print-jobs of staff',
  'PUT /spoolman/api/v1/spool/:id/measure': 'key print-jobs of staff',
  'POST /spoolman/api/v1/vendor': 'key print-jobs of staff',
  'PATCH /spoolman/api/v1/vendor/:id': 'key print-jobs of staff',
  'DELETE /spoolman/api/v1/vendor/:id': 'key print-jobs of staff',
  'POST /spoolman/api/v1/filament': 'key print-jobs of staff',
  'PATCH /spoolman/api/v1/filament/:id': 'key print-jobs of staff',
  'DELETE /spoolman/api/v1/filament/:id': 'key print-jobs of staff',
  'POST /spoolman/api/v1/spool': 'key print-jobs of staff',
  'PATCH /spoolman/api/v1/spool/:id': 'key print-jobs of staff',
  'DELETE /spoolman/api/v1/spool/:id': 'key print-jobs of staff',
  'GET /spoolman/api/v1/material': 'key print-jobs of viewer',
  'GET /spoolman/api/v1/article-number': 'key print-jobs of viewer',
  'GET /spoolman/api/v1/lot-number': 'key print-jobs of viewer',
  'GET /spoolman/api/v1/location': 'key print-jobs of viewer',
  'GET /spoolman/api/v1/setting/': 'key print-jobs of viewer',
  'GET /spoolman/api/v1/setting/:key': 'key print-jobs of viewer',
  'GET /spoolman/api/v1/field/:entity': 'key print-jobs of viewer',
  'GET /api/filament/materials': 'signed-in',
  'GET /api/print-queue': 'signed-in',
  'POST /api/print-queue': 'staff',
  'POST /api/print-queue/reorder': 'staff',
  'GET /api/print-queue/:id': 'signed-in',
  'PUT /api/print-queue/:id': 'staff',
  'DELETE /api/print-queue/:id': 'staff',
  'POST /api/print-queue/:id/restore': 'staff',
  'GET /api/print-queue/:id/history': 'signed-in',
  'POST /api/print-queue/:id/start': 'staff',
  'POST /api/print-queue/:id/complete': 'staff',
  'POST /api/print-queue/:id/fail': 'staff',
  'POST /api/print-queue/:id/cancel': 'staff',
  'POST /api/print-queue/:id/hold': 'staff',
  'POST /api/print-queue/:id/requeue': 'staff',
  'GET /api/orders': 'signed-in',
  'GET /api/orders/:id': 'signed-in',
  'POST /api/orders/sync': 'staff',
  'GET /api/products': 'signed-in',
  'POST /api/products': 'staff',
  'POST /api/admin/products': 'staff',
  'GET /api/products/:id': 'signed-in',
  'PUT /api/products/:id': 'staff',
  'DELETE /api/products/:id': 'staff',
  'POST /api/products/:id/restore': 'staff',
  'POST /api/products/:id/publish': 'staff',
  'GET /api/products/:id/publications': 'signed-in',
  'POST /api/products/review': 'staff',
  'GET /api/products/start': 'staff',
  'POST /api/products/start/pictures': 'staff',
  'GET /api/drafts': 'staff',
  'POST /api/drafts': 'staff',
  'GET /api/drafts/:id': 'staff',
  'PUT /api/drafts/:id': 'staff',
  'DELETE /api/drafts/:id': 'staff',
  'POST /api/drafts/:id/restore': 'staff',
  'POST /storage/v1/object/:bucket/*': 'staff',
  'PUT /storage/v1/object/:bucket/*': 'staff',
  'DELETE /storage/v1/object/:bucket': 'staff',
  'GET /storage/v1/object/:bucket/*': 'signed-in',
  'GET /storage/v1/object/authenticated/:bucket/*': 'signed-in',
  'GET /storage/v1/object/info/:bucket/*': 'signed-in',
  'GET /storage/v1/object/info/authenticated/:bucket/*': 'signed-in',
  'POST /storage/v1/object/list/:bucket': 'signed-in',
  'GET /storage/v1/object/public/:bucket/*': 'public',
  'GET /storage/v1/render/image/public/:bucket/*': 'public',
  'GET /api/stl-files': 'signed-in',
  'GET /api/stl-files/:id': 'signed-in',
  'GET /api/stl-files/:id/file': 'signed-in',
  'GET /api/stl-files/:id/thumbnail': 'signed-in',
  'GET /api/stl-files/:id/preview': 'signed-in',
  'GET /api/stl-files/:id/turntable': 'signed-in',
  'POST /api/stl-files/upload': 'staff',
  'PUT /api/stl-files/:id': 'staff',
  'DELETE /api/stl-files/:id': 'staff',
  'POST /api/stl-files/:id/restore': 'staff',
  'POST /api/stl-files/bulk': 'staff',
  'GET /api/stl-files/:id/uses': 'signed-in',
  'GET /api/stl-files/:id/similar': 'signed-in',
  'GET /api/stl-files/:id/versions': 'signed-in',
  'POST /api/stl-files/:id/versions': 'staff',
  'GET /api/stl-versions/:id/file': 'signed-in',
  'POST /api/stl-versions/:id/make-current': 'staff',
  'GET /api/stl-tags': 'signed-in',
  'GET /api/saved-searches': 'signed-in',
  'POST /api/saved-searches': 'signed-in',
  'DELETE /api/saved-searches/:id': 'signed-in',
  'GET /api/stl-imports': 'staff',
  'GET /api/stl-imports/:id': 'staff',
  'POST /api/stl-imports/:id/choose': 'staff',
  'POST /api/stl-imports/:id/retry': 'staff',
  'DELETE /api/stl-imports/:id': 'staff',
}

/** Routes that no endpoint declares, and why each may be: they carry nothing of anybody's. */
const UNDECLARED: Readonly<Record<string, string>> = {
  'GET /metrics': 'figures for Prometheus; METRICS says who may read them',
  'GET /api/openapi.json': 'the description of the API, public',
  'OPTIONS *': 'what browsers ask before they call another origin',
}

const RANK: Readonly<Record<string, number>> = { public: 0, 'signed-in': 1, staff: 2, admin: 3, owner: 4 }
/** What is open to keys is open to nobody's session. */
const rankOf = (access: AccessName): number => RANK[access] ?? 5
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
  const url = path.replace(':id', SOME_ID).replace(':code', 'I-99999')
  if (route === 'GET /api/events') return headOf(app, { url, headers })
  return app.http.inject({ method: method as 'GET', url, headers })
}

describe('the whole surface', () => {
  it('T1 lets each role through exactly where the table says so', { timeout: 120_000 }, async () => {
    const app = await buildTestApp()
    const declared = app.endpoints.all.flatMap(({ method, path, aliases = [], access }) =>
      [path, ...aliases].map((url) => [`${method} ${url}`, nameOf(access)] as const),
    )
    expect(Object.fromEntries(declared)).toEqual(ACCESS)
    let cells = 0
    const wrong: string[] = []
    for (const caller of CALLERS)
      for (const [route, access] of Object.entries(ACCESS)) {
        const { statusCode } = await call(app, route, await app.as(caller))
        const isRefused = statusCode === 401 || statusCode === 403
        // Without a body a public sign-in says 400 or 422; whoever may call gets past the guard.
        if (isRefused !== rankOf(access) > CALLER_RANK[caller])
          wrong.push(`${caller} ${route}: ${statusCode}`)
        cells += 1
      }
    console.info(`T1 role cells wrong ${wrong.length} of ${cells}`)
    expect(wrong).toEqual([])
  })

  it('T1 T2 knows every route that answers, whoever added it', async () => {
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

  it('T2 answers no token, an empty one, garbage and Basic alike everywhere but on the public list', async () => {
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
        // The hosted service's protocol tells a bad token (403) from none.
        if (response.statusCode !== (isHosted && isBad ? 403 : 401))
          wrong.push(`${route} ${authorization}: ${response.statusCode}`)
      }
    console.info(
      `T2 wrong answers ${wrong.length} of ${calls} on ${guarded.length} routes, bodies ${bodies.size} of 4`,
    )
    expect(wrong).toEqual([])
    // One of ours, of the hosted protocol one for no token and one for a bad one, and one of its storage.
    expect(bodies.size).toBe(4)
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
