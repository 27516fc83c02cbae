import type { HostedSession } from '@pegasus/contracts/auth/hosted-auth'
import { describe, expect, it } from 'vitest'
import { entriesOf } from '../../../../test/support/audit-entries.ts'
import { fragmentOf, lastLinkTo } from '../../../../test/support/accounts/mails.ts'
import { addPasskey, callOpen, signInWith } from '../../../../test/support/accounts/passkeys.ts'
import {
  anAccountWithFactor,
  callHosted,
  errorCodeOf,
  factorsOf,
  getMe,
} from '../../../../test/support/accounts/second-factor.ts'
import { aServiceKey } from '../../../../test/support/accounts/service-keys.ts'
import { PASSWORD, type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'

const ADA = 'ada@example.com'
const NEW_PASSWORD = 'entirely new words'
const UNKNOWN = '400 webauthn_verification_failed'

/** Follows the recovery link for an address. Returns the access token of the session that the link opens. */
async function recover(app: TestApp, email: string): Promise<string> {
  await callOpen(app, '/recover', { email })
  const { url } = await lastLinkTo(app, email)
  return fragmentOf((await app.http.inject(url)).headers.location)['access_token'] ?? ''
}

const signIn = async (app: TestApp, password: string) =>
  errorCodeOf(await callOpen(app, '/token?grant_type=password', { email: ADA, password }))

describe('passkeys that somebody planted on an account', () => {
  it('a planted passkey, password and session are removed when the owner of the address verifies it by email', async () => {
    const app = await buildTestApp({ variables: { SIGNUPS: 'open' } })
    const made = await callOpen(app, '/signup', { email: ADA, password: PASSWORD })
    const { access_token: planted } = made.json<HostedSession>()
    const { device } = await addPasskey(app, planted)
    expect(errorCodeOf(await signInWith(app, device))).toBe('200')
    const token = await recover(app, ADA)
    expect(errorCodeOf(await signInWith(app, device))).toBe(UNKNOWN)
    expect([await signIn(app, PASSWORD), (await getMe(app, planted)).statusCode]).toEqual([
      '400 invalid_credentials',
      401,
    ])
    const payload = { password: NEW_PASSWORD }
    expect(errorCodeOf(await callHosted(app, 'PUT /user', token, { payload }))).toBe('200')
    expect(errorCodeOf(await signInWith(app, device))).toBe(UNKNOWN)
    expect(await signIn(app, NEW_PASSWORD)).toBe('200')
    const entries = (await entriesOf(app)).filter(({ action }) => action === 'account.updated')
    const ended = { took_over: true, ended_sessions: 2, disabled_keys: 0 }
    expect(entries.map(({ after }) => after)).toEqual([ended])
  })

  it('the first verification of an address removes the second factor of a viewer, but not of staff', async () => {
    const app = await buildTestApp()
    const left: number[] = []
    for (const role of ['viewer', 'staff'] as const) {
      const { username, email, session } = await anAccountWithFactor(app, role)
      const { device } = await addPasskey(app, session.access_token)
      await app.database.sql`update accounts set email_proved_at = null where username = ${username}`
      left.push((await factorsOf(app, await recover(app, email))).length)
      expect(errorCodeOf(await signInWith(app, device))).toBe(UNKNOWN)
    }
    expect(left).toEqual([0, 1])
  })

  it('a planted passkey and factor are removed when the owner verifies by email an address that a secret key has set', async () => {
    const app = await buildTestApp()
    const { key } = await aServiceKey(app)
    const { username, session } = await anAccountWithFactor(app, 'viewer')
    const { device } = await addPasskey(app, session.access_token)
    const [row] = await app.database.sql<
      [{ id: string }]
    >`select id from accounts where username = ${username}`
    const change = await callHosted(app, `PUT /admin/users/${row.id}`, key, { payload: { email: ADA } })
    expect(errorCodeOf(change)).toBe('200')
    expect(await factorsOf(app, await recover(app, ADA))).toEqual([])
    expect(errorCodeOf(await signInWith(app, device))).toBe(UNKNOWN)
  })

  it('passkeys that a stranger planted do not survive a change of an address that nobody has verified', async () => {
    const app = await buildTestApp()
    const { key } = await aServiceKey(app)
    const username = await app.anAccount('viewer')
    await app.database.sql`update accounts set email_proved_at = null where username = ${username}`
    const { device } = await addPasskey(app, await app.signIn(username))
    const payload = { type: 'email_change_new', email: `${username}@example.com`, new_email: ADA }
    const made = await callHosted(app, 'POST /admin/generate_link', key, { payload })
    const { action_link: link } = made.json<{ action_link: string }>()
    const followed = await app.http.inject(link.slice(app.config.publicUrl.length))
    expect(fragmentOf(followed.headers.location)['access_token']).toBeTruthy()
    expect(await recover(app, ADA)).not.toBe('')
    expect(errorCodeOf(await signInWith(app, device))).toBe(UNKNOWN)
  })

  it('a recovery link keeps the passkeys of an account whose address has already been verified', async () => {
    const app = await buildTestApp()
    const username = await app.anAccount('viewer')
    const { device } = await addPasskey(app, await app.signIn(username))
    expect(await recover(app, `${username}@example.com`)).not.toBe('')
    expect(errorCodeOf(await signInWith(app, device))).toBe('200')
  })

  it('a password reset by an administrator removes the passkeys, each with an audit entry', async () => {
    const app = await buildTestApp()
    const username = await app.anAccount('viewer')
    const { device, id } = await addPasskey(app, await app.signIn(username))
    const [row] = await app.database.sql<
      [{ id: string }]
    >`select id from accounts where username = ${username}`
    const reset = await app.http.inject({
      method: 'POST',
      url: '/api/auth/admin/reset-password',
      headers: await app.as('admin'),
      payload: { user_id: row.id, new_password: NEW_PASSWORD, confirm_password: NEW_PASSWORD },
    })
    expect(reset.statusCode).toBe(200)
    expect(errorCodeOf(await signInWith(app, device))).toBe(UNKNOWN)
    const removed = (await entriesOf(app)).filter(({ action }) => action === 'passkey.removed')
    expect(removed.map(({ entity_id: passkey }) => passkey)).toEqual([id])
    expect(await app.signIn(username, NEW_PASSWORD)).toBeTruthy()
  })
})
