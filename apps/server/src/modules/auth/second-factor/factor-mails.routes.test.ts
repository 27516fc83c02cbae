import { expect, it } from 'vitest'
import { buildTestApp } from '../../../../test/support/build-test-app.ts'
import { aMailServer } from '../../../../test/servers/mail-server.ts'
import { readOutbox } from '../../../../test/support/accounts/mails.ts'
import {
  anAccountWithFactor,
  callHosted,
  enroll,
  passSecondStep,
} from '../../../../test/support/accounts/second-factor.ts'

it('every change of a second factor is reported by an email that contains no secrets', async () => {
  const server = await aMailServer()
  const app = await buildTestApp({ variables: { SMTP_URL: server.url, MAIL_FROM: 'ops@example.com' } })
  const person = await anAccountWithFactor(app)
  const token = person.session.access_token
  const made = await callHosted(app, 'POST /factors/recovery-codes', token)
  const { codes } = made.json<{ codes: string[] }>()
  const oneStep = await app.signIn(person.username)
  await callHosted(app, 'POST /factors/recovery-codes/verify', oneStep, { payload: { code: codes[0] } })
  const second = await enroll(app, token, 'Tablet')
  const raised = await passSecondStep(app, token, second)
  await callHosted(app, `DELETE /factors/${person.factorId}`, raised.access_token)
  await callHosted(app, `DELETE /factors/${second.factorId}`, raised.access_token)
  const [row] = await app.database.sql<[{ id: string }]>`
    select id from accounts where username = ${person.username}`
  await passSecondStep(app, raised.access_token, await enroll(app, raised.access_token))
  const url = `/api/auth/users/${row.id}/factors`
  await app.http.inject({ method: 'DELETE', url, headers: await app.as('admin') })

  await expect.poll(() => server.received.length, { timeout: 20_000 }).toBe(7)
  const mails = server.received.map(({ to, source }) => ({
    to: to.join(),
    text: source.replaceAll(/\s+/g, ' '),
  }))
  const mailsOf = (words: string) => mails.filter(({ text }) => text.includes(words)).length
  expect({
    added: mailsOf('An authenticator app has been added'),
    used: mailsOf('9 codes are left'),
    oneRemoved: mailsOf('Your other second factors still work'),
    lastRemoved: mailsOf('signing in now requires only your password'),
    reset: mailsOf('An administrator has removed your second factors'),
    elsewhere: mails.filter(({ to }) => to !== person.email).length,
  }).toEqual({ added: 3, used: 1, oneRemoved: 1, lastRemoved: 1, reset: 1, elsewhere: 0 })
  const canaries = [person.secret, second.secret, ...codes]
  expect(canaries.filter((canary) => mails.some(({ text }) => text.includes(canary)))).toEqual([])
})

it('without a mail server, changes of a second factor add nothing to the outbox', async () => {
  const app = await buildTestApp()
  await anAccountWithFactor(app)
  expect(await readOutbox(app)).toEqual([])
})
