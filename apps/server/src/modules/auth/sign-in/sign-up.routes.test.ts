import { AuthWeakPasswordError } from '@supabase/auth-js'
import { describe, expect, it } from 'vitest'
import { PASSWORD, type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'
import { officialClient } from '../../../../test/support/accounts/official-client.ts'
import { lastLinkTo, mailsTo } from '../../../../test/support/accounts/mails.ts'
import { isLongRun } from '../../../../test/process/product-process.ts'
import { MINUTE_MS } from '../../../platform/clock.ts'

const VERSION = { 'x-supabase-api-version': '2024-01-01' }
const ADA = 'ada@example.com'
const SIGN_UPS = isLongRun ? 10_000 : 100

const signUp = (app: TestApp, payload: Record<string, unknown>, headers: Record<string, string> = {}) =>
  app.http.inject({ method: 'POST', url: '/auth/v1/signup', headers: { ...VERSION, ...headers }, payload })

const signIn = (app: TestApp, email: string, password: string) =>
  app.http.inject({
    method: 'POST',
    url: '/auth/v1/token?grant_type=password',
    headers: VERSION,
    payload: { email, password },
  })

const login = (app: TestApp, username: string, password: string) =>
  app.http.inject({ method: 'POST', url: '/auth/login', payload: { username, password } })

const codeOf = (response: { statusCode: number; json(): { code?: unknown } }) => [
  response.statusCode,
  response.json().code,
]

const open = { variables: { SIGNUPS: 'open' } }
const closed = { variables: { SIGNUPS: 'closed' } }

describe('POST /auth/v1/signup', () => {
  describe('valid sign-ups', () => {
    it('a signed-up account can sign in only after an admin approves it, not through its mailed link alone', async () => {
      const app = await buildTestApp()
      const client = await officialClient(app)
      const { data, error } = await client.signUp({ email: ` ${ADA.toUpperCase()} `, password: PASSWORD })
      expect(error).toBeNull()
      expect(data.session).toBeNull()
      expect(data.user).toMatchObject({ email: ADA, identities: [{ provider: 'email' }] })
      expect(data.user?.confirmation_sent_at).toBeTruthy()

      const early = await client.signInWithPassword({ email: ADA, password: PASSWORD })
      expect([early.error?.status, early.error?.code, early.error?.message]).toEqual([
        400,
        'email_not_confirmed',
        'Email not confirmed',
      ])
      expect(codeOf(await login(app, 'ada', PASSWORD))).toEqual([403, 'email_not_confirmed'])

      const { token } = await lastLinkTo(app, ADA)
      const verified = await client.verifyOtp({ token_hash: token, type: 'signup' })
      expect([verified.error, verified.data.session, verified.data.user?.email]).toEqual([null, null, ADA])
      const waiting = await client.signInWithPassword({ email: ADA, password: PASSWORD })
      expect([waiting.error?.status, waiting.error?.code]).toEqual([400, 'user_banned'])
      expect(waiting.error?.message).toContain('administrator must approve')
      const refused = await login(app, 'ada', PASSWORD)
      expect(codeOf(refused)).toEqual([403, 'account_not_approved'])
      expect(refused.json().detail).toContain('administrator must approve')

      const approved = await app.http.inject({
        method: 'PATCH',
        url: `/api/auth/users/${data.user?.id}`,
        headers: { ...(await app.as('admin')), 'if-match': '*' },
        payload: { approved: true },
      })
      expect(approved.json()).toMatchObject({ approved: true, email_confirmed: true, role: 'viewer' })
      const admitted = await client.signInWithPassword({ email: ADA, password: PASSWORD })
      expect(admitted.error).toBeNull()
      expect((await mailsTo(app, ADA)).map((mail) => mail.subject)[0]).toContain('approved')
    })

    it('if sign-ups are open, a sign-up opens a session for a viewer who is named after the email address', async () => {
      const app = await buildTestApp(open)
      const client = await officialClient(app)
      const { data, error } = await client.signUp({
        email: 'Grace.Hopper+ops@example.com',
        password: PASSWORD,
      })
      expect(error).toBeNull()
      const me = await app.http.inject({
        url: '/api/auth/me',
        headers: { authorization: `Bearer ${data.session?.access_token}` },
      })
      expect(me.json()).toMatchObject({ role: 'viewer', username: 'grace.hopper-ops', system_access: false })
      expect(await mailsTo(app, 'grace.hopper+ops@example.com')).toEqual([])
    })

    it('sign-ups with equal names get different usernames, even in parallel', async () => {
      const app = await buildTestApp(open)
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, i) =>
          signUp(app, { email: `ada@host${i}.example`, password: PASSWORD }),
        ),
      )
      expect(answers.map((answer) => answer.statusCode)).toEqual(Array(8).fill(200))
      const rows = await app.database.sql<{ username: string }[]>`
        select username from accounts where email like 'ada@%' order by length(username), username`
      expect(rows.map((row) => row.username)).toEqual([
        'ada',
        ...Array.from({ length: 7 }, (_, i) => `ada-${i + 2}`),
      ])
    })

    it('/auth/v1/settings publishes the sign-up settings', async () => {
      const settings = async (options: object) =>
        (await (await buildTestApp(options)).http.inject('/auth/v1/settings')).json()
      expect(await settings({})).toMatchObject({ disable_signup: false, mailer_autoconfirm: false })
      expect(await settings(open)).toMatchObject({ disable_signup: false, mailer_autoconfirm: true })
      expect(await settings(closed)).toMatchObject({ disable_signup: true, mailer_autoconfirm: false })
    })

    it('if a person signs up twice, the account gets the password of the sign-up whose email the person opens', async () => {
      const app = await buildTestApp()
      await signUp(app, { email: ADA, password: 'planted by another' })
      app.clock.advance(MINUTE_MS)
      const again = await signUp(app, { email: ADA, password: PASSWORD })
      expect(again.json().identities).toHaveLength(1)
      const { url } = await lastLinkTo(app, ADA)
      expect(await mailsTo(app, ADA)).toHaveLength(2)
      expect((await app.http.inject(url)).statusCode).toBe(303)
      expect(codeOf(await signIn(app, ADA, 'planted by another'))).toEqual([400, 'invalid_credentials'])
      expect(codeOf(await signIn(app, ADA, PASSWORD))).toEqual([400, 'user_banned'])
    })
  })

  describe('invalid sign-ups', () => {
    it.each([
      [{ email: 'no address', password: PASSWORD }, 400, 'validation_failed'],
      [{ email: 'аda@example.com', password: PASSWORD }, 400, 'validation_failed'],
      [{ email: 'a\u200bda@example.com', password: PASSWORD }, 400, 'validation_failed'],
      [{ email: `${'a'.repeat(320)}@example.com`, password: PASSWORD }, 400, 'validation_failed'],
      [{ email: ADA }, 400, 'validation_failed'],
      [{ email: ADA, password: PASSWORD, data: { name: 'a\u0000b' } }, 400, 'validation_failed'],
      [{ email: ADA, password: PASSWORD, data: { name: 'x'.repeat(20_000) } }, 400, 'validation_failed'],
      [{ email: ADA, password: PASSWORD, code_challenge: 'x'.repeat(50) }, 400, 'validation_failed'],
      [{ email: [ADA], password: PASSWORD }, 400, 'validation_failed'],
      [{ phone: '+15550100', password: PASSWORD }, 400, 'phone_provider_disabled'],
      [{ phone: '+15550100', email: ADA, password: PASSWORD }, 400, 'validation_failed'],
      [{}, 422, 'anonymous_provider_disabled'],
      [{ email: ADA, password: 'five5' }, 422, 'weak_password'],
      [{ email: ADA, password: 'x'.repeat(129) }, 422, 'weak_password'],
      [{ email: ADA, password: 'Password1' }, 422, 'weak_password'],
    ])('a sign-up with %j returns %i %s', async (payload, status, code) => {
      const app = await buildTestApp()
      expect(codeOf(await signUp(app, payload))).toEqual([status, code])
      const [row] = await app.database.sql<[{ n: number }]>`select count(*)::int as n from accounts`
      expect(row.n).toBe(1)
    })

    it('the official client gets the reason why a sign-up with a weak password is refused', async () => {
      const app = await buildTestApp()
      const client = await officialClient(app)
      const reasons = async (password: string) => {
        const { error } = await client.signUp({ email: ADA, password })
        return error instanceof AuthWeakPasswordError ? [...error.reasons, error.message] : error
      }
      expect(await reasons('five5')).toEqual(['length', 'Password should be at least 6 characters.'])
      expect(await reasons('x'.repeat(129))).toEqual(['length', 'Password should be at most 128 characters.'])
      expect(await reasons('password')).toEqual(['pwned', expect.stringContaining('weak and easy to guess')])
    })

    it('T4 a sign-up grants nothing that its metadata or other fields request', async () => {
      const app = await buildTestApp(open)
      const wishes = {
        role: 'owner',
        role_name: 'owner',
        permissions: { can_manage_users: true },
        system_access: true,
        is_active: true,
        approved_at: '2020-01-01T00:00:00Z',
        email_verified: true,
        sub: '01890000-0000-7000-8000-000000000000',
      }
      const answer = await signUp(app, {
        ...wishes,
        id: wishes.sub,
        password_hash: 'x',
        app_metadata: { role: 'owner' },
        email: ADA,
        password: PASSWORD,
        data: { ...wishes, full_name: 'Ada', app_metadata: { role: 'owner' }, Role: 'owner' },
      })
      const authorization = `Bearer ${answer.json<{ access_token: string }>().access_token}`
      const put = await app.http.inject({
        method: 'PUT',
        url: '/auth/v1/user',
        headers: { authorization, ...VERSION },
        payload: { ...wishes, data: { ...wishes, color: 'red' }, app_metadata: { role: 'owner' } },
      })
      const me = (await app.http.inject({ url: '/api/auth/me', headers: { authorization } })).json()
      const [row] = await app.database.sql`select * from accounts where email = ${ADA}`
      const [roles] = await app.database
        .sql`select count(*)::int as n from user_roles where user_id = ${me.id}`
      const changed = [
        me.role !== 'viewer',
        me.system_access,
        Object.keys(me.permissions).length !== 1,
        me.id === wishes.sub,
        row?.password_hash === 'x',
        'role' in (row?.app_metadata ?? {}),
        'role' in me.metadata || 'Role' in me.metadata || 'permissions' in me.metadata,
        roles?.n !== 0,
        put.json().user_metadata.sub !== me.id,
      ].filter(Boolean).length
      console.info(`T4 sign-up fields changed ${changed} of 9`)
      expect(changed).toBe(0)
      expect(me).toMatchObject({ full_name: 'Ada', metadata: { full_name: 'Ada', color: 'red' } })
    })
  })

  describe('sign-ups without permission', () => {
    it('a sign-up is refused with signup_disabled if sign-ups are closed', async () => {
      const app = await buildTestApp(closed)
      const answer = await signUp(app, { email: ADA, password: PASSWORD })
      expect(codeOf(answer)).toEqual([422, 'signup_disabled'])
      expect(answer.json().message).toBe('Signups not allowed for this instance')
    })

    it('a sign-up with a known email address gets the same response as with an unknown one, and changes nothing', async () => {
      const app = await buildTestApp()
      const before = await app.database.sql`select * from accounts`
      const answer = await signUp(app, { email: 'OWNER@pegasus.local', password: PASSWORD, data: { a: 1 } })
      expect(answer.statusCode).toBe(200)
      expect(answer.json()).toMatchObject({
        email: 'owner@pegasus.local',
        identities: [],
        role: '',
        user_metadata: { a: 1 },
      })
      expect(answer.json().id).not.toBe(before[0]?.id)
      expect(await app.database.sql`select * from accounts`).toEqual(before)
      expect(await mailsTo(app, 'owner@pegasus.local')).toEqual([])
    })

    it('T36 sign-ups whose addresses differ only in case, width or surrounding spaces create one account', async () => {
      const app = await buildTestApp(open)
      const spellings = [
        'admin@example.com',
        'ADMIN@example.com',
        ' Admin@Example.COM ',
        'ａｄｍｉｎ@example.com',
        'admin@ｅｘａｍｐｌｅ.com',
      ]
      const answers = await Promise.all(spellings.map((email) => signUp(app, { email, password: PASSWORD })))
      const made = answers.filter((answer) => answer.statusCode === 200).length
      const known = answers.filter((answer) => answer.json().code === 'user_already_exists').length
      for (const email of ['аdmin@example.com', 'admin\u200b@example.com', 'admın@example.com'])
        expect((await signUp(app, { email, password: PASSWORD })).statusCode).toBe(400)
      console.info(`T36 duplicates ${made - 1} of ${spellings.length + 3}`)
      expect([made, known]).toEqual([1, spellings.length - 1])
    })

    it('each email address, known or unknown, can sign up once per minute, and a refusal says when to try again', async () => {
      const app = await buildTestApp()
      for (const email of [ADA, 'owner@pegasus.local']) {
        expect((await signUp(app, { email, password: PASSWORD })).statusCode).toBe(200)
        app.clock.advance(20_000)
        const early = await signUp(app, { email, password: PASSWORD })
        expect(codeOf(early)).toEqual([429, 'over_email_send_rate_limit'])
        expect(early.headers['retry-after']).toBe('40')
        expect(early.json().message).toBe(
          'For security purposes, you can only request this after 40 seconds.',
        )
        app.clock.advance(40_000)
        expect((await signUp(app, { email, password: PASSWORD })).statusCode).toBe(200)
      }
    })

    it('the limit of sign-ups from an IP address does not affect sign-ins from that address', async () => {
      const app = await buildTestApp(open)
      const answers = await Promise.all(
        Array.from({ length: 65 }, (_, i) =>
          signUp(
            app,
            { email: `a${i}@example.com`, password: PASSWORD },
            { 'x-forwarded-for': `192.0.2.${i}` },
          ),
        ),
      )
      expect(answers.filter((answer) => answer.statusCode === 200)).toHaveLength(60)
      const refused = answers.find((answer) => answer.statusCode === 429)
      expect(refused?.json().code).toBe('over_request_rate_limit')
      expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0)
      expect((await signIn(app, 'a1@example.com', PASSWORD)).statusCode).not.toBe(429)
    })

    it('many sign-ups of one email address, from many IP addresses, create one account and send at most 60 emails an hour', async () => {
      const app = await buildTestApp()
      let refused = 0
      for (let sent = 0; sent < SIGN_UPS; sent += 50) {
        const answers = await Promise.all(
          Array.from({ length: 50 }, (_, i) => {
            const remoteAddress = `10.${Math.floor((sent + i) / 65_536)}.${Math.floor((sent + i) / 256) % 256}.${(sent + i) % 256}`
            const payload = { email: ADA, password: PASSWORD }
            return app.http.inject({ method: 'POST', url: '/auth/v1/signup', remoteAddress, payload })
          }),
        )
        refused += answers.filter(({ statusCode }) => statusCode === 429).length
        expect(answers.every(({ statusCode }) => [200, 429].includes(statusCode))).toBe(true)
      }
      const accounts = await app.database.sql`select id from accounts where email = ${ADA}`
      const mails = (await mailsTo(app, ADA)).length
      console.info(`${SIGN_UPS} sign-ups of one address: ${refused} refused, ${mails} emails`)
      expect(accounts).toHaveLength(1)
      expect(mails).toBeLessThanOrEqual(60)
      expect(refused).toBe(SIGN_UPS - mails)
    })

    it('T30 a wrong password does not reveal an account that is waiting for approval', async () => {
      const app = await buildTestApp()
      await signUp(app, { email: ADA, password: PASSWORD })
      const answers = [
        await signIn(app, ADA, 'a wrong password'),
        await signIn(app, 'nobody@example.com', 'a wrong password'),
      ].map((answer) => [answer.statusCode, answer.body])
      expect(answers[0]).toEqual(answers[1])
    })
  })
})
