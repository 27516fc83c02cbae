import { expect, it } from 'vitest'
import { PASSWORD, type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'
import { DAY_MS, MINUTE_MS } from '../../../platform/clock.ts'

/** Requests a link for a new password. Returns 200, or the code of the error. */
async function recover(app: TestApp, email: string, remoteAddress: string): Promise<unknown> {
  const payload = { email }
  const answer = await app.http.inject({ method: 'POST', url: '/auth/v1/recover', remoteAddress, payload })
  return answer.statusCode === 200 ? 200 : answer.json().error_code
}

it('a stranger who requests emails for an address neither delays nor uses up the email requests of its owner', async () => {
  const app = await buildTestApp()
  const email = 'owner@pegasus.local'
  const ask = (remoteAddress: string) => recover(app, email, remoteAddress)
  for (let count = 0; count < 12; count += 1) {
    expect(await ask('203.0.113.9')).toBe(count < 10 ? 200 : 'over_email_send_rate_limit')
    app.clock.advance(MINUTE_MS)
  }
  expect([await ask('198.51.100.4'), await ask('198.51.100.4')]).toEqual([200, 'over_email_send_rate_limit'])
})

it('strangers in six networks do not use up the email requests of an owner who has signed in before', async () => {
  const app = await buildTestApp()
  const home = '198.51.100.4'
  const email = `${await app.anAccount('staff')}@example.com`
  await app.database.sql`update accounts set email_proved_at = now() where email = ${email}`
  const payload = { email, password: PASSWORD }
  const url = '/auth/v1/token?grant_type=password'
  await app.http.inject({ method: 'POST', url, remoteAddress: home, payload })

  for (let count = 0; count < 10; count += 1) {
    for (let network = 0; network < 6; network += 1)
      expect(await recover(app, email, `203.0.${network}.9`)).toBe(200)
    app.clock.advance(MINUTE_MS)
  }
  expect(await recover(app, email, '192.0.2.1')).toBe('over_email_send_rate_limit')
  expect(await recover(app, email, home)).toBe(200)
})

it('strangers do not use up the email requests of an owner whose session is older than the list of known IP addresses', async () => {
  const app = await buildTestApp()
  const home = '198.51.100.4'
  const email = `${await app.anAccount('staff')}@example.com`
  await app.database.sql`update accounts set email_proved_at = now() where email = ${email}`
  const token = async (grant: string, payload: Record<string, string>) => {
    const url = `/auth/v1/token?grant_type=${grant}`
    const answer = await app.http.inject({ method: 'POST', url, remoteAddress: home, payload })
    return answer.json<{ refresh_token: string }>().refresh_token
  }
  const first = await token('password', { email, password: PASSWORD })
  await app.database.sql`delete from known_addresses`
  const noted = async () => {
    const rows = await app.database.sql<{ at: Date | string }[]>`select at from known_addresses`
    return rows.map(({ at }) => new Date(at).getTime())
  }
  const second = await token('refresh_token', { refresh_token: first })
  const before = await noted()
  expect(before).toHaveLength(1)
  app.clock.advance(MINUTE_MS)
  const third = await token('refresh_token', { refresh_token: second })
  expect(await noted()).toEqual(before)

  for (let count = 0; count < 10; count += 1) {
    for (let network = 0; network < 6; network += 1) await recover(app, email, `203.0.${network}.9`)
    app.clock.advance(MINUTE_MS)
  }
  expect(await recover(app, email, home)).toBe(200)

  app.clock.advance(DAY_MS)
  await token('refresh_token', { refresh_token: third })
  expect((await noted())[0]).toBeGreaterThan(before[0] ?? 0)
})

it('after a sign-in to an account with an unverified address, the limit of email requests still applies to that IP address', async () => {
  const app = await buildTestApp()
  const home = '198.51.100.4'
  const email = `${await app.anAccount('viewer')}@example.com`
  await app.database.sql`update accounts set email_proved_at = null where email = ${email}`
  const payload = { email, password: PASSWORD }
  const url = '/auth/v1/token?grant_type=password'
  await app.http.inject({ method: 'POST', url, remoteAddress: home, payload })
  for (let count = 0; count < 10; count += 1) {
    for (let network = 0; network < 6; network += 1) await recover(app, email, `203.0.${network}.9`)
    app.clock.advance(MINUTE_MS)
  }
  expect(await recover(app, email, home)).toBe('over_email_send_rate_limit')
})
