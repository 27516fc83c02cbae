import { describe, expect, it } from 'vitest'
import { PASSWORD, type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'
import { fragmentOf, lastLinkTo, mailsTo } from '../../../../test/support/accounts/mails.ts'
import { officialClient } from '../../../../test/support/accounts/official-client.ts'
import {
  anAccountWithFactor,
  callHosted,
  claimsOf,
  errorCodeOf,
} from '../../../../test/support/accounts/second-factor.ts'
import { HOUR_MS, MINUTE_MS } from '../../../platform/clock.ts'

const open = { variables: { SIGNUPS: 'open' } }
const closed = { variables: { SIGNUPS: 'closed' } }
const NEW = 'new@example.com'

const otp = (app: TestApp, payload: Record<string, unknown>, query = '') =>
  app.http.inject({
    method: 'POST',
    url: `/auth/v1/otp${query}`,
    headers: { 'x-supabase-api-version': '2024-01-01' },
    payload,
  })

const accountsOf = async (app: TestApp, email: string) =>
  app.database.sql<
    { email_confirmed_at: string | null; approved_at: string | null; password_hash: string | null }[]
  >`
    select email_confirmed_at, approved_at, password_hash from accounts where email = ${email}`

describe('POST /auth/v1/otp', () => {
  it('the official client signs in with the code from a sign-in email', async () => {
    const app = await buildTestApp()
    const email = `${await app.anAccount('staff')}@example.com`
    const client = await officialClient(app)
    const asked = await client.signInWithOtp({ email, options: { shouldCreateUser: false } })
    expect([asked.error, asked.data]).toEqual([null, { user: null, session: null }])
    const { mail, token, code } = await lastLinkTo(app, email)
    expect(mail.subject).toBe('Sign in to Pegasus Ops')
    const { error, data } = await client.verifyOtp({ email, token: code, type: 'email' })
    expect(error).toBeNull()
    expect(data.user?.email).toBe(email)
    expect(claimsOf(data.session?.access_token ?? '').amr.map(({ method }) => method)).toEqual(['otp'])
    // The email works only once. Its code was used, so its link is refused.
    const again = await client.verifyOtp({ token_hash: token, type: 'magiclink' })
    expect(again.error?.code).toBe('otp_expired')
  })

  it('a mailed sign-in link opens a session on the requested page, with and without PKCE', async () => {
    const app = await buildTestApp({ variables: { PUBLIC_URL: 'https://ops.example.com' } })
    const email = `${await app.anAccount('viewer')}@example.com`
    await otp(app, { email }, '?redirect_to=https%3A%2F%2Fops.example.com%2Fscan')
    const { mail, url } = await lastLinkTo(app, email)
    expect(mail.text).not.toContain('code:')
    const { headers } = await app.http.inject(url)
    expect(String(headers.location).split('#')[0]).toBe('https://ops.example.com/scan')
    expect(fragmentOf(headers.location)).toMatchObject({ type: 'magiclink', token_type: 'bearer' })
    app.clock.advance(MINUTE_MS)
    const kept = new Map<string, string>()
    const client = await officialClient(app, {
      flowType: 'pkce',
      persistSession: true,
      storage: {
        getItem: (key) => kept.get(key) ?? null,
        setItem: (key, value) => void kept.set(key, value),
        removeItem: (key) => void kept.delete(key),
      },
    })
    await client.signInWithOtp({ email })
    const link = await lastLinkTo(app, email)
    const landed = new URL(String((await app.http.inject(link.url)).headers.location))
    const { error, data } = await client.exchangeCodeForSession(landed.searchParams.get('code') ?? '')
    expect([error, data.user?.email]).toEqual([null, email])
  })

  it('T30 everybody gets the same response when requesting a sign-in email, but only people who may sign in get the email', async () => {
    const app = await buildTestApp(closed)
    const known = `${await app.anAccount('staff')}@example.com`
    const waiting = `${await app.anAccount('staff', { approved: false })}@example.com`
    const gone = `${await app.anAccount('staff', { isActive: false })}@example.com`
    const answers = new Set<string>()
    for (const create_user of [true, false, null]) {
      for (const email of [known, waiting, gone, NEW]) {
        const answer = await otp(app, { email, create_user })
        answers.add(`${answer.statusCode} ${answer.body}`)
        const again = await otp(app, { email: email.toUpperCase(), create_user })
        expect([errorCodeOf(again), again.headers['retry-after']]).toEqual([
          '429 over_email_send_rate_limit',
          '60',
        ])
      }
      app.clock.advance(MINUTE_MS)
    }
    console.info(`T30 differences of a request for a magic link ${answers.size - 1} of 12`)
    expect([...answers]).toEqual(['200 {}'])
    expect(await mailsTo(app, known)).toHaveLength(3)
    for (const email of [waiting, gone, NEW]) expect(await mailsTo(app, email)).toEqual([])
    expect(await accountsOf(app, NEW)).toEqual([])
  })

  it('a request for a sign-in email signs up an unknown address as an account that waits for approval', async () => {
    const app = await buildTestApp()
    await otp(app, { email: NEW, create_user: false })
    expect(await accountsOf(app, NEW)).toEqual([])
    app.clock.advance(MINUTE_MS)
    await otp(app, { email: NEW, data: { full_name: 'New Person', role: 'owner' } })
    expect(await accountsOf(app, NEW)).toEqual([
      { email_confirmed_at: null, approved_at: null, password_hash: null },
    ])
    const { token } = await lastLinkTo(app, NEW)
    const verified = await app.http.inject({
      method: 'POST',
      url: '/auth/v1/verify',
      payload: { type: 'email', token_hash: token },
    })
    expect([verified.statusCode, verified.json().access_token]).toEqual([200, undefined])
    expect(verified.json().email_confirmed_at).toBeTruthy()
    // The address is confirmed, but the account is not approved. So the server sends no email.
    app.clock.advance(MINUTE_MS)
    await otp(app, { email: NEW })
    expect(await mailsTo(app, NEW)).toHaveLength(1)
  })

  it('a mailed link signs up a new address if sign-ups are open', async () => {
    const app = await buildTestApp(open)
    const refused = await otp(app, { email: NEW, create_user: false })
    expect([errorCodeOf(refused), refused.json().message]).toEqual([
      '422 otp_disabled',
      'Signups not allowed for otp',
    ])
    const client = await officialClient(app)
    expect((await client.signInWithOtp({ email: NEW })).error).toBeNull()
    expect(await accountsOf(app, NEW)).toMatchObject([{ email_confirmed_at: null, password_hash: null }])
    const { token } = await lastLinkTo(app, NEW)
    const { data } = await client.verifyOtp({ token_hash: token, type: 'email' })
    expect(data.session?.user.email).toBe(NEW)
    const roles = await app.http.inject({
      url: '/api/auth/me',
      headers: { authorization: `Bearer ${data.session?.access_token}` },
    })
    expect(roles.json().role).toBe('viewer')
    const [person] = await accountsOf(app, NEW)
    expect(person?.email_confirmed_at).toBeTruthy()
  })

  it('parallel sign-ups of one address create one account, with and without a password', async () => {
    const app = await buildTestApp(open)
    const payload = { email: NEW, password: PASSWORD }
    const signUp = () => app.http.inject({ method: 'POST', url: '/auth/v1/signup', payload })
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) => (index % 2 === 0 ? otp(app, { email: NEW }) : signUp())),
    )
    const statuses = new Set(answers.map(({ statusCode }) => statusCode))
    expect([...statuses].filter((status) => ![200, 422, 429].includes(status))).toEqual([])
    expect(await accountsOf(app, NEW)).toHaveLength(1)
  })

  it('a sign-in link expires after an hour, or when the password changes', async () => {
    const app = await buildTestApp()
    const username = await app.anAccount('staff')
    const email = `${username}@example.com`
    const verify = async (token: string) =>
      errorCodeOf(
        await app.http.inject({
          method: 'POST',
          url: '/auth/v1/verify',
          headers: { 'x-supabase-api-version': '2024-01-01' },
          payload: { type: 'magiclink', token_hash: token },
        }),
      )
    await otp(app, { email })
    const late = await lastLinkTo(app, email)
    app.clock.advance(HOUR_MS)
    expect(await verify(late.token)).toBe('403 otp_expired')
    await otp(app, { email })
    const { token } = await lastLinkTo(app, email)
    const payload = { password: 'another decent passphrase' }
    const changed = await callHosted(app, 'PUT /user', await app.signIn(username), { payload })
    expect(errorCodeOf(changed)).toBe('200')
    expect(await verify(token)).toBe('403 otp_expired')
  })

  it.each([
    [{}, '400 validation_failed'],
    [{ email: 'nobody' }, '400 validation_failed'],
    [{ email: NEW, create_user: 'yes' }, '400 validation_failed'],
    [{ email: NEW, code_challenge: 'x' }, '400 validation_failed'],
    [{ phone: '15555550100' }, '400 phone_provider_disabled'],
  ])('POST /auth/v1/otp refuses %j', async (payload, expectedCode) => {
    const app = await buildTestApp()
    expect(errorCodeOf(await otp(app, payload))).toBe(expectedCode)
  })
})

describe('GET /auth/v1/reauthenticate', () => {
  const NEXT = 'another decent passphrase'

  it('the official client can change the password with a mailed code, even long after its sign-in', async () => {
    const app = await buildTestApp()
    const email = `${await app.anAccount('staff')}@example.com`
    const client = await officialClient(app)
    await client.signInWithPassword({ email, password: PASSWORD })
    app.clock.advance(20 * MINUTE_MS)
    const late = (await client.updateUser({ password: NEXT })).error
    expect([late?.status, late?.code]).toEqual([400, 'reauthentication_needed'])
    expect((await client.reauthenticate()).error).toBeNull()
    const [mail] = await mailsTo(app, email)
    expect([mail?.subject, mail?.links]).toEqual(['Your code for Pegasus Ops', []])
    const code = /code: (\d{8})/.exec(mail?.text ?? '')?.[1] ?? ''
    const wrong = code === '00000000' ? '00000001' : '00000000'
    const refused = await client.updateUser({ password: NEXT, nonce: wrong })
    expect([refused.error?.status, refused.error?.code]).toEqual([422, 'reauthentication_not_valid'])
    // A password that is refused does not use up the code.
    expect((await client.updateUser({ password: 'short', nonce: code })).error?.code).toBe('weak_password')
    expect((await client.updateUser({ password: NEXT, nonce: code })).error).toBeNull()
    expect(await app.signIn(email.split('@')[0] ?? '', NEXT)).toBeTruthy()
    const spent = await client.updateUser({ password: PASSWORD, nonce: code })
    expect(spent.error?.code).toBe('reauthentication_not_valid')
  })

  it('a reauthentication code works only for its purpose and account, within 15 minutes, and before five wrong codes', async () => {
    const app = await buildTestApp()
    const people = await Promise.all(
      [1, 2].map(async () => {
        const username = await app.anAccount('staff')
        return { email: `${username}@example.com`, token: await app.signIn(username) }
      }),
    )
    const [ada, bob] = people
    if (!ada || !bob) throw new Error('two people were made')
    const codeTo = async (email: string): Promise<string> =>
      /code: (\d{8})/.exec((await mailsTo(app, email))[0]?.text ?? '')?.[1] ?? ''
    const change = async (token: string, nonce: string) =>
      errorCodeOf(await callHosted(app, 'PUT /user', token, { payload: { password: NEXT, nonce } }))
    app.clock.advance(20 * MINUTE_MS)
    await otp(app, { email: ada.email })
    expect(await change(ada.token, await codeTo(ada.email))).toBe('422 reauthentication_not_valid')
    for (const { token } of people)
      expect(errorCodeOf(await callHosted(app, 'GET /reauthenticate', token))).toBe('200')
    expect(errorCodeOf(await callHosted(app, 'GET /reauthenticate', ada.token))).toBe(
      '429 over_email_send_rate_limit',
    )
    const right = await codeTo(ada.email)
    expect(await change(bob.token, right)).toBe('422 reauthentication_not_valid')
    // The code opens no session, even if it is sent as the code of another kind of email.
    for (const type of ['email', 'magiclink', 'recovery', 'reauthentication']) {
      const payload = { type, email: ada.email, token: right }
      const answer = await app.http.inject({ method: 'POST', url: '/auth/v1/verify', payload })
      expect([403, 400]).toContain(answer.statusCode)
    }
    app.clock.advance(15 * MINUTE_MS)
    expect(await change(ada.token, right)).toBe('422 reauthentication_not_valid')
    await callHosted(app, 'GET /reauthenticate', ada.token)
    const fresh = await codeTo(ada.email)
    const wrong = fresh === '11111111' ? '22222222' : '11111111'
    for (let guess = 0; guess < 5; guess += 1)
      expect(await change(ada.token, wrong)).toBe('422 reauthentication_not_valid')
    expect(await change(ada.token, fresh)).toBe('422 reauthentication_not_valid')
  })

  it('GET /auth/v1/reauthenticate requires a session that has passed the second step if the account has a factor', async () => {
    const app = await buildTestApp()
    expect((await app.http.inject('/auth/v1/reauthenticate')).statusCode).toBe(401)
    const { username } = await anAccountWithFactor(app)
    const first = await app.signIn(username)
    expect(errorCodeOf(await callHosted(app, 'GET /reauthenticate', first))).toBe('403 insufficient_aal')
  })
})
