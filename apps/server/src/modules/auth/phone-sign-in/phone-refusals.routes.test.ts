import { describe, expect, it } from 'vitest'
import { PASSWORD, type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'
import { officialClient } from '../../../../test/support/accounts/official-client.ts'
import {
  OTHER_PHONE,
  PHONE,
  PHONES,
  accountOf,
  codeTo,
  messagesTo,
  otherCode,
} from '../../../../test/support/accounts/phones.ts'
import { type Answer, errorCodeOf } from '../../../../test/support/accounts/second-factor.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../platform/clock.ts'

const approval = { variables: PHONES }
const open = { variables: { ...PHONES, SIGNUPS: 'open' } }
const closed = { variables: { ...PHONES, SIGNUPS: 'closed' } }

/** Calls the hosted auth protocol from an IP address, without a session. */
const call = (
  app: TestApp,
  path: string,
  payload: Record<string, unknown>,
  ip = '127.0.0.1',
): Promise<Answer> =>
  app.http.inject({
    method: 'POST',
    url: `/auth/v1${path}`,
    remoteAddress: ip,
    headers: { 'x-supabase-api-version': '2024-01-01' },
    payload,
  })

const PHONE_CALLS: [path: string, payload: Record<string, unknown>][] = [
  ['/otp', { phone: PHONE }],
  ['/signup', { phone: PHONE, password: PASSWORD }],
  ['/token?grant_type=password', { phone: PHONE, password: PASSWORD }],
  ['/resend', { type: 'sms', phone: PHONE }],
  ['/resend', { type: 'phone_change', phone: PHONE }],
]

describe('phone sign-in while phone numbers are disabled', () => {
  it.each(PHONE_CALLS)('POST %s with %j is refused, and no text message is sent', async (path, payload) => {
    const app = await buildTestApp()
    expect(errorCodeOf(await call(app, path, payload))).toBe('400 phone_provider_disabled')
    expect([await accountOf(app, PHONE), await messagesTo(app, PHONE)]).toEqual([null, []])
  })

  it('if phones are disabled, no code is valid, no number can be added, and /settings reports phone: false', async () => {
    const app = await buildTestApp()
    const verified = await call(app, '/verify', { type: 'sms', phone: PHONE, token: '123456' })
    expect([errorCodeOf(verified), verified.json().message]).toEqual([
      '403 otp_expired',
      'Token has expired or is invalid',
    ])
    const client = await officialClient(app)
    await client.signInWithPassword({
      email: `${await app.anAccount('viewer')}@example.com`,
      password: PASSWORD,
    })
    expect((await client.updateUser({ phone: PHONE })).error?.code).toBe('phone_provider_disabled')
    const settings = async (from: TestApp) => (await from.http.inject('/auth/v1/settings')).json()
    expect((await settings(app)).external.phone).toBe(false)
    expect(await settings(await buildTestApp(open))).toMatchObject({
      external: { phone: true },
      phone_autoconfirm: false,
    })
  })
})

describe('invalid phone number requests', () => {
  it.each([
    ['/otp', { phone: '12' }, '400 validation_failed'],
    ['/otp', { phone: '00493012345678' }, '400 validation_failed'],
    ['/otp', { phone: '+1555555010012345' }, '400 validation_failed'],
    ['/otp', { phone: '+1555555x0100' }, '400 validation_failed'],
    ['/otp', { phone: '1555\u0000555010' }, '400 validation_failed'],
    ['/otp', { phone: PHONE, channel: 'whatsapp' }, '400 validation_failed'],
    ['/otp', { phone: PHONE, email: 'a@example.com' }, '400 validation_failed'],
    ['/otp', { phone: [PHONE] }, '400 validation_failed'],
    ['/signup', { phone: 'no number', password: PASSWORD }, '400 validation_failed'],
    ['/signup', { phone: PHONE, password: PASSWORD, channel: 'whatsapp' }, '400 validation_failed'],
    ['/signup', { phone: PHONE, email: 'a@example.com', password: PASSWORD }, '400 validation_failed'],
    [
      '/signup',
      { phone: PHONE, password: PASSWORD, code_challenge: 'x'.repeat(43), code_challenge_method: 's256' },
      '400 validation_failed',
    ],
    ['/signup', { phone: PHONE }, '400 validation_failed'],
    ['/signup', { phone: PHONE, password: 'five5' }, '422 weak_password'],
    ['/token?grant_type=password', { phone: 'x', password: PASSWORD }, '400 invalid_credentials'],
    ['/token?grant_type=password', { phone: 'a\u0000', password: PASSWORD }, '400 invalid_credentials'],
    ['/token?grant_type=password', { phone: PHONE }, '400 invalid_credentials'],
    ['/verify', { type: 'sms', phone: 'x', token: '123456' }, '400 validation_failed'],
    ['/verify', { type: 'sms', phone: PHONE }, '400 validation_failed'],
    ['/verify', { type: 'email', phone: PHONE, token: '123456' }, '400 validation_failed'],
    ['/verify', { type: 'sms', email: 'a@example.com', token: '123456' }, '400 validation_failed'],
    [
      '/verify',
      { type: 'sms', phone: PHONE, email: 'a@example.com', token: '123456' },
      '400 validation_failed',
    ],
    ['/verify', { type: 'sms', phone: PHONE, token: '123456' }, '403 otp_expired'],
    ['/verify', { type: 'phone_change', phone: PHONE, token: '123456' }, '403 otp_expired'],
    ['/resend', { type: 'signup', phone: PHONE }, '400 validation_failed'],
    ['/resend', { type: 'sms', email: 'a@example.com' }, '400 validation_failed'],
    ['/resend', { type: 'sms', phone: 'x' }, '400 validation_failed'],
    ['/resend', { type: 'sms', phone: PHONE, email: 'a@example.com' }, '400 validation_failed'],
  ] as [string, Record<string, unknown>, string][])(
    'POST %s with %j returns %s',
    async (path, payload, expectedCode) => {
      const app = await buildTestApp(approval)
      expect(errorCodeOf(await call(app, path, payload))).toBe(expectedCode)
      expect(await messagesTo(app, PHONE)).toEqual([])
    },
  )

  it('the error for a missing code or an invalid phone number names the mistake', async () => {
    const app = await buildTestApp(approval)
    const alone = await call(app, '/verify', { type: 'sms', phone: PHONE })
    expect(alone.json().message).toBe('Verify requires either a token or a token hash')
    const bad = await call(app, '/otp', { phone: '0301' })
    expect(bad.json().message).toBe('Invalid phone number format (E.164 required)')
  })

  it('a sign-up by phone is refused if sign-ups are closed, and an unknown number is refused if sign-ups are open', async () => {
    const shut = await buildTestApp(closed)
    const refused = await call(shut, '/signup', { phone: PHONE, password: PASSWORD })
    expect(errorCodeOf(refused)).toBe('422 signup_disabled')
    const app = await buildTestApp(open)
    const unknown = await call(app, '/otp', { phone: PHONE, create_user: false })
    expect(errorCodeOf(unknown)).toBe('422 otp_disabled')
  })
})

describe('phone number requests without permission', () => {
  it('T30 every number gets the same response when requesting a code, but only accounts that may sign in get the code', async () => {
    const app = await buildTestApp(closed)
    const [known, waiting, gone, unknown] = [
      '15555550101',
      '15555550102',
      '15555550103',
      '15555550104',
    ] as const
    const numbers = [known, waiting, gone, unknown]
    for (const [phone, options] of [
      [known, {}],
      [waiting, { approved: false }],
      [gone, { isActive: false }],
    ] as const) {
      const username = await app.anAccount('staff', options)
      await app.database.sql`
        update accounts set phone = ${phone}, phone_confirmed_at = now(), phone_proved_at = now()
        where username = ${username}`
    }
    const answers = new Set<string>()
    for (const phone of numbers)
      for (const [path, payload] of [
        ['/otp', { phone }],
        ['/resend', { type: 'sms', phone }],
        ['/resend', { type: 'phone_change', phone }],
      ] as const) {
        const answer = await call(app, path, payload)
        answers.add(`${path} ${answer.statusCode} ${answer.body}`)
        const again = await call(app, path, payload)
        expect([errorCodeOf(again), again.headers['retry-after']]).toEqual([
          '429 over_sms_send_rate_limit',
          '60',
        ])
        app.clock.advance(5 * MINUTE_MS)
      }
    console.info(`T30 differences of a request for a code by phone ${answers.size - 2} of 12`)
    expect([...answers].sort()).toEqual(['/otp 200 {}', '/resend 200 {}'])
    expect(await messagesTo(app, known)).toHaveLength(1)
    for (const phone of [waiting, gone, unknown]) expect(await messagesTo(app, phone)).toEqual([])
  })

  it('a phone code is refused after five wrong codes or for another number, and is stored only as a hash', async () => {
    const app = await buildTestApp(open)
    await call(app, '/otp', { phone: PHONE })
    await call(app, '/otp', { phone: OTHER_PHONE })
    const code = await codeTo(app, PHONE)
    const rows = await app.database.sql`select * from one_time_tokens`
    expect(JSON.stringify(rows)).not.toContain(code)
    const verify = async (phone: string, token: string) =>
      errorCodeOf(await call(app, '/verify', { type: 'sms', phone, token }))
    const foreign = await codeTo(app, OTHER_PHONE)
    if (foreign !== code) expect(await verify(PHONE, foreign)).toBe('403 otp_expired')
    for (let guess = 0; guess < 5; guess += 1)
      expect(await verify(PHONE, otherCode(code))).toBe('403 otp_expired')
    expect(await verify(PHONE, code)).toBe('403 otp_expired')
    expect(await verify(OTHER_PHONE, foreign)).toBe('200')
  })

  it('at most 60 wrong phone codes from one IP address are checked in 15 minutes', async () => {
    const app = await buildTestApp(open)
    const results: string[] = []
    for (let guess = 0; guess < 62; guess += 1)
      results.push(errorCodeOf(await call(app, '/verify', { type: 'sms', phone: PHONE, token: '123456' })))
    const judged = results.filter((each) => each === '403 otp_expired').length
    console.info(`Codes by phone: wrong codes judged ${judged} of 62`)
    expect(judged).toBe(60)
    expect(results.at(-1)).toBe('429 over_request_rate_limit')
  })

  it('the number of text messages is limited for each phone number, for each IP address, and for the whole instance', async () => {
    const number = (index: number): string => `1555555${String(1000 + index)}`
    const sent = async (app: TestApp): Promise<number> => {
      const [row] = await app.database.sql<[{ n: number }]>`
        select count(*)::int as n from outbox_mails where subject = 'Text message'`
      return row.n
    }
    // First limit: requests for one number from many IP addresses.
    const app = await buildTestApp({ variables: { ...open.variables, GOTRUE_RATE_LIMIT_SMS_SENT: '1000' } })
    for (let index = 0; index < 15; index += 1) {
      await call(app, '/otp', { phone: PHONE }, `198.51.100.${index + 1}`)
      app.clock.advance(2 * MINUTE_MS)
    }
    const toOneNumber = await sent(app)
    // Second limit: requests for many numbers from one IP address.
    for (let index = 0; index < 30; index += 1)
      await call(app, '/otp', { phone: number(index) }, '203.0.113.9')
    const fromOneAddress = (await sent(app)) - toOneNumber
    const refused = await call(app, '/otp', { phone: number(99) }, '203.0.113.9')
    expect(errorCodeOf(refused)).toBe('429 over_sms_send_rate_limit')
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    // Third limit: requests for many numbers from many IP addresses.
    const small = await buildTestApp({ variables: { ...open.variables, GOTRUE_RATE_LIMIT_SMS_SENT: '12' } })
    for (let index = 0; index < 20; index += 1)
      await call(small, '/otp', { phone: number(index) }, `198.51.100.${index + 1}`)
    const ofTheInstance = await sent(small)
    console.info(
      `SMS pumping: sent to one number ${toOneNumber} of 15, for one address ${fromOneAddress} of 30, by the instance ${ofTheInstance} of 20`,
    )
    expect([toOneNumber, fromOneAddress, ofTheInstance]).toEqual([10, 20, 12])
    // All limits end after some time.
    small.clock.advance(HOUR_MS + MINUTE_MS)
    expect(errorCodeOf(await call(small, '/otp', { phone: number(50) }))).toBe('200')
    app.clock.advance(DAY_MS + MINUTE_MS)
    expect(errorCodeOf(await call(app, '/otp', { phone: PHONE }))).toBe('200')
  })

  it('strangers who use up the messages of the instance do not affect the messages of signed-in people', async () => {
    const app = await buildTestApp({ variables: { ...open.variables, GOTRUE_RATE_LIMIT_SMS_SENT: '2' } })
    for (const phone of ['15555551001', '15555551002']) await call(app, '/otp', { phone })
    expect(errorCodeOf(await call(app, '/otp', { phone: '15555551003' }))).toBe(
      '429 over_sms_send_rate_limit',
    )
    const client = await officialClient(app)
    await client.signInWithPassword({
      email: `${await app.anAccount('viewer')}@example.com`,
      password: PASSWORD,
    })
    expect((await client.updateUser({ phone: PHONE })).error).toBeNull()
    expect((await client.updateUser({ phone: PHONE })).error?.code).toBe('over_sms_send_rate_limit')
  })
})
