import { describe, expect, it } from 'vitest'
import { SECOND_MS } from '../../src/platform/clock.ts'
import { PASSWORD, type TestApp, buildTestApp } from '../support/build-test-app.ts'

const signIn = async (app: TestApp, username: string, password: string) => {
  const payload = { username, password }
  const { statusCode, headers } = await app.http.inject({ method: 'POST', url: '/auth/login', payload })
  return { statusCode, retryAfter: headers['retry-after'] }
}

const recover = async (app: TestApp, email: string) => {
  const { statusCode, headers } = await app.http.inject({
    method: 'POST',
    url: '/auth/v1/recover',
    payload: { email },
  })
  return { statusCode, retryAfter: headers['retry-after'] }
}

describe('limits that the operator configures', () => {
  it('the configured limits for failed sign-ins apply to each account and to each IP address', async () => {
    const variables = { SIGN_IN_LIMIT_PER_ACCOUNT: '2', SIGN_IN_LIMIT_PER_ADDRESS: '3' }
    const app = await buildTestApp({ variables })
    const [first, second] = [await app.anAccount('viewer'), await app.anAccount('viewer')]
    const refused = { statusCode: 429, retryAfter: String(15 * 60) }
    for (let failures = 0; failures < 2; failures += 1)
      expect((await signIn(app, first, 'a wrong one')).statusCode).toBe(401)
    expect(await signIn(app, first, PASSWORD)).toEqual(refused)
    expect((await signIn(app, second, PASSWORD)).statusCode).toBe(200)
    expect((await signIn(app, second, 'a wrong one')).statusCode).toBe(401)
    expect(await signIn(app, second, PASSWORD)).toEqual(refused)
    app.clock.advance(15 * 60 * SECOND_MS)
    expect((await signIn(app, first, PASSWORD)).statusCode).toBe(200)
  })

  it('the configured interval between two emails to an address is kept, even after the cleanup has run', async () => {
    const app = await buildTestApp({ variables: { MAIL_INTERVAL_SECONDS: '300' } })
    const email = `${await app.anAccount('viewer')}@example.com`
    expect((await recover(app, email)).statusCode).toBe(200)
    app.clock.advance(61 * SECOND_MS)
    await app.cleanup.run()
    expect(await recover(app, email)).toEqual({ statusCode: 429, retryAfter: '239' })
    app.clock.advance(239 * SECOND_MS)
    expect((await recover(app, email)).statusCode).toBe(200)
  })
})
