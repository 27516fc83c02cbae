import { describe, expect, it } from 'vitest'
import { type TestApp, PASSWORD, buildTestApp } from '../../../test/support/build-test-app.ts'
import { readOutbox } from '../../../test/support/accounts/mails.ts'
import { officialClient } from '../../../test/support/accounts/official-client.ts'
import { PHONE, PHONES } from '../../../test/support/accounts/phones.ts'
import { aSmsServer } from '../../../test/servers/sms-server.ts'
import { MINUTE_MS } from '../clock.ts'

const WAIT = { timeout: 60_000 }

async function aProduct(variables: Record<string, string> = {}) {
  const server = await aSmsServer()
  const app = await buildTestApp({
    variables: { ...PHONES, SIGNUPS: 'open', ...server.variables, ...variables },
  })
  return { server, app }
}

const request = (app: TestApp, phone = PHONE) =>
  app.http.inject({ method: 'POST', url: '/auth/v1/otp', payload: { phone } })

describe('text messages through an SMS hook', () => {
  it('the text message program gets one signed call with the account, number and code, in the format of Supabase', async () => {
    const { server, app } = await aProduct()
    const client = await officialClient(app)
    await client.signUp({ phone: PHONE, password: PASSWORD })
    await expect.poll(() => server.taken.length, WAIT).toBe(1)
    const [call] = server.taken
    expect(call?.headers).toMatchObject({ 'content-type': 'application/json' })
    expect(call?.headers['webhook-id']).toBe(call?.body.metadata['uuid'])
    expect(call?.body.user).toMatchObject({ phone: PHONE, aud: 'authenticated' })
    expect(call?.body.sms).toMatchObject({ sms_type: 'confirmation', phone: PHONE })
    const otp = call?.body.sms['otp'] ?? ''
    expect(call?.body.sms['text']).toBe(`${otp} is your code for Pegasus Ops. Never pass it on.`)
    const { error } = await client.verifyOtp({ phone: PHONE, token: otp, type: 'sms' })
    expect(error).toBeNull()
    // A sent message is not in the outbox, and the task does not show its code.
    expect(await readOutbox(app)).toEqual([])
    const tasks = await app.database.sql`select data::text from pgboss.job where name = 'sms.send'`
    expect(tasks).toHaveLength(1)
    expect(JSON.stringify(tasks)).not.toContain(otp)
  })

  it('a failed call to the text message program is repeated under the same id, so that a code is sent once', async () => {
    const { server, app } = await aProduct({ GOTRUE_SMS_OTP_EXP: '600' })
    server.answer(503)
    await request(app)
    await expect.poll(() => server.calls(), WAIT).toBeGreaterThan(0)
    server.answer(200)
    await expect.poll(() => server.taken.length, WAIT).toBe(1)
    expect(await readOutbox(app)).toEqual([])
  })

  it.each([
    [400, {}, 'The program that sends messages responded with 400.'],
    [
      200,
      { error: { http_code: 422, message: 'No such number' } },
      'The program that sends messages responded with 422: No such number',
    ],
  ])(
    'a message that the SMS hook refuses with %i %j is kept for administrators',
    async (status, body, failure) => {
      const { server, app } = await aProduct()
      server.answer(status, body)
      expect((await request(app)).statusCode).toBe(200)
      await expect
        .poll(async () => (await readOutbox(app)).map((mail) => mail.failure), WAIT)
        .toEqual([failure])
      expect(server.calls()).toBe(1)
      expect((await readOutbox(app))[0]).toMatchObject({
        to: `+${PHONE}`,
        subject: 'Text message',
        links: [],
      })
    },
  )

  it('a message is not sent after its code has expired', async () => {
    const { server, app } = await aProduct()
    server.answer(503)
    await request(app)
    await expect.poll(() => server.calls(), WAIT).toBeGreaterThan(0)
    app.clock.advance(2 * MINUTE_MS)
    server.answer(200)
    await expect
      .poll(async () => (await readOutbox(app)).map((mail) => mail.failure), WAIT)
      .toEqual(['The code expired before the message could be sent.'])
    expect(server.taken).toEqual([])
  })
})
