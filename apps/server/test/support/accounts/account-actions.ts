import type { LightMyRequestResponse } from 'fastify'
import { MINUTE_MS } from '../../../src/platform/clock.ts'
import { OWNER_PASSWORD, PASSWORD, type TestApp } from '../build-test-app.ts'
import { lastLinkTo } from './mails.ts'

/** The IP address of every request in this file. */
export const FROM = '203.0.113.5'
export const NEW_PASSWORD = 'entirely new words'

export const idOf = async (app: TestApp, username: string): Promise<string> => {
  const [row] = await app.database.sql<[{ id: string }]>`select id from accounts where username = ${username}`
  return row.id
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

const call = (
  app: TestApp,
  method: Method,
  url: string,
  options: { token?: string; payload?: Record<string, unknown>; headers?: Record<string, string> } = {},
): Promise<LightMyRequestResponse> =>
  app.http.inject({
    method,
    url,
    remoteAddress: FROM,
    headers: { ...options.headers, ...(options.token && { authorization: `Bearer ${options.token}` }) },
    ...(options.payload && { payload: options.payload }),
  })

export interface AccountAction {
  name: string
  /** The action of the expected audit entry. `actor` is the id of its actor, and `entityId` that of its subject. */
  action: string
  actor: string | null
  entityId: string | null
  after?: Record<string, unknown>
  act(): Promise<LightMyRequestResponse>
}

/** Returns a call for each action on accounts. Each call has its own accounts, so the calls are independent. */
export async function accountActions(app: TestApp): Promise<AccountAction[]> {
  const admin = await app.anAccount('admin')
  const adminId = await idOf(app, admin)
  const adminToken = await app.signIn(admin)
  const owner = await app.signIn('owner', OWNER_PASSWORD)
  const aPerson = async (options: { approved?: boolean } = {}) => {
    const name = await app.anAccount('staff', options)
    return { name, id: await idOf(app, name), email: `${name}@example.com` }
  }
  const signedIn = async () => {
    const person = await aPerson()
    return { ...person, token: await app.signIn(person.name) }
  }
  const login = (username: string, password: string) =>
    call(app, 'POST', '/auth/login', { payload: { username, password } })
  const patch = (id: string, payload: Record<string, unknown>) =>
    call(app, 'PATCH', `/api/auth/users/${id}`, { token: adminToken, payload, headers: { 'if-match': '*' } })
  const byAdmin = (method: Method, url: string, payload: Record<string, unknown> = {}) =>
    call(app, method, url, { token: adminToken, payload })

  const [entering, mistyping, waiting, promoted, leaving, reset] = await Promise.all([
    aPerson(),
    aPerson(),
    aPerson({ approved: false }),
    aPerson(),
    aPerson(),
    aPerson(),
  ])
  const [out, others, proving, failing, renamed, moved, noting, changing, choosing, reaching] =
    await Promise.all(Array.from({ length: 10 }, signedIn))
  if (
    !out ||
    !others ||
    !proving ||
    !failing ||
    !renamed ||
    !moved ||
    !noting ||
    !changing ||
    !choosing ||
    !reaching
  )
    throw new Error('fewer people than asked for')
  await app.signIn(others.name)
  const ending = await signedIn()
  await app.signIn(ending.name)
  const [other] = await app.database.sql<[{ id: string }]>`
    select id from sessions where account_id = ${ending.id} order by id desc limit 1`
  await byAdmin('POST', '/api/auth/users', { email: 'invited@example.com', username: 'invited' })
  const invitedId = await idOf(app, 'invited')
  const recovering = await aPerson()
  await call(app, 'POST', '/auth/v1/recover', { payload: { email: recovering.email } })
  const { url: recoveryUrl } = await lastLinkTo(app, recovering.email)
  const robbed = await aPerson()
  const { refresh_token: stolen } = (await login(robbed.name, PASSWORD)).json()
  const refresh = () =>
    call(app, 'POST', '/auth/v1/token?grant_type=refresh_token', { payload: { refresh_token: stolen } })
  await refresh()
  await app.database.sql`update refresh_tokens set replaced_at = replaced_at - interval '1 hour'`
  const [family] = await app.database.sql<
    [{ id: string }]
  >`select id from sessions where account_id = ${robbed.id}`
  // The server allows one email per minute, so advance the clock.
  app.clock.advance(MINUTE_MS)
  const next = { new_password: NEW_PASSWORD, confirm_password: NEW_PASSWORD }
  const sessionOf = async ({ id }: { id: string }): Promise<string> => {
    const [row] = await app.database.sql<
      [{ id: string }]
    >`select id from sessions where account_id = ${id} limit 1`
    return row.id
  }

  return [
    {
      name: 'sign-in',
      action: 'session.opened',
      actor: entering.id,
      entityId: 'a session',
      after: { method: 'password' },
      act: () => login(entering.name, PASSWORD),
    },
    {
      name: 'refused sign-in, known name',
      action: 'session.refused',
      actor: null,
      entityId: mistyping.id,
      after: { reason: 'wrong_password' },
      act: () => login(mistyping.name, 'a wrong guess'),
    },
    {
      name: 'refused sign-in, unknown name',
      action: 'session.refused',
      actor: null,
      entityId: null,
      after: { reason: 'unknown_name' },
      act: () => login('hunter2-typed-in-the-wrong-field', 'a wrong guess'),
    },
    {
      name: 'refused sign-in, not approved',
      action: 'session.refused',
      actor: null,
      entityId: waiting.id,
      after: { reason: 'not_approved' },
      act: () => login(waiting.name, PASSWORD),
    },
    {
      name: 'sign-out',
      action: 'session.ended',
      actor: out.id,
      entityId: await sessionOf(out),
      after: { scope: 'local', ended_sessions: 1 },
      act: () => call(app, 'POST', '/auth/v1/logout?scope=local', { token: out.token }),
    },
    {
      name: 'sign-out everywhere else',
      action: 'session.ended',
      actor: others.id,
      entityId: others.id,
      after: { scope: 'others', ended_sessions: 1 },
      act: () => call(app, 'POST', '/auth/v1/logout?scope=others', { token: others.token }),
    },
    {
      name: 'ended session',
      action: 'session.ended',
      actor: ending.id,
      entityId: other.id,
      act: () => call(app, 'DELETE', `/api/auth/sessions/${other.id}`, { token: ending.token }),
    },
    {
      name: 'reuse of a refresh token',
      action: 'session.ended',
      actor: null,
      entityId: family.id,
      after: { reason: 'refresh_token_reused' },
      act: refresh,
    },
    {
      name: 're-authentication',
      action: 'session.confirmed',
      actor: proving.id,
      entityId: await sessionOf(proving),
      after: { by: 'password' },
      act: () =>
        call(app, 'POST', '/api/auth/reauthenticate', {
          token: proving.token,
          payload: { password: PASSWORD },
        }),
    },
    {
      name: 'refused re-authentication',
      action: 'session.refused',
      actor: failing.id,
      entityId: failing.id,
      after: { reason: 'wrong_password' },
      act: () =>
        call(app, 'POST', '/api/auth/reauthenticate', {
          token: failing.token,
          payload: { password: 'wrong' },
        }),
    },
    {
      name: 'sign-up',
      action: 'account.signed_up',
      actor: 'the new account',
      entityId: 'the new account',
      after: { email: 'eve@example.com', username: 'eve', full_name: 'Eve', approved: false },
      act: () =>
        call(app, 'POST', '/auth/v1/signup', {
          payload: { email: 'eve@example.com', password: PASSWORD, data: { full_name: 'Eve' } },
        }),
    },
    {
      name: 'account with a password',
      action: 'account.created',
      actor: adminId,
      entityId: 'the new account',
      after: { username: 'made', email: 'made@example.com', role: 'viewer' },
      act: () =>
        byAdmin('POST', '/api/auth/users', {
          email: 'made@example.com',
          username: 'made',
          password: PASSWORD,
        }),
    },
    {
      name: 'account by invitation',
      action: 'account.invited',
      actor: adminId,
      entityId: 'the new account',
      after: { email: 'called@example.com' },
      act: () => byAdmin('POST', '/api/auth/users', { email: 'called@example.com', username: 'called' }),
    },
    {
      name: 'invitation sent again',
      action: 'account.invited',
      actor: adminId,
      entityId: invitedId,
      act: () => byAdmin('POST', `/api/auth/users/${invitedId}/invitation`),
    },
    {
      name: 'approval',
      action: 'account.approved',
      actor: adminId,
      entityId: waiting.id,
      after: { approved: true },
      act: () => patch(waiting.id, { approved: true }),
    },
    {
      name: 'role and system access',
      action: 'account.updated',
      actor: adminId,
      entityId: promoted.id,
      after: { role: 'viewer', system_access: false },
      act: () => patch(promoted.id, { role: 'viewer' }),
    },
    {
      name: 'deactivation',
      action: 'account.deactivated',
      actor: adminId,
      entityId: leaving.id,
      after: { is_active: false, ended_sessions: 0 },
      act: () => patch(leaving.id, { is_active: false }),
    },
    {
      name: 'reactivation',
      action: 'account.reactivated',
      actor: adminId,
      entityId: leaving.id,
      after: { is_active: true },
      act: () => patch(leaving.id, { is_active: true }),
    },
    {
      name: 'name of the profile',
      action: 'profile.updated',
      actor: renamed.id,
      entityId: renamed.id,
      after: { full_name: 'Grace Hopper' },
      act: () =>
        call(app, 'PUT', '/api/auth/profile', {
          token: renamed.token,
          payload: { full_name: 'Grace Hopper' },
        }),
    },
    {
      name: 'email of the profile',
      action: 'email.changed',
      actor: moved.id,
      entityId: moved.id,
      after: { email: 'moved@example.com' },
      act: () =>
        call(app, 'PUT', '/api/auth/profile', {
          token: moved.token,
          payload: { email: 'moved@example.com' },
        }),
    },
    {
      name: 'metadata',
      action: 'profile.updated',
      actor: noting.id,
      entityId: noting.id,
      after: { metadata: 'changed' },
      act: () =>
        call(app, 'PUT', '/auth/v1/user', {
          token: noting.token,
          payload: { data: { pin: 'my secret pin' } },
        }),
    },
    {
      name: 'password, with the current one',
      action: 'password.changed',
      actor: changing.id,
      entityId: changing.id,
      after: { ended_sessions: 0 },
      act: () =>
        call(app, 'POST', '/api/auth/change-password', {
          token: changing.token,
          payload: { current_password: PASSWORD, ...next },
        }),
    },
    {
      name: 'password, by the hosted protocol',
      action: 'password.changed',
      actor: choosing.id,
      entityId: choosing.id,
      after: { by: 'recent_sign_in', ended_sessions: 0 },
      act: () =>
        call(app, 'PUT', '/auth/v1/user', { token: choosing.token, payload: { password: NEW_PASSWORD } }),
    },
    {
      name: 'reset by an admin',
      action: 'password.reset',
      actor: adminId,
      entityId: reset.id,
      after: { ended_sessions: 0 },
      act: () => byAdmin('POST', '/api/auth/admin/reset-password', { user_id: reset.id, ...next }),
    },
    {
      name: 'recovery by link',
      action: 'session.opened',
      actor: recovering.id,
      entityId: 'a session',
      after: { method: 'recovery' },
      act: () => call(app, 'GET', recoveryUrl),
    },
    {
      name: 'a link that is none',
      action: 'session.refused',
      actor: null,
      entityId: null,
      after: { reason: 'wrong_link' },
      act: () =>
        call(app, 'POST', '/auth/v1/verify', { payload: { type: 'recovery', token_hash: 'nonsense' } }),
    },
    {
      name: 'outbox',
      action: 'outbox.read',
      actor: adminId,
      entityId: null,
      act: () => byAdmin('GET', '/api/outbox-mails'),
    },
    {
      name: 'refusal by role',
      action: 'access.refused',
      actor: reaching.id,
      entityId: 'GET /api/auth/users',
      after: { role: 'staff' },
      act: () => call(app, 'GET', '/api/auth/users', { token: reaching.token }),
    },
    {
      name: "refusal of what is an owner's",
      action: 'access.refused',
      actor: adminId,
      entityId: 'PATCH /api/auth/users/:id',
      after: { role: 'admin' },
      act: () => patch(adminId, { role: 'owner' }),
    },
    {
      name: 'sign-out everywhere',
      action: 'session.ended',
      actor: await idOf(app, 'owner'),
      entityId: await idOf(app, 'owner'),
      act: () => call(app, 'POST', '/auth/v1/logout', { token: owner }),
    },
  ]
}
