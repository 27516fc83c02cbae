import { describe, expect, it } from 'vitest'
import {
  OWNER_PASSWORD,
  PASSWORD,
  type TestApp,
  buildTestApp,
} from '../../../../test/support/build-test-app.ts'
import { fragmentOf, lastLinkTo, mailsTo, readOutbox } from '../../../../test/support/accounts/mails.ts'
import { type OfficialClient, officialClient } from '../../../../test/support/accounts/official-client.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../platform/clock.ts'

const VERSION = { 'x-supabase-api-version': '2024-01-01' }
const ADA = 'ada@example.com'
const NEW_PASSWORD = 'entirely new words'
const PUBLIC_URL = 'https://ops.example.com'

type Headers = Record<string, string>

const post = (app: TestApp, url: string, payload: Record<string, unknown>, headers: Headers = {}) =>
  app.http.inject({ method: 'POST', url: `/auth/v1/${url}`, headers: { ...VERSION, ...headers }, payload })

const putUser = (app: TestApp, accessToken: string, payload: Record<string, unknown>) =>
  app.http.inject({
    method: 'PUT',
    url: '/auth/v1/user',
    headers: { ...VERSION, authorization: `Bearer ${accessToken}` },
    payload,
  })

const getMe = (app: TestApp, accessToken: string) =>
  app.http.inject({ url: '/api/auth/me', headers: { authorization: `Bearer ${accessToken}` } })

const codeOf = (response: { statusCode: number; json(): { code?: unknown } }) => [
  response.statusCode,
  response.json().code,
]

/**
 * Returns the official client with storage like that of a browser. The client needs it to exchange the code of a link
 * that it has requested.
 */
function clientOf(app: TestApp, flowType: 'implicit' | 'pkce' = 'implicit'): Promise<OfficialClient> {
  const kept = new Map<string, string>()
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  }
  return officialClient(app, { flowType, storage, persistSession: true })
}

/** Returns an account, its email address, and a recovery link that was requested for it. */
async function aRecovery(app: TestApp, headers: Headers = {}) {
  const name = await app.anAccount('staff')
  const email = `${name}@example.com`
  expect((await post(app, 'recover', { email }, headers)).statusCode).toBe(200)
  return { name, email, ...(await lastLinkTo(app, email)) }
}

describe('recovery links', () => {
  describe('valid recovery links', () => {
    it('a recovery link opens a session that can set a new password, and the new password ends all other sessions', async () => {
      const app = await buildTestApp()
      const { name, url, mail } = await aRecovery(app)
      expect(mail.subject).toBe('Reset your Pegasus Ops password')
      const elsewhere = await app.signIn(name)
      const redirect = await app.http.inject(url)
      expect(redirect.statusCode).toBe(303)
      expect(String(redirect.headers.location)).toMatch(/^http:\/\/localhost:3000\/#/)
      const fields = fragmentOf(redirect.headers.location)
      expect(fields).toMatchObject({ type: 'recovery', token_type: 'bearer', expires_in: '3600' })
      const accessToken = fields.access_token ?? ''
      // The sign-in is no longer recent if the person leaves the page open for a while.
      app.clock.advance(20 * MINUTE_MS)
      expect(codeOf(await putUser(app, accessToken, { password: 'five5' }))).toEqual([422, 'weak_password'])
      expect(codeOf(await putUser(app, accessToken, { password: PASSWORD }))).toEqual([422, 'same_password'])
      expect((await putUser(app, accessToken, { password: NEW_PASSWORD })).statusCode).toBe(200)
      expect((await getMe(app, accessToken)).statusCode).toBe(200)
      expect((await getMe(app, elsewhere)).statusCode).toBe(401)
      expect(await app.signIn(name, NEW_PASSWORD)).toBeTruthy()
    })

    it('a recovery link leads back to the page that requested it, if that page has our own origin', async () => {
      const app = await buildTestApp({ variables: { PUBLIC_URL } })
      for (const [redirectTo, place] of [
        [`${PUBLIC_URL}/login?reset=1`, `${PUBLIC_URL}/login?reset=1#access_token=`],
        ['https://evil.example/', `${PUBLIC_URL}/#access_token=`],
        ['//evil.example', `${PUBLIC_URL}/#access_token=`],
      ] as const) {
        const email = `${await app.anAccount('viewer')}@example.com`
        await post(app, `recover?redirect_to=${encodeURIComponent(redirectTo)}`, { email })
        const { url } = await lastLinkTo(app, email)
        expect(url).not.toContain('evil')
        expect((await app.http.inject(url)).headers.location).toContain(place)
        const direct = await app.http.inject(
          `/auth/v1/verify?token=x&redirect_to=${encodeURIComponent(redirectTo)}`,
        )
        expect(String(direct.headers.location).startsWith(PUBLIC_URL)).toBe(true)
      }
    })

    it('the code in a recovery email sets a new password through the official client', async () => {
      const app = await buildTestApp()
      const client = await clientOf(app)
      const { email, code } = await aRecovery(app)
      const events: string[] = []
      client.onAuthStateChange((event) => void events.push(event))
      const { data, error } = await client.verifyOtp({
        email: email.toUpperCase(),
        token: code,
        type: 'recovery',
      })
      expect([error, data.user?.email]).toEqual([null, email])
      expect(events).toContain('PASSWORD_RECOVERY')
      expect((await client.updateUser({ password: NEW_PASSWORD })).error).toBeNull()
    })

    it('a recovery link with a code challenge returns a code that only the requesting client can exchange, and only once', async () => {
      const app = await buildTestApp()
      const client = await clientOf(app, 'pkce')
      const email = `${await app.anAccount('staff')}@example.com`
      expect((await client.resetPasswordForEmail(email)).error).toBeNull()
      const { url, token } = await lastLinkTo(app, email)
      expect(token).toMatch(/^pkce_/)
      const { location } = (await app.http.inject(url)).headers
      const code = new URL(String(location)).searchParams.get('code') ?? ''
      expect(String(location)).not.toContain('access_token')
      const exchange = (verifier: string) =>
        post(app, 'token?grant_type=pkce', { auth_code: code, code_verifier: verifier })
      expect(codeOf(await exchange('wrong'))).toEqual([400, 'bad_code_verifier'])
      const exchanged = await client.exchangeCodeForSession(code)
      expect([exchanged.error, exchanged.data.user?.email]).toEqual([null, email])
      expect(codeOf(await exchange('again'))).toEqual([404, 'flow_state_not_found'])
      expect(codeOf(await exchange(''))).toEqual([400, 'validation_failed'])
    })

    it('the code of a recovery link with a code challenge expires after five minutes', async () => {
      const app = await buildTestApp()
      const client = await clientOf(app, 'pkce')
      const email = `${await app.anAccount('staff')}@example.com`
      expect((await client.resetPasswordForEmail(email)).error).toBeNull()
      const { location } = (await app.http.inject((await lastLinkTo(app, email)).url)).headers
      app.clock.advance(5 * MINUTE_MS)
      const code = new URL(String(location)).searchParams.get('code') ?? ''
      const { error, data } = await client.exchangeCodeForSession(code)
      expect([error?.code, data.session]).toEqual(['flow_state_expired', null])
    })
  })

  describe('refused recovery links', () => {
    it('T37 a recovery link works once, within an hour, until a newer link is sent, and only as a recovery link', async () => {
      const app = await buildTestApp()
      const use = async (url: string) =>
        fragmentOf((await app.http.inject(url)).headers.location).error_code ?? 'opened'
      const answers: string[] = []
      const { url, email } = await aRecovery(app)
      answers.push(await use(url.replace('type=recovery', 'type=signup')))
      app.clock.advance(MINUTE_MS)
      await post(app, 'recover', { email })
      const newer = await lastLinkTo(app, email)
      answers.push(await use(url))
      expect((await app.http.inject({ method: 'HEAD', url: newer.url })).statusCode).toBe(303)
      expect(await use(newer.url)).toBe('opened')
      answers.push(await use(newer.url))
      const late = await aRecovery(app)
      app.clock.advance(HOUR_MS)
      answers.push(await use(late.url))
      const changed = await aRecovery(app)
      const accessToken = await app.signIn(changed.name)
      expect((await putUser(app, accessToken, { password: NEW_PASSWORD })).statusCode).toBe(200)
      answers.push(await use(changed.url))
      console.info(
        `T37 spent links opened ${answers.filter((a) => a !== 'otp_expired').length} of ${answers.length}`,
      )
      expect(answers).toEqual(Array(5).fill('otp_expired'))
      const error = fragmentOf((await app.http.inject(url)).headers.location)
      expect(error).toMatchObject({
        error: 'access_denied',
        error_description: 'Email link is invalid or has expired',
      })
    })

    it('T37 a recovery link opens only one session, even if many requests use it in parallel', async () => {
      const app = await buildTestApp()
      const { url } = await aRecovery(app)
      const answers = await Promise.all(Array.from({ length: 10 }, () => app.http.inject(url)))
      const opened = answers.filter((answer) => 'access_token' in fragmentOf(answer.headers.location))
      expect(opened).toHaveLength(1)
    })

    it('T33 T37 a recovery link is built from PUBLIC_URL, ignores forged headers, and appears in no log', async () => {
      let logged = ''
      const logTo = { write: (line: string) => void (logged += line) }
      const app = await buildTestApp({ variables: { PUBLIC_URL }, logTo })
      const forged = {
        host: 'evil.example',
        'x-forwarded-host': 'evil.example',
        'x-forwarded-proto': 'gopher',
        forwarded: 'host=evil.example',
        'x-original-url': 'https://evil.example/',
        referer: 'https://evil.example/',
        redirect_to: 'https://evil.example/',
      }
      const { mail, url, token, code } = await aRecovery(app, forged)
      const foreign = mail.links.filter((link) => !link.startsWith(`${PUBLIC_URL}/auth/v1/verify?`))
      console.info(`T33 links led astray ${foreign.length} of ${mail.links.length}`)
      expect(foreign).toEqual([])
      expect(mail.text).not.toContain('evil')
      const { headers } = await app.http.inject({ url, headers: forged })
      expect(String(headers.location).startsWith(`${PUBLIC_URL}/#`)).toBe(true)
      expect(headers['referrer-policy']).toBe('no-referrer')
      expect(headers['cache-control']).toBe('no-store')
      await app.http.inject(url)
      expect(logged).toContain('/auth/v1/verify')
      const { access_token: accessToken = '', refresh_token: refreshToken = '' } = fragmentOf(
        headers.location,
      )
      for (const secret of [token, code, accessToken, refreshToken]) expect(logged).not.toContain(secret)
      const dump = JSON.stringify(
        await app.database.sql`
          select (select json_agg(t) from one_time_tokens t) as tokens, (select json_agg(m) from outbox_mails m) as mails,
                 (select json_agg(f) from flow_states f) as flows`,
      )
      for (const secret of [token, code]) expect(dump).not.toContain(secret)
    })

    it('a recovery code is refused after five wrong codes, while the link stays valid', async () => {
      const app = await buildTestApp()
      const { email, code, url } = await aRecovery(app)
      const verify = (token: string) => post(app, 'verify', { type: 'recovery', email, token })
      const wrong = code === '00000000' ? '11111111' : '00000000'
      for (let i = 0; i < 5; i += 1) expect(codeOf(await verify(wrong))).toEqual([403, 'otp_expired'])
      expect(codeOf(await verify(code))).toEqual([403, 'otp_expired'])
      expect(fragmentOf((await app.http.inject(url)).headers.location).access_token).toBeTruthy()
    })

    it('neither a deactivated account nor an account that waits for approval can use a recovery link', async () => {
      const app = await buildTestApp()
      const { name, url } = await aRecovery(app)
      await app.database.sql`update accounts set is_active = false where username = ${name}`
      expect(fragmentOf((await app.http.inject(url)).headers.location).error_code).toBe('user_banned')
      const waiting = await app.anAccount('viewer', { approved: false })
      const disabled = await app.anAccount('viewer', { isActive: false })
      for (const email of [waiting, disabled, 'nobody'].map((each) => `${each}@example.com`))
        expect((await post(app, 'recover', { email })).body).toBe('{}')
      expect(await readOutbox(app)).toHaveLength(1)
    })

    it.each([
      [{}, 400, 'validation_failed'],
      [{ type: 'recovery' }, 400, 'validation_failed'],
      [{ type: 'sms', token_hash: 'x' }, 400, 'validation_failed'],
      [{ type: 'recovery', token_hash: 'x' }, 403, 'otp_expired'],
      [{ type: 'recovery', email: 'a\u0000b', token: '12345678' }, 403, 'otp_expired'],
    ])('POST /verify with %j returns %i %s', async (payload, status, code) => {
      const app = await buildTestApp()
      expect(codeOf(await post(app, 'verify', payload))).toEqual([status, code])
    })
  })
})

describe('POST /auth/v1/recover and /resend', () => {
  it('T31 recover and resend return the same response for known and unknown addresses, and accept each request once a minute', async () => {
    const app = await buildTestApp()
    await post(app, 'signup', { email: ADA, password: PASSWORD })
    app.clock.advance(MINUTE_MS)
    const requests = [
      ['recover', { email: 'owner@pegasus.local' }],
      ['recover', { email: 'nobody@example.com' }],
      ['resend', { type: 'signup', email: ADA }],
      ['resend', { type: 'signup', email: 'nobody@example.com' }],
      ['resend', { type: 'signup', email: 'owner@pegasus.local' }],
      ['resend', { type: 'email_change', email: ADA }],
    ] as const
    for (const [url, payload] of requests) {
      const first = await post(app, url, payload)
      expect([first.statusCode, first.body]).toEqual([200, '{}'])
      const second = await post(app, url, payload)
      expect([...codeOf(second), second.headers['retry-after']]).toEqual([
        429,
        'over_email_send_rate_limit',
        '60',
      ])
    }
    expect(await mailsTo(app, 'owner@pegasus.local')).toHaveLength(1)
    expect(await mailsTo(app, ADA)).toHaveLength(2)
    expect(await readOutbox(app)).toHaveLength(3)
  })

  it.each([
    ['recover', {}, 400],
    ['recover', { email: 'no address' }, 400],
    ['resend', { email: ADA }, 400],
    ['resend', { email: ADA, type: 'sms' }, 400],
    ['resend', { type: 'signup' }, 400],
  ])('POST /auth/v1/%s with %j returns %i', async (url, payload, status) => {
    const app = await buildTestApp()
    expect(codeOf(await post(app, url, payload))).toEqual([status, 'validation_failed'])
  })
})

describe('sign-up links', () => {
  it('a sign-up link confirms the address and explains that an administrator must approve the account', async () => {
    const app = await buildTestApp()
    await post(app, 'signup', { email: ADA, password: PASSWORD })
    const { url } = await lastLinkTo(app, ADA)
    const fields = fragmentOf((await app.http.inject(url)).headers.location)
    expect(fields.message).toContain('An administrator must approve')
    expect(fields.access_token).toBeUndefined()
    const [row] = await app.database.sql`
      select email_confirmed_at, approved_at, user_metadata from accounts where email = ${ADA}`
    expect(row).toMatchObject({ approved_at: null, user_metadata: { email_verified: true } })
    expect(row?.email_confirmed_at).not.toBeNull()
  })

  it('a sign-up code of the type email opens a session if the account is already approved', async () => {
    const app = await buildTestApp()
    await post(app, 'signup', { email: ADA, password: PASSWORD })
    await app.database.sql`update accounts set approved_at = now() where email = ${ADA}`
    const { code } = await lastLinkTo(app, ADA)
    const answer = await post(app, 'verify', { type: 'email', email: ADA, token: code })
    expect(answer.json().user.email).toBe(ADA)
    expect((await getMe(app, answer.json().access_token)).statusCode).toBe(200)
  })

  it('a sign-up link expires after a day', async () => {
    const app = await buildTestApp()
    await post(app, 'signup', { email: ADA, password: PASSWORD })
    const { token } = await lastLinkTo(app, ADA)
    app.clock.advance(DAY_MS)
    expect(codeOf(await post(app, 'verify', { type: 'signup', token_hash: token }))).toEqual([
      403,
      'otp_expired',
    ])
  })
})

describe('PUT /auth/v1/user', () => {
  it('PUT /auth/v1/user merges data and removes fields that are null', async () => {
    const app = await buildTestApp()
    const accessToken = await app.signIn(await app.anAccount('viewer'))
    await putUser(app, accessToken, { data: { theme: 'dark', page: 1 } })
    const answer = await putUser(app, accessToken, { data: { page: null, list: [1] } })
    expect(answer.json().user_metadata).toEqual({ theme: 'dark', list: [1] })
  })

  it('PUT /auth/v1/user changes the email address for the next sign-in at once if the server cannot send emails', async () => {
    const app = await buildTestApp()
    const name = await app.anAccount('staff')
    const accessToken = await app.signIn(name)
    const answer = await putUser(app, accessToken, { email: 'New.Address@Example.com' })
    expect(answer.json().email).toBe('new.address@example.com')
    expect(answer.json().new_email).toBeUndefined()
    expect(await app.signIn('new.address@example.com')).toBeTruthy()
    expect(codeOf(await putUser(app, accessToken, { email: 'owner@pegasus.local' }))).toEqual([
      422,
      'email_exists',
    ])
    expect(codeOf(await putUser(app, accessToken, { email: 'nonsense' }))).toEqual([400, 'validation_failed'])
  })

  it('T23 PUT /auth/v1/user requires a recent sign-in or the current password for a new password or email', async () => {
    const app = await buildTestApp()
    const name = await app.anAccount('staff')
    const accessToken = await app.signIn(name)
    app.clock.advance(15 * MINUTE_MS + SECOND_MS)
    expect(codeOf(await putUser(app, accessToken, { password: NEW_PASSWORD }))).toEqual([
      400,
      'reauthentication_needed',
    ])
    expect(codeOf(await putUser(app, accessToken, { email: ADA }))).toEqual([
      403,
      'reauthentication_required',
    ])
    const wrong = { password: NEW_PASSWORD, current_password: 'wrong' }
    expect(codeOf(await putUser(app, accessToken, wrong))).toEqual([400, 'current_password_invalid'])
    const right = { password: NEW_PASSWORD, current_password: PASSWORD }
    expect((await putUser(app, accessToken, right)).statusCode).toBe(200)
    expect((await putUser(app, accessToken, { data: { theme: 'dark' } })).statusCode).toBe(200)
    const again = await app.http.inject({
      method: 'POST',
      url: '/api/auth/reauthenticate',
      headers: { authorization: `Bearer ${accessToken}` },
      payload: { password: NEW_PASSWORD },
    })
    expect(again.statusCode).toBe(200)
    expect((await putUser(app, accessToken, { email: ADA })).statusCode).toBe(200)
  })

  it('an owner keeps the role when the email address changes', async () => {
    const app = await buildTestApp()
    const accessToken = await app.signIn('owner', OWNER_PASSWORD)
    const answer = await putUser(app, accessToken, { email: 'boss@example.com' })
    expect(answer.json().identities[0]).toMatchObject({ email: 'boss@example.com' })
    expect((await getMe(app, accessToken)).json()).toMatchObject({ role: 'owner', email: 'boss@example.com' })
    expect((await app.auth.owner.ensure(app.config.owner)).email).toBe('boss@example.com')
  })
})
