import { describe, expect, it } from 'vitest'
import { PASSWORD, type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'
import { entriesOf } from '../../../../test/support/audit-entries.ts'
import { lastLinkTo, readOutbox } from '../../../../test/support/accounts/mails.ts'
import { officialClient } from '../../../../test/support/accounts/official-client.ts'
import {
  OTHER_PHONE,
  PHONE,
  PHONES,
  TYPED,
  accountOf,
  codeTo,
  messagesTo,
  otherCode,
} from '../../../../test/support/accounts/phones.ts'
import { callHosted, claimsOf, errorCodeOf, getMe } from '../../../../test/support/accounts/second-factor.ts'
import { MINUTE_MS } from '../../../platform/clock.ts'

const approval = { variables: PHONES }
const open = { variables: { ...PHONES, SIGNUPS: 'open' } }
const closed = { variables: { ...PHONES, SIGNUPS: 'closed' } }
const NEXT = 'another decent passphrase'

const approve = async (app: TestApp, phone: string): Promise<void> => {
  const account = await accountOf(app, phone)
  const url = `/api/auth/users/${account?.id}`
  const admin = await app.as('admin')
  const { headers } = await app.http.inject({ url, headers: admin })
  const changed = await app.http.inject({
    method: 'PATCH',
    url,
    headers: { ...admin, 'if-match': String(headers.etag) },
    payload: { approved: true },
  })
  expect(changed.statusCode).toBe(200)
}

/** Signs up with a phone number. Returns the client, which has a session, and the session's data. */
async function signedUp(app: TestApp, phone = PHONE) {
  const client = await officialClient(app)
  await client.signUp({ phone, password: PASSWORD })
  const { data, error } = await client.verifyOtp({ phone, token: await codeTo(app, phone), type: 'sms' })
  expect(error).toBeNull()
  return { client, session: data.session }
}

describe('sign-up and sign-in with a phone number', () => {
  it('the official client signs up with a number and a password, and gets a session when it sends the code', async () => {
    const app = await buildTestApp(open)
    const client = await officialClient(app)
    const made = await client.signUp({
      phone: TYPED,
      password: PASSWORD,
      options: { data: { full_name: 'Ada' } },
    })
    expect([made.error, made.data.session]).toEqual([null, null])
    expect(made.data.user).toMatchObject({
      phone: PHONE,
      email: '',
      app_metadata: { provider: 'phone', providers: ['phone'] },
      user_metadata: { full_name: 'Ada', phone_verified: false },
      identities: [{ provider: 'phone', identity_data: { phone: PHONE, phone_verified: false } }],
    })
    expect(made.data.user?.confirmation_sent_at).toBeTruthy()
    const early = await client.signInWithPassword({ phone: PHONE, password: PASSWORD })
    expect([early.error?.status, early.error?.code]).toEqual([400, 'phone_not_confirmed'])

    const token = await codeTo(app, PHONE)
    const { error, data } = await client.verifyOtp({ phone: TYPED, token, type: 'sms' })
    expect(error).toBeNull()
    expect(data.user).toMatchObject({ phone: PHONE, user_metadata: { phone_verified: true } })
    expect(data.user?.phone_confirmed_at).toBe(data.user?.confirmed_at)
    expect(data.user?.identities?.[0]?.last_sign_in_at).toBeTruthy()
    const claims = claimsOf(data.session?.access_token ?? '')
    expect(claims).toMatchObject({ phone: PHONE, email: '', amr: [{ method: 'otp' }] })
    // The account is a viewer and has no email address.
    const me = (await getMe(app, data.session?.access_token ?? '')).json()
    expect(me).toMatchObject({ role: 'viewer', email: '', full_name: 'Ada', username: 'phone-0100' })

    const again = await client.signInWithPassword({ phone: TYPED, password: PASSWORD })
    expect([again.error, again.data.user?.phone]).toEqual([null, PHONE])
    const wrong = await client.signInWithPassword({ phone: PHONE, password: NEXT })
    expect(wrong.error?.code).toBe('invalid_credentials')
    const unknown = await client.signInWithPassword({ phone: OTHER_PHONE, password: NEXT })
    expect([unknown.error?.code, unknown.error?.message]).toEqual([wrong.error?.code, wrong.error?.message])
    const actions = (await entriesOf(app)).map(({ action }) => action)
    expect(actions).toContain('account.signed_up')
  })

  it('a phone code works only once, only until it expires, and only if it is the newest code', async () => {
    const app = await buildTestApp(open)
    await signedUp(app)
    app.clock.advance(MINUTE_MS)
    const client = await officialClient(app)
    const asked = await client.signInWithOtp({ phone: TYPED, options: { shouldCreateUser: false } })
    expect([asked.error, asked.data.user, asked.data.session]).toEqual([null, null, null])
    const verify = (token: string) => client.verifyOtp({ phone: PHONE, token, type: 'sms' })
    const first = await codeTo(app, PHONE)
    expect(first).toMatch(/^\d{6}$/)
    app.clock.advance(MINUTE_MS)
    await client.signInWithOtp({ phone: PHONE })
    const second = await codeTo(app, PHONE)
    if (first !== second) expect((await verify(first)).error?.code).toBe('otp_expired')
    expect((await verify(second)).data.user?.phone).toBe(PHONE)
    expect((await verify(second)).error?.code).toBe('otp_expired')
    app.clock.advance(MINUTE_MS)
    await client.signInWithOtp({ phone: PHONE })
    const late = await codeTo(app, PHONE)
    app.clock.advance(15 * MINUTE_MS)
    const { error } = await verify(late)
    expect([error?.status, error?.message]).toEqual([403, 'Token has expired or is invalid'])
  })

  it('a sign-up with only a phone code gets no session and no rights before the approval', async () => {
    const app = await buildTestApp(approval)
    const client = await officialClient(app)
    expect(
      (await client.signInWithOtp({ phone: PHONE, options: { data: { role: 'owner' } } })).error,
    ).toBeNull()
    const verified = await client.verifyOtp({ phone: PHONE, token: await codeTo(app, PHONE), type: 'sms' })
    expect([verified.error, verified.data.session]).toEqual([null, null])
    expect(await accountOf(app, PHONE)).toMatchObject({
      has_email: false,
      approved_at: null,
      password_hash: null,
    })
    // A confirmed number gets no more messages while it waits for approval.
    app.clock.advance(MINUTE_MS)
    await client.signInWithOtp({ phone: PHONE })
    expect(await messagesTo(app, PHONE)).toHaveLength(1)
    await approve(app, PHONE)
    app.clock.advance(MINUTE_MS)
    await client.signInWithOtp({ phone: PHONE })
    const { data } = await client.verifyOtp({ phone: PHONE, token: await codeTo(app, PHONE), type: 'sms' })
    expect((await getMe(app, data.session?.access_token ?? '')).json().role).toBe('viewer')
  })

  it('if no program sends text messages, the approval of a sign-up confirms its phone number', async () => {
    const app = await buildTestApp(approval)
    const client = await officialClient(app)
    await client.signUp({ phone: PHONE, password: PASSWORD })
    const waiting = await codeTo(app, PHONE)
    await approve(app, PHONE)
    const users = await app.http.inject({
      url: '/api/auth/users?search=5550100',
      headers: await app.as('admin'),
    })
    expect(users.json()).toMatchObject([{ phone: PHONE, email: '', status: 'active' }])
    // The administrator may have read the code in the outbox, so the code opens no session.
    const used = await client.verifyOtp({ phone: PHONE, token: waiting, type: 'sms' })
    expect(used.error?.code).toBe('otp_expired')
    expect((await client.signInWithPassword({ phone: PHONE, password: PASSWORD })).error).toBeNull()
  })

  it('with GOTRUE_SMS_AUTOCONFIRM, a sign-up opens a session without a code, until the owner of the number takes over the account', async () => {
    const app = await buildTestApp({ variables: { ...open.variables, GOTRUE_SMS_AUTOCONFIRM: 'true' } })
    const squatter = await officialClient(app)
    const made = await squatter.signUp({ phone: PHONE, password: PASSWORD })
    expect(made.data.user).toMatchObject({ phone: PHONE, app_metadata: { provider: 'phone' } })
    expect(made.data.session?.access_token).toBeTruthy()
    expect(await readOutbox(app)).toEqual([])
    const known = await squatter.signUp({ phone: PHONE, password: NEXT })
    expect(known.error?.code).toBe('user_already_exists')
    const owner = await officialClient(app)
    await owner.signInWithOtp({ phone: PHONE })
    const proved = await owner.verifyOtp({ phone: PHONE, token: await codeTo(app, PHONE), type: 'sms' })
    expect(proved.data.user?.id).toBe(made.data.user?.id)
    const old = await callHosted(app, 'GET /user', made.data.session?.access_token ?? '')
    expect(errorCodeOf(old)).toBe('403 session_not_found')
    const planted = await squatter.signInWithPassword({ phone: PHONE, password: PASSWORD })
    expect(planted.error?.code).toBe('invalid_credentials')
  })

  it('resend sends the code of a sign-up again and keeps its password, but sends nothing to a confirmed number', async () => {
    const app = await buildTestApp(open)
    const client = await officialClient(app)
    await client.signUp({ phone: PHONE, password: PASSWORD })
    const first = await codeTo(app, PHONE)
    // The first code has expired in the meantime.
    app.clock.advance(20 * MINUTE_MS)
    await app.auth.purge()
    expect((await client.resend({ type: 'sms', phone: TYPED })).error).toBeNull()
    const second = await codeTo(app, PHONE)
    if (first !== second)
      expect((await client.verifyOtp({ phone: PHONE, token: first, type: 'sms' })).error?.code).toBe(
        'otp_expired',
      )
    expect((await client.verifyOtp({ phone: PHONE, token: second, type: 'sms' })).error).toBeNull()
    expect((await client.signInWithPassword({ phone: PHONE, password: PASSWORD })).error).toBeNull()
    app.clock.advance(MINUTE_MS)
    for (const phone of [PHONE, OTHER_PHONE])
      expect((await client.resend({ type: 'sms', phone })).error).toBeNull()
    expect(await messagesTo(app, PHONE)).toHaveLength(2)
    expect(await messagesTo(app, OTHER_PHONE)).toEqual([])
  })

  it('a password that somebody else planted for a number is removed by the first code that is used for that number', async () => {
    const app = await buildTestApp(open)
    const stranger = await officialClient(app)
    await stranger.signUp({ phone: PHONE, password: PASSWORD })
    app.clock.advance(MINUTE_MS)
    const owner = await officialClient(app)
    await owner.signInWithOtp({ phone: PHONE })
    const { error } = await owner.verifyOtp({ phone: PHONE, token: await codeTo(app, PHONE), type: 'sms' })
    expect(error).toBeNull()
    expect((await accountOf(app, PHONE))?.password_hash).toBeNull()
    // A repeated sign-up changes nothing until its own code is used.
    app.clock.advance(MINUTE_MS)
    const again = await stranger.signUp({ phone: PHONE, password: PASSWORD })
    expect([again.data.user?.identities, again.data.user?.phone, again.data.session]).toEqual([
      [],
      PHONE,
      null,
    ])
    expect((await accountOf(app, PHONE))?.password_hash).toBeNull()
  })

  it('two replicas share the limits on requests for phone codes, and a code opens only one session', async () => {
    const app = await buildTestApp(open)
    const other = await app.replica()
    await signedUp(app)
    app.clock.advance(MINUTE_MS)
    const ask = (from: TestApp) =>
      from.http.inject({ method: 'POST', url: '/auth/v1/otp', payload: { phone: PHONE } })
    const asked = await Promise.all([ask(app), ask(other), ask(app), ask(other)])
    expect(asked.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 429, 429, 429])
    const payload = { type: 'sms', phone: PHONE, token: await codeTo(app, PHONE) }
    const verify = (from: TestApp) => from.http.inject({ method: 'POST', url: '/auth/v1/verify', payload })
    const used = await Promise.all([verify(other), verify(app), verify(other), verify(app)])
    expect(used.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 403, 403, 403])
    const right = used.find(({ statusCode }) => statusCode === 200)
    expect((await getMe(other, right?.json().access_token)).statusCode).toBe(200)
  })
})

describe('the phone number of an account', () => {
  it('a phone number set with updateUser takes effect when its code is used, and the old number can no longer sign in', async () => {
    const app = await buildTestApp(closed)
    const email = `${await app.anAccount('staff')}@example.com`
    const client = await officialClient(app)
    await client.signInWithPassword({ email, password: PASSWORD })
    const asked = await client.updateUser({ phone: TYPED })
    expect(asked.error).toBeNull()
    expect(asked.data.user).toMatchObject({ phone: '', new_phone: PHONE })
    const token = await codeTo(app, PHONE)
    // The code of a phone number change cannot be used for a sign-in.
    const asSignIn = await client.verifyOtp({ phone: PHONE, token, type: 'sms' })
    expect(asSignIn.error?.code).toBe('otp_expired')
    const changed = await client.verifyOtp({ phone: PHONE, token, type: 'phone_change' })
    expect(changed.error).toBeNull()
    expect(changed.data.user).toMatchObject({ phone: PHONE, email })
    expect(changed.data.user?.new_phone).toBeUndefined()
    expect(changed.data.user?.app_metadata['providers']).toContain('phone')

    app.clock.advance(MINUTE_MS)
    const other = await officialClient(app)
    await other.signInWithOtp({ phone: PHONE })
    const signIn = await other.verifyOtp({ phone: PHONE, token: await codeTo(app, PHONE), type: 'sms' })
    expect(signIn.data.user?.email).toBe(email)
    await other.updateUser({ phone: OTHER_PHONE })
    app.clock.advance(MINUTE_MS)
    // The client may send either the current or the new number.
    expect((await other.resend({ type: 'phone_change', phone: PHONE })).error).toBeNull()
    expect(await messagesTo(app, OTHER_PHONE)).toHaveLength(2)
    const moved = await other.verifyOtp({
      phone: OTHER_PHONE,
      token: await codeTo(app, OTHER_PHONE),
      type: 'phone_change',
    })
    expect(moved.data.user?.phone).toBe(OTHER_PHONE)
    app.clock.advance(MINUTE_MS)
    const before = (await messagesTo(app, PHONE)).length
    await other.signInWithOtp({ phone: PHONE })
    expect(await messagesTo(app, PHONE)).toHaveLength(before)
    const actions = (await entriesOf(app)).filter(({ action }) => action === 'phone.changed')
    expect(actions.map(({ before: was, after }) => [was, after])).toEqual([
      [{ phone: null }, { phone: PHONE }],
      [{ phone: PHONE }, { phone: OTHER_PHONE }],
    ])
  })

  it('a change of phone requires a recent sign-in and a free number', async () => {
    const app = await buildTestApp(open)
    await signedUp(app)
    const email = `${await app.anAccount('viewer')}@example.com`
    const client = await officialClient(app)
    await client.signInWithPassword({ email, password: PASSWORD })
    const taken = await client.updateUser({ phone: PHONE })
    expect([taken.error?.status, taken.error?.code]).toEqual([422, 'phone_exists'])
    expect((await client.updateUser({ phone: '0555 0100' })).error?.code).toBe('validation_failed')
    app.clock.advance(16 * MINUTE_MS)
    const late = await client.updateUser({ phone: OTHER_PHONE })
    expect(late.error?.code).toBe('reauthentication_required')
    expect(await messagesTo(app, OTHER_PHONE)).toEqual([])
  })

  it('an account with only a phone number confirms a new password with a code sent to that number', async () => {
    const app = await buildTestApp(open)
    const { client } = await signedUp(app)
    app.clock.advance(20 * MINUTE_MS)
    const late = (await client.updateUser({ password: NEXT })).error
    expect([late?.status, late?.code]).toEqual([400, 'reauthentication_needed'])
    expect((await client.reauthenticate()).error).toBeNull()
    const nonce = await codeTo(app, PHONE)
    const wrong = await client.updateUser({ password: NEXT, nonce: otherCode(nonce) })
    expect(wrong.error?.code).toBe('reauthentication_not_valid')
    // The code of a reauthentication cannot be used for a sign-in.
    const asSignIn = await client.verifyOtp({ phone: PHONE, token: nonce, type: 'sms' })
    expect(asSignIn.error?.code).toBe('otp_expired')
    expect((await client.updateUser({ password: NEXT, nonce })).error).toBeNull()
    expect((await client.signInWithPassword({ phone: PHONE, password: NEXT })).error).toBeNull()
  })

  it('an anonymous account becomes permanent when it gets a phone number, and waits for approval', async () => {
    const app = await buildTestApp({
      variables: { ...PHONES, GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED: 'true' },
    })
    const client = await officialClient(app)
    await client.signInAnonymously()
    expect((await client.updateUser({ phone: PHONE })).error).toBeNull()
    const token = await codeTo(app, PHONE)
    const { error, data } = await client.verifyOtp({ phone: PHONE, token, type: 'phone_change' })
    expect([error, data.session]).toEqual([null, null])
    expect(await accountOf(app, PHONE)).toMatchObject({ username: 'phone-0100', approved_at: null })
  })

  it('an account with a phone number can add an email address, and unlink the number', async () => {
    const app = await buildTestApp({
      variables: { ...open.variables, GOTRUE_SECURITY_MANUAL_LINKING_ENABLED: 'true' },
    })
    const { client } = await signedUp(app)
    expect((await client.updateUser({ email: 'ada@example.com' })).data.user?.email).toBe('ada@example.com')
    const { data } = await client.getUserIdentities()
    const phone = data?.identities.find(({ provider }) => provider === 'phone')
    if (!phone) throw new Error('the account has no identity of its number')
    expect((await client.unlinkIdentity(phone)).error).toBeNull()
    expect((await client.getUser()).data.user).toMatchObject({ phone: '', email: 'ada@example.com' })
    app.clock.advance(MINUTE_MS)
    expect(await accountOf(app, PHONE)).toBeNull()
    // Nobody has verified the email address, so its owner can take the account over with a recovery link.
    await app.http.inject({ method: 'POST', url: '/auth/v1/recover', payload: { email: 'ada@example.com' } })
    expect((await lastLinkTo(app, 'ada@example.com')).token).toBeTruthy()
  })
})
