import type { HostedUser } from '@pegasus/contracts/auth/hosted-auth'
import { describe, expect, it } from 'vitest'
import { PASSWORD, type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'
import { type OfficialClient, officialClient } from '../../../../test/support/accounts/official-client.ts'
import { callHosted, claimsOf, errorCodeOf } from '../../../../test/support/accounts/second-factor.ts'
import { asOwner } from '../../../../test/support/accounts/service-keys.ts'
import { HOUR_MS } from '../../../platform/clock.ts'

const ANONYMOUS = { GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED: 'true' }
const anApp = (signups: 'open' | 'approval') =>
  buildTestApp({ variables: { ...ANONYMOUS, SIGNUPS: signups } })

const tokenOf = async (client: OfficialClient): Promise<string> =>
  (await client.getSession()).data.session?.access_token ?? ''

const status = async (app: TestApp, url: string, token: string): Promise<number> =>
  (await app.http.inject({ url, headers: { authorization: `Bearer ${token}` } })).statusCode

describe('anonymous sign-in', () => {
  it('the settings show that anonymous sign-in is off unless it is configured', async () => {
    const app = await buildTestApp()
    const { error } = await (await officialClient(app)).signInAnonymously()
    expect([error?.status, error?.code]).toEqual([422, 'anonymous_provider_disabled'])
    const settings = async (each: TestApp) =>
      (await each.http.inject('/auth/v1/settings')).json().external.anonymous_users
    expect([await settings(app), await settings(await anApp('open'))]).toEqual([false, true])
  })

  it('an anonymous account can read and change itself, but cannot use anything else', async () => {
    const app = await anApp('approval')
    const client = await officialClient(app)
    const { data, error } = await client.signInAnonymously({
      options: { data: { color: 'red', role: 'owner' } },
    })
    expect(error).toBeNull()
    expect(data.user).toMatchObject({
      is_anonymous: true,
      email: '',
      user_metadata: { color: 'red' },
      identities: [],
    })
    expect(data.user?.email_confirmed_at).toBeUndefined()
    const token = await tokenOf(client)
    expect(claimsOf(token)).toMatchObject({ is_anonymous: true, email: '', amr: [{ method: 'anonymous' }] })
    expect((await client.refreshSession()).error).toBeNull()
    const closed = [
      '/api/auth/me',
      '/api/orders',
      '/api/inventory',
      '/api/events',
      '/rest/v1/user_roles',
      '/storage/v1/bucket',
    ]
    expect(await Promise.all(closed.map((url) => status(app, url, token)))).toEqual(closed.map(() => 403))
    const enrolled = await client.mfa.enroll({ factorType: 'totp' })
    expect([enrolled.error?.status, enrolled.error?.code]).toEqual([403, 'no_authorization'])
    const alone = await client.updateUser({ password: PASSWORD })
    expect([alone.error?.status, alone.error?.code]).toEqual([422, 'validation_failed'])
    expect((await client.updateUser({ data: { color: 'blue' } })).data.user?.user_metadata).toEqual({
      color: 'blue',
    })
    const people = await app.http.inject({ url: '/api/auth/users', headers: await asOwner(app) })
    expect(people.json<unknown[]>()).toHaveLength(1)
    expect((await client.signOut()).error).toBeNull()
    expect(await status(app, '/auth/v1/user', token)).toBe(403)
    const withPassword = await callHosted(app, 'POST /signup', 'x', { payload: { password: PASSWORD } })
    expect(errorCodeOf(withPassword)).toBe('400 validation_failed')
  })

  it('an anonymous account becomes permanent when it gets an address and a password', async () => {
    const app = await anApp('open')
    const client = await officialClient(app)
    const before = await client.signInAnonymously()
    await app.anAccount('staff')
    app.clock.advance(HOUR_MS / 2)
    const taken = await client.updateUser({ email: 'staff-1@example.com' })
    expect(taken.error?.code).toBe('email_exists')
    // The sign-in may be old, because an anonymous account has no password for a reauthentication.
    const upgraded = await client.updateUser({ email: 'Ada@Example.com' })
    expect(upgraded.error).toBeNull()
    expect(upgraded.data.user).toMatchObject({
      id: before.data.user?.id,
      email: 'ada@example.com',
      is_anonymous: false,
      app_metadata: { provider: 'email' },
      identities: [{ provider: 'email' }],
    })
    await client.refreshSession()
    const token = await tokenOf(client)
    expect(claimsOf(token)).toMatchObject({ is_anonymous: false, email: 'ada@example.com' })
    expect(await status(app, '/api/inventory', token)).toBe(200)
    const rows = await app.database.sql`select username, role from people where email = 'ada@example.com'`
    expect([...rows]).toEqual([{ username: 'ada', role: 'viewer' }])
    const audit = await app.database.sql<{ action: string }[]>`
      select action from audit_entries where entity_id = ${before.data.user?.id ?? ''} order by at, id`
    expect(audit.map(({ action }) => action)).toEqual(['account.signed_up', 'email.changed'])
  })

  it('an upgraded account waits for approval like any other sign-up if sign-ups need approval', async () => {
    const app = await anApp('approval')
    const client = await officialClient(app)
    await client.signInAnonymously()
    const token = await tokenOf(client)
    const answer = await callHosted(app, 'PUT /user', token, { payload: { email: 'ada@example.com' } })
    expect(answer.json<HostedUser>()).toMatchObject({ email: 'ada@example.com', is_anonymous: false })
    expect(await status(app, '/auth/v1/user', token)).toBe(403)
    const [row] = await app.database.sql`select status from people where email = 'ada@example.com'`
    expect(row).toEqual({ status: 'waiting' })
  })
})
