import { type ErrorCode, errorEntry } from '@pegasus/contracts/errors'
import { describe, expect, it } from 'vitest'
import { type TestApp, buildTestApp } from '../support/build-test-app.ts'
import { anAccountWithFactor } from '../support/accounts/second-factor.ts'

/**
 * The calls that a session may make before its second step. They pass the second step, show that it is due, or sign
 * out.
 */
const BEFORE_SECOND_STEP = [
  'GET /auth/v1/user',
  'POST /auth/v1/logout',
  'POST /auth/v1/factors/:id/challenge',
  'POST /auth/v1/factors/:id/verify',
  'POST /auth/v1/factors/recovery-codes/verify',
]

/**
 * The calls that an account may make before it sets up the second factor that its role requires. They set it up, change
 * the password, or sign out.
 */
const BEFORE_SETUP = [
  'GET /api/auth/me',
  'POST /api/auth/reauthenticate',
  'POST /api/auth/change-password',
  'GET /auth/v1/user',
  'POST /auth/v1/logout',
  'POST /auth/v1/factors',
  'DELETE /auth/v1/factors/:id',
  'POST /auth/v1/factors/:id/challenge',
  'POST /auth/v1/factors/:id/verify',
]

/** The statuses of calls that the hosted protocol refuses with a status other than 403. */
const STATUS: Readonly<Record<string, number>> = {
  'PUT /auth/v1/user': 401,
  'DELETE /auth/v1/factors/:id': 422,
}

const SOME_ID = '01890000-0000-7000-8000-000000000000'

const call = (app: TestApp, route: string, accessToken: string) =>
  app.http.inject({
    method: route.split(' ')[0] as 'GET',
    url: (route.split(' ')[1] ?? '').replace(/:\w+/g, SOME_ID),
    headers: { authorization: `Bearer ${accessToken}`, 'x-supabase-api-version': '2024-01-01' },
  })

const codeIn = (body: string): string | undefined => {
  const parsed: unknown = body.startsWith('{') ? JSON.parse(body) : null
  return typeof parsed === 'object' && parsed !== null && 'code' in parsed ? String(parsed.code) : undefined
}

/**
 * Returns whether a response contains the reason. The hosted storage and database services have their own codes, and
 * resumable uploads respond with plain text, so only the message is checked there.
 */
const saysWhy = (route: string, body: string, error: ErrorCode): boolean =>
  / \/(?:(?:storage|rest)\/v1|api\/stl-files\/uploads)\b/.test(route)
    ? body.includes(errorEntry(error).message)
    : [errorEntry(error).code, errorEntry(error).hosted?.code].includes(codeIn(body))

/** Returns every route that is not public. For each GET, this includes HEAD. */
function guardedRoutes(app: TestApp): string[] {
  const declared = app.endpoints.all
    .filter(({ access }) => access !== 'public')
    .flatMap(({ method, path, aliases = [] }) => [path, ...aliases].map((url) => `${method} ${url}`))
  const heads = declared
    .filter((route) => route.startsWith('GET ') && app.routes.includes(`HEAD ${route.slice(4)}`))
    .map((route) => `HEAD ${route.slice(4)}`)
  return [...declared, ...heads]
}

const isOpenBefore = (route: string): boolean => BEFORE_SECOND_STEP.includes(route.replace(/^HEAD /, 'GET '))

describe('sessions before their second step', () => {
  it('before its second step, a session is refused every call that does not belong to this step, whatever its role', async () => {
    const app = await buildTestApp()
    const routes = guardedRoutes(app).filter((route) => !isOpenBefore(route))
    const through: string[] = []
    for (const role of ['viewer', 'owner'] as const) {
      const { username } = await anAccountWithFactor(app, role)
      const token = await app.signIn(username)
      for (const route of routes) {
        const { statusCode, body } = await call(app, route, token)
        const isExplained = route.startsWith('HEAD ') || saysWhy(route, body, 'SECOND_FACTOR_REQUIRED')
        if (statusCode !== (STATUS[route] ?? 403) || !isExplained)
          through.push(`${role} ${route}: ${statusCode} ${body}`)
      }
    }
    console.info(`second factor: calls let through before it ${through.length} of ${routes.length * 2}`)
    expect(through).toEqual([])
  })

  it('before its second step, a session can make exactly the calls for this step and for signing out', async () => {
    const app = await buildTestApp()
    const open = app.endpoints.all
      .filter(({ worksBeforeSecondFactor: works }) => works)
      .map(({ method, path }) => `${method} ${path}`)
    expect(open.sort()).toEqual([...BEFORE_SECOND_STEP].sort())
    const { username } = await anAccountWithFactor(app)
    const refused: string[] = []
    for (const route of BEFORE_SECOND_STEP) {
      const { body } = await call(app, route, await app.signIn(username))
      if (codeIn(body) === 'insufficient_aal') refused.push(route)
    }
    expect(refused).toEqual([])
  })

  it('after its second step, a session is no longer refused for a missing second factor', async () => {
    const app = await buildTestApp()
    const { session } = await anAccountWithFactor(app, 'owner')
    // Leave out the event stream, because it never ends.
    const routes = guardedRoutes(app).filter((route) => !isOpenBefore(route) && route !== 'GET /api/events')
    const refused: string[] = []
    for (const route of routes) {
      const { body } = await call(app, route, session.access_token)
      if (codeIn(body) === 'insufficient_aal') refused.push(route)
    }
    expect(refused).toEqual([])
  })
})

describe('accounts whose role needs a second factor that they do not have', () => {
  it('without the second factor that its role requires, an account is refused every call that the setup does not need', async () => {
    const app = await buildTestApp()
    await app.database
      .sql`update sign_in_rules set second_factor_roles = '{viewer,employee,staff,admin,owner}'`
    const declared = app.endpoints.all
      .filter(({ worksBeforeFactorSetup: works }) => works)
      .map(({ method, path }) => `${method} ${path}`)
    expect(declared.sort()).toEqual([...BEFORE_SETUP].sort())
    const routes = guardedRoutes(app)
    const isOpen = (route: string): boolean => BEFORE_SETUP.includes(route.replace(/^HEAD /, 'GET '))
    const wrong: string[] = []
    for (const role of ['viewer', 'owner'] as const) {
      const token = await app.signIn(await app.anAccount(role))
      for (const route of routes) {
        // An allowed call may end all sessions of its account, so it gets an account of its own.
        const caller = isOpen(route) ? await app.signIn(await app.anAccount(role)) : token
        const { statusCode, body } = await call(app, route, caller)
        const isExplained = route.startsWith('HEAD ') || saysWhy(route, body, 'SECOND_FACTOR_SETUP_REQUIRED')
        const isRefused = statusCode === 403 && isExplained
        if (isRefused === isOpen(route)) wrong.push(`${role} ${route}: ${statusCode} ${body}`)
      }
    }
    console.info(`second factor: calls wrong before its setup ${wrong.length} of ${routes.length * 2}`)
    expect(wrong).toEqual([])
  })
})
