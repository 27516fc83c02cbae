import type { SignInRules } from '@pegasus/contracts/auth/sign-in-rules'
import type { CurrentUser } from '@pegasus/contracts/auth/sign-in'
import type { Role } from '@pegasus/contracts/roles'
import { describe, expect, it } from 'vitest'
import { aKey, accountId, readsWith } from '../../../../test/support/accounts/api-keys.ts'
import {
  type AccountWithFactor,
  anAccountWithFactor,
  answerChallenge,
  callHosted,
  enroll,
  errorCodeOf,
  getMe,
  passSecondStep,
} from '../../../../test/support/accounts/second-factor.ts'
import { officialClient } from '../../../../test/support/accounts/official-client.ts'
import { aServiceKey } from '../../../../test/support/accounts/service-keys.ts'
import { entriesOf } from '../../../../test/support/audit-entries.ts'
import {
  OWNER_PASSWORD,
  PASSWORD,
  type TestApp,
  buildTestApp,
} from '../../../../test/support/build-test-app.ts'
import { DAY_MS, HOUR_MS } from '../../../platform/clock.ts'

const URL = '/api/auth/sign-in-rules'

const readRules = async (app: TestApp, token: string): Promise<SignInRules> =>
  (await app.http.inject({ url: URL, headers: { authorization: `Bearer ${token}` } })).json<SignInRules>()

const demand = async (app: TestApp, token: string, roles: readonly string[], revision?: number) => {
  const known = revision ?? (await readRules(app, token)).revision
  return app.http.inject({
    method: 'PUT',
    url: URL,
    headers: { authorization: `Bearer ${token}`, 'if-match': `"${known}"` },
    payload: { second_factor_roles: roles },
  })
}

/** Returns an owner with a second factor and a session that has passed both steps. */
const aProvenOwner = (app: TestApp): Promise<AccountWithFactor> => anAccountWithFactor(app, 'owner')

/** Returns the response to a call that people with any role may make. */
const read = (app: TestApp, token: string) =>
  app.http.inject({ url: '/api/stl-files', headers: { authorization: `Bearer ${token}` } })

/**
 * Returns the status of a response and, if there is one, the error code. Examples: `200`, `403
 * second_factor_setup_required`.
 */
const codeOf = async (answer: ReturnType<typeof read>): Promise<string> => errorCodeOf(await answer)

const SETUP = '403 second_factor_setup_required'

describe('the roles that need a second factor', () => {
  it('once a role requires a second factor, its members can only set one up, from their next request on, at every replica', async () => {
    const app = await buildTestApp()
    const replica = await app.replica()
    const owner = await aProvenOwner(app)
    const [staff, viewer] = [await app.anAccount('staff'), await app.anAccount('viewer')]
    const [token, other] = [await app.signIn(staff), await app.signIn(viewer)]
    expect([await codeOf(read(app, token)), await codeOf(read(replica, token))]).toEqual(['200', '200'])

    const saved = await demand(app, owner.session.access_token, ['admin', 'staff'])
    expect(saved.json<SignInRules>()).toEqual({
      second_factor_roles: ['staff', 'admin'],
      without_second_factor: { owner: 1, staff: 1, viewer: 1 },
      revision: 2,
    })
    for (const each of [app, replica]) {
      expect([await codeOf(read(each, token)), await codeOf(read(each, other))]).toEqual([SETUP, '200'])
      expect((await getMe(each, token)).json<CurrentUser>().second_factor_setup_required).toBe(true)
    }
    // In a new session, too, the person can only set up the factor.
    const fresh = await app.signIn(staff)
    expect(await codeOf(read(replica, fresh))).toBe(SETUP)
    const hosted = await callHosted(app, 'PUT /user', fresh, { payload: { data: { color: 'red' } } })
    expect(errorCodeOf(hosted)).toBe('403 insufficient_aal')

    const factor = await enroll(replica, fresh)
    expect(await codeOf(read(app, fresh))).toBe(SETUP)
    const { access_token: proven } = await passSecondStep(app, fresh, factor)
    for (const each of [app, replica]) {
      expect(await codeOf(read(each, proven))).toBe('200')
      expect((await getMe(each, proven)).json<CurrentUser>().second_factor_setup_required).toBe(false)
    }
    // The first use of the new factor has ended the person's other sessions.
    expect((await read(app, token)).statusCode).toBe(401)
  })

  it('a person who must set up a second factor can still reauthenticate, cancel the setup and sign out', async () => {
    const app = await buildTestApp()
    const owner = await aProvenOwner(app)
    const username = await app.anAccount('staff')
    const token = await app.signIn(username)
    await demand(app, owner.session.access_token, ['staff'])
    app.clock.advance(HOUR_MS / 2)
    const payload = { factor_type: 'totp' }
    const late = await callHosted(app, 'POST /factors', token, { payload })
    expect(errorCodeOf(late)).toBe('403 reauthentication_required')
    const url = '/api/auth/reauthenticate'
    const headers = { authorization: `Bearer ${token}` }
    const again = { method: 'POST', url, headers, payload: { password: PASSWORD } } as const
    expect((await app.http.inject(again)).statusCode).toBe(200)
    const { factorId } = await enroll(app, token)
    expect(errorCodeOf(await callHosted(app, `DELETE /factors/${factorId}`, token))).toBe('200')
    const factor = await enroll(app, token)
    const wrong = await answerChallenge(app, token, factor, { code: '000000' })
    expect([errorCodeOf(wrong), await codeOf(read(app, token))]).toEqual([
      '422 mfa_verification_failed',
      SETUP,
    ])
    expect(errorCodeOf(await callHosted(app, 'POST /logout', token))).toBe('204')
  })

  it('an account must set up a second factor again if it loses its factors or gets a role that requires one', async () => {
    const app = await buildTestApp()
    const owner = await aProvenOwner(app)
    const by = { authorization: `Bearer ${owner.session.access_token}` }
    await demand(app, owner.session.access_token, ['admin', 'owner'])
    const admin = await anAccountWithFactor(app, 'admin')
    const token = admin.session.access_token
    expect(await codeOf(read(app, token))).toBe('200')
    await callHosted(app, `DELETE /factors/${admin.factorId}`, token)
    expect(await codeOf(read(app, token))).toBe(SETUP)
    await passSecondStep(app, token, await enroll(app, token, 'Another phone'))

    const id = await accountId(app, admin.username)
    const reset = await app.http.inject({
      method: 'DELETE',
      url: `/api/auth/users/${id}/factors`,
      headers: by,
    })
    expect(reset.statusCode).toBe(204)
    expect(await codeOf(read(app, await app.signIn(admin.username)))).toBe(SETUP)

    const staff = await app.anAccount('staff')
    const promoted = await app.signIn(staff)
    const user = `/api/auth/users/${await accountId(app, staff)}`
    const revision = (await app.http.inject({ url: user, headers: by })).headers['etag']
    const headers = { ...by, 'if-match': String(revision) }
    await app.http.inject({ method: 'PATCH', url: user, headers, payload: { role: 'admin' } })
    expect(await codeOf(read(app, promoted))).toBe(SETUP)
  })

  it('API keys and service keys still work if the role of their owner needs a second factor', async () => {
    const app = await buildTestApp()
    const { key } = await aKey(app, { role: 'staff' })
    const { key: serviceKey } = await aServiceKey(app)
    const owner = await aProvenOwner(app)
    const roles: Role[] = ['viewer', 'employee', 'staff', 'admin', 'owner']
    expect((await demand(app, owner.session.access_token, roles)).statusCode).toBe(200)
    const users = { url: '/auth/v1/admin/users', headers: { apikey: serviceKey } }
    expect([await readsWith(app, key), (await app.http.inject(users)).statusCode]).toEqual([200, 200])
  })

  it('a person must change a generated password before setting up a second factor, and anonymous accounts need no second factor', async () => {
    const app = await buildTestApp({
      variables: { GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED: 'true', SIGNUPS: 'open' },
    })
    const owner = await aProvenOwner(app)
    await demand(app, owner.session.access_token, ['viewer'])
    const username = await app.anAccount('viewer')
    await app.database.sql`update accounts set must_change_password = true where username = ${username}`
    const token = await app.signIn(username)
    expect(await codeOf(read(app, token))).toBe('403 password_change_required')
    const changed = await callHosted(app, 'PUT /user', token, { payload: { password: 'other words now' } })
    expect(errorCodeOf(changed)).toBe('200')
    expect(await codeOf(read(app, await app.signIn(username, 'other words now')))).toBe(SETUP)

    const client = await officialClient(app)
    await client.signInAnonymously()
    const { error } = await client.updateUser({ data: { color: 'red' } })
    expect(error).toBeNull()
  })

  it('a signed link that a person created does not work until the person sets up the required second factor', async () => {
    const app = await buildTestApp()
    const owner = await aProvenOwner(app)
    const token = await app.signIn(await app.anAccount('staff'))
    const url = '/storage/v1/object/upload/sign/product-images/a.jpg'
    const headers = { authorization: `Bearer ${token}` }
    const link = (await app.http.inject({ method: 'POST', url, headers })).json<{ token: string }>().token
    await demand(app, owner.session.access_token, ['staff'])
    const late = await app.http.inject({
      method: 'PUT',
      url: `${url}?token=${link}`,
      headers: { 'content-type': 'image/jpeg' },
      payload: Buffer.from('no picture'),
    })
    expect(late.json()).toMatchObject({ code: 'ExpiredToken' })
  })

  it('each change of the roles that need a second factor is audited, unless it changes nothing', async () => {
    const app = await buildTestApp()
    const owner = await aProvenOwner(app)
    const token = owner.session.access_token
    for (const roles of [['staff'], ['staff'], ['owner', 'staff'], []]) await demand(app, token, roles)
    const entries = (await entriesOf(app)).filter(({ action }) => action === 'sign_in_rules.updated')
    expect(entries.map(({ before, after }) => [before, after])).toEqual([
      [{ second_factor_roles: [] }, { second_factor_roles: ['staff'] }],
      [{ second_factor_roles: ['staff'] }, { second_factor_roles: ['staff', 'owner'] }],
      [{ second_factor_roles: ['staff', 'owner'] }, { second_factor_roles: [] }],
    ])
  })
})

describe('refused changes of the roles that need a second factor', () => {
  it('only an owner with a second factor can require one for owners, and can set up another one after removing it', async () => {
    const app = await buildTestApp()
    const token = await app.signIn('owner', OWNER_PASSWORD)
    expect(errorCodeOf(await demand(app, token, ['owner']))).toBe('409 own_factor_first')
    expect((await demand(app, token, ['admin'])).statusCode).toBe(200)
    const factor = await enroll(app, token)
    const { access_token: proven } = await passSecondStep(app, token, factor)
    expect((await demand(app, proven, ['owner'])).statusCode).toBe(200)
    // The only owner has removed the factor, and can now only set up another one.
    await callHosted(app, `DELETE /factors/${factor.factorId}`, proven)
    app.clock.advance(DAY_MS)
    const next = await app.signIn('owner', OWNER_PASSWORD)
    expect(errorCodeOf(await demand(app, next, [], 3))).toBe(SETUP)
    const { access_token: again } = await passSecondStep(app, next, await enroll(app, next))
    expect((await demand(app, again, [])).statusCode).toBe(200)
  })

  it('one of two simultaneous changes of the roles that need a second factor is refused, and gets the current roles', async () => {
    const app = await buildTestApp()
    const replica = await app.replica()
    const [one, other] = [await aProvenOwner(app), await aProvenOwner(app)]
    const answers = await Promise.all([
      demand(app, one.session.access_token, ['staff'], 1),
      demand(replica, other.session.access_token, ['admin'], 1),
    ])
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200, 412]))
    const refused = answers.find(({ statusCode }) => statusCode === 412)?.json<{ current: SignInRules }>()
    expect(refused?.current).toEqual(await readRules(app, one.session.access_token))
  })

  it.each([
    [{ second_factor_roles: ['root'] }, 'This is not a role'],
    [{ second_factor_roles: ['staff', 'staff'] }, 'Name each role only once'],
    [{ second_factor_roles: 'staff' }, undefined],
    [{}, undefined],
  ])('an update of the roles that need a second factor is refused for %j', async (payload, message) => {
    const app = await buildTestApp()
    const headers = {
      authorization: `Bearer ${await app.signIn('owner', OWNER_PASSWORD)}`,
      'if-match': '"1"',
    }
    const answer = await app.http.inject({ method: 'PUT', url: URL, headers, payload })
    expect(answer.statusCode).toBe(422)
    if (message) expect(answer.body).toContain(message)
  })

  it('changing the roles that need a second factor requires the revision and a recent sign-in', async () => {
    const app = await buildTestApp()
    const headers = { authorization: `Bearer ${await app.signIn('owner', OWNER_PASSWORD)}` }
    const change = { method: 'PUT', url: URL, payload: { second_factor_roles: [] } } as const
    expect((await app.http.inject({ ...change, headers })).statusCode).toBe(428)
    app.clock.advance(HOUR_MS / 2)
    const late = await app.http.inject({ ...change, headers: { ...headers, 'if-match': '"1"' } })
    expect(errorCodeOf(late)).toBe('403 reauthentication_required')
  })

  it('only owners can change the roles that need a second factor, and only admins and owners can read them', async () => {
    const app = await buildTestApp()
    const statuses: number[] = []
    for (const role of ['viewer', 'employee', 'staff', 'admin'] as const) {
      const headers = { ...(await app.as(role)), 'if-match': '"1"' }
      const payload = { second_factor_roles: ['owner'] }
      statuses.push((await app.http.inject({ url: URL, headers })).statusCode)
      statuses.push((await app.http.inject({ method: 'PUT', url: URL, headers, payload })).statusCode)
    }
    expect(statuses).toEqual([403, 403, 403, 403, 403, 403, 200, 403])
  })
})
