import { describe, expect, it } from 'vitest'
import { entriesOf } from '../../../../test/support/audit-entries.ts'
import { fragmentOf, lastLinkTo, mailsTo } from '../../../../test/support/accounts/mails.ts'
import { officialClient } from '../../../../test/support/accounts/official-client.ts'
import { callHosted, errorCodeOf, getMe } from '../../../../test/support/accounts/second-factor.ts'
import { aServiceKey } from '../../../../test/support/accounts/service-keys.ts'
import { PASSWORD, type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'
import { MINUTE_MS } from '../../../platform/clock.ts'

const EVE = 'eve@example.com'
const PLANTED = 'planted by a stranger'

const post = (app: TestApp, url: string, payload: Record<string, unknown>) =>
  app.http.inject({ method: 'POST', url: `/auth/v1/${url}`, payload })

/** Signs up with Eve's email address and a password that Eve does not know, as a stranger would. */
const plant = async (app: TestApp) => {
  expect((await post(app, 'signup', { email: EVE, password: PLANTED })).statusCode).toBe(200)
  app.clock.advance(MINUTE_MS)
}

const approve = async (app: TestApp) => {
  const [row] = await app.database.sql<[{ id: string }]>`select id from accounts where email = ${EVE}`
  const response = await app.http.inject({
    method: 'PATCH',
    url: `/api/auth/users/${row.id}`,
    headers: { ...(await app.as('admin')), 'if-match': '*' },
    payload: { approved: true },
  })
  expect(response.statusCode).toBe(200)
}

/** Signs in to Eve's account with the password. Returns the error code or `signed in`, and the access token. */
const signIn = async (app: TestApp, password: string) => {
  const client = await officialClient(app)
  const { data, error } = await client.signInWithPassword({ email: EVE, password })
  return { result: error?.code ?? 'signed in', token: data.session?.access_token ?? '' }
}

const landOn = async (app: TestApp, url: string) => fragmentOf((await app.http.inject(url)).headers.location)

describe('passwords that a stranger planted on an address before its owner arrived', () => {
  it('the code of a sign-in email confirms the address and ends a planted password', async () => {
    const app = await buildTestApp()
    await plant(app)
    const client = await officialClient(app)
    expect((await client.signInWithOtp({ email: EVE })).error).toBeNull()
    const { code, mail } = await lastLinkTo(app, EVE)
    expect(mail.subject).toBe('Sign in to Pegasus Ops')
    const { data, error } = await client.verifyOtp({ email: EVE, token: code, type: 'email' })
    expect([error, data.user?.email_confirmed_at === undefined]).toEqual([null, false])
    await approve(app)
    expect((await signIn(app, PLANTED)).result).toBe('invalid_credentials')
    // The owner signs in again with the code of another email.
    app.clock.advance(MINUTE_MS)
    await client.signInWithOtp({ email: EVE })
    const again = await lastLinkTo(app, EVE)
    const back = await client.verifyOtp({ email: EVE, token: again.code, type: 'email' })
    expect(back.data.session?.user.email).toBe(EVE)
  })

  it('the link of a sign-in email ends a planted password, even if a program calls the link a sign-up', async () => {
    for (const follow of [
      async (app: TestApp) => landOn(app, (await lastLinkTo(app, EVE)).url),
      async (app: TestApp) =>
        post(app, 'verify', { type: 'signup', token_hash: (await lastLinkTo(app, EVE)).token }),
    ]) {
      const app = await buildTestApp()
      await plant(app)
      await post(app, 'otp', { email: EVE })
      await follow(app)
      await approve(app)
      const rows = await app.database.sql`
        select password_hash, email_proved_at is null as is_unproved from accounts where email = ${EVE}`
      expect(rows).toEqual([{ password_hash: null, is_unproved: false }])
      expect((await signIn(app, PLANTED)).result).toBe('invalid_credentials')
    }
  })

  it('a sign-up while the owner waits for a code neither invalidates the code nor sets a password', async () => {
    const app = await buildTestApp()
    const client = await officialClient(app)
    await client.signInWithOtp({ email: EVE })
    const { code } = await lastLinkTo(app, EVE)
    await plant(app)
    await post(app, 'resend', { type: 'signup', email: EVE })
    expect(await mailsTo(app, EVE)).toHaveLength(3)
    expect((await client.verifyOtp({ email: EVE, token: code, type: 'email' })).error).toBeNull()
    await approve(app)
    expect((await signIn(app, PLANTED)).result).toBe('invalid_credentials')
    const links = (await mailsTo(app, EVE)).flatMap((mail) => mail.links)
    const ended = links.filter((link) => link.includes('token=')).map((link) => new URL(link))
    expect(ended).toHaveLength(3)
    for (const { pathname, search } of ended)
      expect((await landOn(app, `${pathname}${search}`))['error_code']).toBe('otp_expired')
  })

  it('the first mailed code that is used after the approval ends a planted password and its session', async () => {
    for (const [route, type] of [
      ['otp', 'magiclink'],
      ['recover', 'recovery'],
    ] as const) {
      const app = await buildTestApp()
      await plant(app)
      await approve(app)
      const { result, token } = await signIn(app, PLANTED)
      expect([result, (await getMe(app, token)).statusCode]).toEqual(['signed in', 200])
      await post(app, route, { email: EVE })
      const { token: hash } = await lastLinkTo(app, EVE)
      const used = await post(app, 'verify', { type, token_hash: hash })
      expect(used.json().user.email).toBe(EVE)
      expect([(await signIn(app, PLANTED)).result, (await getMe(app, token)).statusCode]).toEqual([
        'invalid_credentials',
        401,
      ])
      const entries = (await entriesOf(app)).filter(({ after }) => (after as { took_over?: true })?.took_over)
      expect(entries.map(({ after }) => after)).toEqual([
        { took_over: true, ended_sessions: 1, disabled_keys: 0 },
      ])
    }
  })

  it("if a stranger signs up with an invited person's address, the only effect is that the invitation is sent again", async () => {
    const app = await buildTestApp()
    const invited = await app.http.inject({
      method: 'POST',
      url: '/api/auth/users',
      headers: await app.as('admin'),
      payload: { email: EVE, username: 'eve', role: 'staff' },
    })
    expect(invited.statusCode).toBe(201)
    const known = await post(app, 'signup', { email: EVE, password: PLANTED })
    const unknown = await post(app, 'signup', { email: 'new@example.com', password: PASSWORD })
    const shown = Object.keys(known.json())
    expect([shown.includes('invited_at'), shown.sort()]).toEqual([false, Object.keys(unknown.json()).sort()])
    const { mail, url } = await lastLinkTo(app, EVE)
    expect(mail.subject).toBe('You have been invited to Pegasus Ops')
    const { access_token: token = '', type } = await landOn(app, url)
    expect(type).toBe('invite')
    expect((await signIn(app, PLANTED)).result).toBe('invalid_credentials')
    const payload = { password: PASSWORD }
    expect(errorCodeOf(await callHosted(app, 'PUT /user', token, { payload }))).toBe('200')
    expect((await signIn(app, PASSWORD)).result).toBe('signed in')
  })

  it("a secret key cannot invite a person whom a stranger has signed up, but its sign-in link ends the stranger's password", async () => {
    const app = await buildTestApp()
    const { key } = await aServiceKey(app)
    await plant(app)
    const payload = { email: EVE }
    expect(errorCodeOf(await callHosted(app, 'POST /invite', key, { payload }))).toBe('422 email_exists')
    const link = { type: 'magiclink', email: EVE }
    const made = await callHosted(app, 'POST /admin/generate_link', key, { payload: link })
    await landOn(app, made.json<{ action_link: string }>().action_link.slice(app.config.publicUrl.length))
    await approve(app)
    expect((await signIn(app, PLANTED)).result).toBe('invalid_credentials')
  })

  it("an anonymous stranger who is waiting to confirm another person's address does not get that person's account", async () => {
    const variables = { SIGNUPS: 'open', GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED: 'true' }
    const app = await buildTestApp({ variables })
    const stranger = await officialClient(app)
    const { data: opened } = await stranger.signInAnonymously()
    // Store the stranger's request for the address directly, as if it waited for its link. In this test, no emails
    // reach people.
    await app.database.sql`update accounts set new_email = ${EVE} where id = ${opened.user?.id ?? ''}`
    const owner = await officialClient(app)
    await owner.signInWithOtp({ email: EVE })
    const { code } = await lastLinkTo(app, EVE)
    const { data } = await owner.verifyOtp({ email: EVE, token: code, type: 'email' })
    expect([data.user?.email, data.user?.id === opened.user?.id]).toEqual([EVE, false])
    expect((await stranger.getUser()).data.user).toMatchObject({ is_anonymous: true, email: '' })
  })
})
