import { describe, expect, it } from 'vitest'
import { PASSWORD, type TestApp, buildTestApp } from '../../../../../test/support/build-test-app.ts'
import { officialClient } from '../../../../../test/support/accounts/official-client.ts'
import {
  OTHER_PHONE,
  PHONE,
  PHONES,
  TYPED,
  codeTo,
  messagesTo,
  otherCode,
} from '../../../../../test/support/accounts/phones.ts'
import {
  anAccountWithFactor,
  callHosted,
  claimsOf,
  errorCodeOf,
  getMe,
} from '../../../../../test/support/accounts/second-factor.ts'
import { DAY_MS, MINUTE_MS } from '../../../../platform/clock.ts'

const withPhones = { variables: PHONES }

/** Enrolls a phone and verifies it. Returns the factor and the client, whose session is at aal2. */
async function anAccountWithPhone(app: TestApp) {
  const username = await app.anAccount('staff')
  const email = `${username}@example.com`
  const client = await officialClient(app)
  await client.signInWithPassword({ email, password: PASSWORD })
  const { data } = await client.mfa.enroll({ factorType: 'phone', phone: PHONE })
  const factorId = data?.id ?? ''
  const asked = await client.mfa.challenge({ factorId, channel: 'sms' })
  const challengeId = asked.data?.id ?? ''
  const verified = await client.mfa.verify({ factorId, challengeId, code: await codeTo(app, PHONE) })
  expect(verified.error).toBeNull()
  app.clock.advance(MINUTE_MS)
  return { username, email, client, factorId }
}

const challenge = (app: TestApp, token: string, factorId: string, payload: Record<string, unknown> = {}) =>
  callHosted(app, `POST /factors/${factorId}/challenge`, token, { payload })

const verify = async (app: TestApp, token: string, factorId: string, proof: Record<string, string>) =>
  errorCodeOf(await callHosted(app, `POST /factors/${factorId}/verify`, token, { payload: proof }))

describe('a phone as a second factor', () => {
  it('the official client enrolls, challenges, verifies, lists and removes a phone as second factor', async () => {
    const app = await buildTestApp(withPhones)
    const email = `${await app.anAccount('staff')}@example.com`
    const client = await officialClient(app)
    await client.signInWithPassword({ email, password: PASSWORD })
    const { data: made, error } = await client.mfa.enroll({
      factorType: 'phone',
      friendlyName: 'Mobile',
      phone: TYPED,
    })
    expect([error, made?.type, made?.friendly_name]).toEqual([null, 'phone', 'Mobile'])
    expect(made).toMatchObject({ phone: PHONE })
    const factorId = made?.id ?? ''
    expect(await messagesTo(app, PHONE)).toEqual([])
    const asked = await client.mfa.challenge({ factorId, channel: 'sms' })
    expect([asked.error, asked.data?.type]).toEqual([null, 'phone'])
    const code = await codeTo(app, PHONE)
    const stored = await app.database.sql`select * from challenges`
    expect(JSON.stringify(stored)).not.toContain(code)
    const verified = await client.mfa.verify({ factorId, challengeId: asked.data?.id ?? '', code })
    expect(verified.error).toBeNull()
    const claims = claimsOf(verified.data?.access_token ?? '')
    expect([claims.aal, claims.amr.map(({ method }) => method)]).toEqual(['aal2', ['mfa/phone', 'password']])
    const { data: listed } = await client.mfa.listFactors()
    expect(listed?.phone).toMatchObject([{ id: factorId, status: 'verified', phone: PHONE }])
    expect((await client.mfa.getAuthenticatorAssuranceLevel()).data).toMatchObject({ currentLevel: 'aal2' })
    expect((await client.mfa.unenroll({ factorId })).error).toBeNull()
    expect((await client.mfa.listFactors()).data?.all).toEqual([])
  })

  it('a sign-in to an account with a second-factor phone needs a code, and its session grants no access before that', async () => {
    const app = await buildTestApp(withPhones)
    const { username, factorId } = await anAccountWithPhone(app)
    const token = await app.signIn(username)
    expect((await getMe(app, token)).statusCode).toBe(403)
    const asked = await challenge(app, token, factorId, { channel: 'sms' })
    const challenge_id = asked.json<{ id: string }>().id
    const code = await codeTo(app, PHONE)
    expect(await verify(app, token, factorId, { challenge_id, code: otherCode(code) })).toBe(
      '422 mfa_verification_failed',
    )
    expect(await verify(app, token, factorId, { challenge_id, code })).toBe('200')
    // A challenge and its code can be used only once.
    expect(await verify(app, token, factorId, { challenge_id, code })).toBe('422 mfa_ip_address_mismatch')
  })

  it('a phone code is refused for another challenge, after five wrong codes on any replica, and after five minutes', async () => {
    const app = await buildTestApp(withPhones)
    const other = await app.replica()
    const { username, factorId } = await anAccountWithPhone(app)
    const token = await app.signIn(username)
    const ask = async () => {
      const { id } = (await challenge(app, token, factorId)).json<{ id: string }>()
      return { challenge_id: id, code: await codeTo(app, PHONE) }
    }
    const first = await ask()
    app.clock.advance(MINUTE_MS)
    const second = await ask()
    if (first.code !== second.code)
      expect(await verify(other, token, factorId, { ...second, code: first.code })).toBe(
        '422 mfa_verification_failed',
      )
    for (let guess = 0; guess < 5; guess += 1)
      expect(await verify(other, token, factorId, { ...second, code: otherCode(second.code) })).toBe(
        '422 mfa_verification_failed',
      )
    expect(await verify(app, token, factorId, second)).toBe('422 mfa_verification_failed')
    app.clock.advance(5 * MINUTE_MS)
    expect(await verify(app, token, factorId, first)).toBe('422 mfa_challenge_expired')
    const third = await ask()
    expect(await verify(other, token, factorId, third)).toBe('200')
  })

  it('an account with a second-factor phone gets at most one text message a minute and 20 a day', async () => {
    const app = await buildTestApp(withPhones)
    const { username, factorId } = await anAccountWithPhone(app)
    const token = await app.signIn(username)
    const results: string[] = []
    for (let asked = 0; asked < 22; asked += 1) {
      results.push(errorCodeOf(await challenge(app, token, factorId)))
      if (asked === 0) {
        const again = await challenge(app, token, factorId)
        expect([errorCodeOf(again), again.headers['retry-after']]).toEqual([
          '429 over_sms_send_rate_limit',
          '60',
        ])
      }
      app.clock.advance(2 * MINUTE_MS)
    }
    // This count includes the message from the enrollment.
    const sent = (await messagesTo(app, PHONE)).length
    console.info(`Phone factors: messages sent ${sent} of 23 in 44 minutes`)
    expect([sent, results.at(-1)]).toEqual([20, '429 over_sms_send_rate_limit'])
    app.clock.advance(DAY_MS + MINUTE_MS)
    expect(errorCodeOf(await challenge(app, await app.signIn(username), factorId))).toBe('200')
  })

  it('the phone number of an account cannot be its second factor, and a second-factor phone cannot become its number', async () => {
    const app = await buildTestApp(withPhones)
    const { client } = await anAccountWithPhone(app)
    expect((await client.updateUser({ phone: PHONE })).error?.message).toMatch(/second factor|phone factor/)
    const email = `${await app.anAccount('staff')}@example.com`
    const other = await officialClient(app)
    await other.signInWithPassword({ email, password: PASSWORD })
    expect((await other.updateUser({ phone: OTHER_PHONE })).error).toBeNull()
    const { data: made } = await other.mfa.enroll({ factorType: 'phone', phone: OTHER_PHONE })
    app.clock.advance(MINUTE_MS)
    const asked = await other.mfa.challenge({ factorId: made?.id ?? '', channel: 'sms' })
    const code = await codeTo(app, OTHER_PHONE)
    await other.mfa.verify({ factorId: made?.id ?? '', challengeId: asked.data?.id ?? '', code })
    app.clock.advance(MINUTE_MS)
    // The account requested this change of number before the phone became a factor.
    await other.resend({ type: 'phone_change', phone: OTHER_PHONE })
    const token = await codeTo(app, OTHER_PHONE)
    const changed = await other.verifyOtp({ phone: OTHER_PHONE, token, type: 'phone_change' })
    expect(changed.error?.status).toBe(422)
    const third = await officialClient(app)
    const name = await app.anAccount('staff')
    await app.database.sql`
      update accounts set phone = '15555550177', phone_confirmed_at = now(), phone_proved_at = now()
      where username = ${name}`
    await third.signInWithPassword({ email: `${name}@example.com`, password: PASSWORD })
    const own = await third.mfa.enroll({ factorType: 'phone', phone: '15555550177' })
    expect([own.error?.status, own.error?.message]).toEqual([
      422,
      'The phone number of the account cannot be a second factor too',
    ])
  })

  it('neither a person who knows the password nor other accounts can prevent the owner from passing the second step', async () => {
    const app = await buildTestApp({ variables: { ...PHONES, GOTRUE_RATE_LIMIT_SMS_SENT: '1' } })
    const { username, factorId } = await anAccountWithPhone(app)
    const token = await app.signIn(username)
    const before = (await messagesTo(app, PHONE)).length
    const thief = (ip: string) =>
      callHosted(app, `POST /factors/${factorId}/challenge`, token, { ip, payload: {} })
    for (let minute = 0; minute < 25; minute += 1) {
      await thief('203.0.113.1')
      app.clock.advance(MINUTE_MS)
    }
    const forOne = (await messagesTo(app, PHONE)).length - before
    for (let minute = 0; minute < 25; minute += 1) {
      await thief(`203.0.113.${minute}`)
      app.clock.advance(MINUTE_MS)
    }
    const forAll = (await messagesTo(app, PHONE)).length - before
    console.info(`Phone factors: messages to a thief of the password ${forOne} of 25 and ${forAll} of 50`)
    expect([forOne, forAll]).toEqual([5, 10])
    const own = await app.signIn(username)
    await thief('203.0.113.77')
    const asked = await challenge(app, own, factorId)
    const proof = { challenge_id: asked.json<{ id: string }>().id, code: await codeTo(app, PHONE) }
    expect(await verify(app, own, factorId, proof)).toBe('200')
  })

  it('a phone can be enrolled as second factor only with a valid, new number, in a session that has passed the second step', async () => {
    const app = await buildTestApp(withPhones)
    const { client, username } = await anAccountWithPhone(app)
    const enroll = async (phone: string, friendlyName = 'Other') =>
      (await client.mfa.enroll({ factorType: 'phone', phone, friendlyName })).error?.code ?? null
    expect(await enroll('0301 555')).toBe('validation_failed')
    expect(await enroll('')).toBe('validation_failed')
    expect(await enroll(PHONE)).toBe('mfa_verified_factor_exists')
    expect(await enroll(OTHER_PHONE)).toBeNull()
    // A new enrollment replaces one that was never verified.
    expect(await enroll(OTHER_PHONE)).toBeNull()
    expect((await client.mfa.listFactors()).data?.all).toHaveLength(2)
    const oneStep = await app.signIn(username)
    const payload = { factor_type: 'phone', phone: '15555550109' }
    expect(errorCodeOf(await callHosted(app, 'POST /factors', oneStep, { payload }))).toBe(
      '403 insufficient_aal',
    )
    const app2 = await anAccountWithFactor(app)
    const whatsapp = await challenge(app, app2.session.access_token, app2.factorId, { channel: 'whatsapp' })
    expect(errorCodeOf(whatsapp)).toBe('400 validation_failed')
  })

  it('if text messages are not configured, phones can be neither enrolled nor verified as second factors', async () => {
    const app = await buildTestApp({
      variables: { ...PHONES, GOTRUE_MFA_PHONE_VERIFY_ENABLED: 'false' },
    })
    const token = await app.signIn(await app.anAccount('viewer'))
    const payload = { factor_type: 'phone', phone: PHONE }
    const made = await callHosted(app, 'POST /factors', token, { payload })
    const refused = await challenge(app, token, made.json<{ id: string }>().id)
    expect([errorCodeOf(refused), refused.json().message]).toEqual([
      '422 mfa_phone_verify_not_enabled',
      'MFA verification is disabled for Phone',
    ])
    expect(await messagesTo(app, PHONE)).toEqual([])
    const off = await buildTestApp()
    const other = await off.signIn(await off.anAccount('viewer'))
    const disabled = await callHosted(off, 'POST /factors', other, { payload })
    expect(errorCodeOf(disabled)).toBe('422 mfa_phone_enroll_not_enabled')
    expect((await off.http.inject('/api/config')).json()).toMatchObject({ phone_factors: false })
  })
})
