import { type HostedSession, METADATA_MAX_BYTES } from '@pegasus/contracts/auth/hosted-auth'
import { describe, expect, it } from 'vitest'
import { PASSWORD, type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'
import { getMe } from '../../../../test/support/accounts/second-factor.ts'

/** An email address of about the maximum length that the database and mail servers accept. */
const EMAIL = `${'a'.repeat(64)}@${`${'b'.repeat(60)}.`.repeat(3)}example.com`
/** A note that makes the metadata as large as is allowed. Each of its characters takes four bytes. */
const largest = '🪐'.repeat((METADATA_MAX_BYTES - '{"note":""}'.length) / 4)

const signUp = (app: TestApp, data: object) =>
  app.http.inject({
    method: 'POST',
    url: '/auth/v1/signup',
    payload: { email: EMAIL, password: PASSWORD, data },
  })

const change = (app: TestApp, token: string, data: object) =>
  app.http.inject({
    method: 'PUT',
    url: '/auth/v1/user',
    headers: { authorization: `Bearer ${token}` },
    payload: { data },
  })

const errorOf = (answer: Awaited<ReturnType<typeof signUp>>) =>
  answer.json<{ error_code?: string }>().error_code

describe('the metadata of an account', () => {
  it('the metadata of an account never makes an access token too long, even after changes', async () => {
    const app = await buildTestApp({ variables: { SIGNUPS: 'open' } })
    expect(errorOf(await signUp(app, { note: `${largest}🪐` }))).toBe('validation_failed')
    const made = await signUp(app, { note: largest })
    expect(made.statusCode).toBe(200)
    const { access_token: token } = made.json<HostedSession>()
    expect((await getMe(app, token)).statusCode).toBe(200)
    expect(errorOf(await change(app, token, { more: 'x' }))).toBe('validation_failed')
    expect((await change(app, token, { note: null, more: 'x' })).statusCode).toBe(200)
    const again = await app.signIn(EMAIL)
    expect((await getMe(app, again)).json().metadata).toMatchObject({ more: 'x' })
  })
})
