import { describe, expect, it } from 'vitest'
import { PASSWORD, type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'
import {
  PHONE,
  PHONES,
  accountOf,
  codeTo,
  messagesTo,
  otherCode,
} from '../../../../test/support/accounts/phones.ts'
import { type Answer, callHosted, errorCodeOf } from '../../../../test/support/accounts/second-factor.ts'
import { HOUR_MS, MINUTE_MS } from '../../../platform/clock.ts'

const [HOME, TRAVEL, STRANGER] = ['192.0.2.1', '192.0.2.2', '203.0.113.1']
const NEXT = 'another decent passphrase'
const open = { ...PHONES, SIGNUPS: 'open' }

const call = (app: TestApp, path: string, ip: string, payload: Record<string, unknown>): Promise<Answer> =>
  callHosted(app, `POST ${path}`, '', { payload, ip })
const ask = async (app: TestApp, ip: string, phone = PHONE) =>
  errorCodeOf(await call(app, '/otp', ip, { phone }))
const verify = async (app: TestApp, ip: string, token: string, phone = PHONE) =>
  errorCodeOf(await call(app, '/verify', ip, { type: 'sms', phone, token }))
const signInBy = async (app: TestApp, ip: string, phone = PHONE) =>
  errorCodeOf(await call(app, '/token?grant_type=password', ip, { phone, password: PASSWORD }))

/** Creates an account with a phone number that was verified by a code at the IP address HOME. */
async function anOwner(app: TestApp, phone = PHONE): Promise<void> {
  const username = await app.anAccount('staff')
  await app.database.sql`
    update accounts set phone = ${phone}, phone_confirmed_at = now(), phone_proved_at = now()
    where username = ${username}`
  expect(await ask(app, HOME, phone)).toBe('200')
  expect(await verify(app, HOME, await codeTo(app, phone), phone)).toBe('200')
  app.clock.advance(MINUTE_MS)
}

const number = (index: number): string => `1555555${String(1000 + index)}`

describe('strangers do not lock people out of sign-in by phone', () => {
  it('strangers can use up neither the codes of a person at a known address nor the codes of all new addresses', async () => {
    const app = await buildTestApp({ variables: { ...PHONES, SIGNUPS: 'closed' } })
    await anOwner(app)
    const before = (await messagesTo(app, PHONE)).length
    for (let minute = 0; minute < 30; minute += 1) {
      await ask(app, STRANGER)
      app.clock.advance(MINUTE_MS)
    }
    const forOne = (await messagesTo(app, PHONE)).length - before
    // The owner requests a code at an IP address that is not known yet.
    expect([await ask(app, STRANGER), await ask(app, TRAVEL)]).toEqual([
      '429 over_sms_send_rate_limit',
      '200',
    ])
    app.clock.advance(MINUTE_MS)
    for (let index = 2; index < 42; index += 1) {
      await ask(app, `203.0.113.${index}`)
      app.clock.advance(MINUTE_MS)
    }
    const forAll = (await messagesTo(app, PHONE)).length - before
    const results: string[] = []
    for (let turn = 0; turn < 5; turn += 1) {
      await ask(app, `203.0.113.${60 + turn}`)
      results.push(await ask(app, HOME))
      results.push(await verify(app, HOME, await codeTo(app, PHONE)))
      app.clock.advance(MINUTE_MS)
    }
    // The counts include one message to the owner, from before the owner's IP address was known.
    console.info(
      `Lock-out by phone: sent ${forOne} of 31 for one address, ${forAll} of 71 for 42 addresses; the owner signed in ${results.filter((each) => each === '200').length / 2} of 5 times`,
    )
    expect([forOne, forAll, ...new Set(results)]).toEqual([5, 9, '200'])
  })

  it('requests that are refused because of the minimum interval do not count towards the daily limit', async () => {
    const app = await buildTestApp({ variables: { ...PHONES, SIGNUPS: 'closed' } })
    for (let again = 0; again < 12; again += 1) await ask(app, TRAVEL)
    app.clock.advance(MINUTE_MS)
    expect(await ask(app, TRAVEL)).toBe('200')
  })

  it('wrong codes from other addresses do not invalidate a code for the person who requested it', async () => {
    const app = await buildTestApp({ variables: { ...PHONES, SIGNUPS: 'closed' } })
    await anOwner(app)
    await ask(app, TRAVEL)
    const code = await codeTo(app, PHONE)
    for (let guess = 0; guess < 12; guess += 1)
      expect(await verify(app, `203.0.113.${guess}`, otherCode(code))).toBe('403 otp_expired')
    // A stranger who has used up the guesses is refused even with the right code.
    expect(await verify(app, STRANGER, code)).toBe('403 otp_expired')
    expect(await verify(app, TRAVEL, code)).toBe('200')
  })

  it('the limit for the instance counts only sent messages, and the limit for strangers does not affect people at known addresses', async () => {
    const app = await buildTestApp({ variables: { ...PHONES, GOTRUE_RATE_LIMIT_SMS_SENT: '6' } })
    await anOwner(app)
    for (let index = 0; index < 20; index += 1)
      await call(app, '/resend', `203.0.113.${index}`, { type: 'sms', phone: number(index) })
    expect(await ask(app, TRAVEL)).toBe('200')
    expect(await messagesTo(app, PHONE)).toHaveLength(2)
    app.clock.advance(MINUTE_MS)
    for (let index = 0; index < 20; index += 1)
      expect(await ask(app, `203.0.113.${index}`, number(index))).toBe('200')
    const [{ sent }] = await app.database.sql<[{ sent: number }]>`
      select count(*)::int as sent from outbox_mails where subject = 'Text message' and recipient <> ${`+${PHONE}`}`
    app.clock.advance(MINUTE_MS)
    // The response must not tell a stranger that no message is sent.
    expect(await ask(app, '192.0.2.77')).toBe('200')
    expect(await messagesTo(app, PHONE)).toHaveLength(2)
    expect(await ask(app, HOME)).toBe('200')
    expect(await verify(app, HOME, await codeTo(app, PHONE))).toBe('200')
    console.info(`Lock-out by phone: sent to strangers ${sent} of 20 with a limit of 6 for the instance`)
    expect(sent).toBe(4)
    app.clock.advance(HOUR_MS)
    expect(await ask(app, '192.0.2.78')).toBe('200')
    expect(await messagesTo(app, PHONE)).toHaveLength(4)
  })
})

describe('phone requests by signed-in people', () => {
  it('a code for a phone change counts towards the limit of the new number, even if the request names the old one', async () => {
    const app = await buildTestApp({ variables: open })
    for (let index = 0; index < 15; index += 1) {
      const username = await app.anAccount('viewer')
      await app.database.sql`
        update accounts set phone = ${number(index)}, phone_confirmed_at = now(), phone_proved_at = now(),
          new_phone = ${PHONE}
        where username = ${username}`
    }
    for (let index = 0; index < 15; index += 1) {
      const payload = { type: 'phone_change', phone: number(index) }
      expect((await call(app, '/resend', `203.0.113.${index}`, payload)).statusCode).toBe(200)
      app.clock.advance(MINUTE_MS)
    }
    console.info(
      `SMS pumping: sent to the new number of 15 accounts ${(await messagesTo(app, PHONE)).length} of 15`,
    )
    expect(await messagesTo(app, PHONE)).toHaveLength(10)
  })

  it('an account can test at most 20 phone numbers a day', async () => {
    const app = await buildTestApp({ variables: open })
    await anOwner(app)
    const token = await app.signIn(await app.anAccount('viewer'))
    const results: string[] = []
    for (let index = 0; index < 22; index += 1)
      results.push(errorCodeOf(await callHosted(app, 'PUT /user', token, { payload: { phone: PHONE } })))
    console.info(
      `Phones: numbers tested by one account ${results.filter((each) => each === '422 phone_exists').length} of 22`,
    )
    expect(results.filter((each) => each === '422 phone_exists')).toHaveLength(20)
    expect(results.at(-1)).toBe('429 over_sms_send_rate_limit')
    // The owner of the number still has all of the day's requests.
    expect(await ask(app, TRAVEL)).toBe('200')
  })
})

describe("a password that a stranger plants on another person's number", () => {
  it('a code confirms only the password that its user chose, never that of a stranger who signed up or asked again', async () => {
    const app = await buildTestApp({ variables: open })
    const signUp = (ip: string, password: string) => call(app, '/signup', ip, { phone: PHONE, password })
    await signUp(HOME, NEXT)
    app.clock.advance(MINUTE_MS)
    await signUp(STRANGER, PASSWORD)
    app.clock.advance(MINUTE_MS)
    await call(app, '/resend', STRANGER, { type: 'sms', phone: PHONE })
    expect(await verify(app, HOME, await codeTo(app, PHONE))).toBe('200')
    expect((await accountOf(app, PHONE))?.password_hash).toBeNull()
    expect(await signInBy(app, STRANGER)).toBe('400 invalid_credentials')
    // If somebody else requests the message again, the code still sets the password of the person who signed up.
    const other = await buildTestApp({ variables: open })
    await call(other, '/signup', HOME, { phone: PHONE, password: PASSWORD })
    other.clock.advance(MINUTE_MS)
    await call(other, '/resend', STRANGER, { type: 'sms', phone: PHONE })
    expect(await verify(other, HOME, await codeTo(other, PHONE))).toBe('200')
    expect(await signInBy(other, HOME)).toBe('200')
  })
})
