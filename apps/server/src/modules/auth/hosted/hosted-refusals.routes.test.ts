import { describe, expect, it } from 'vitest'
import { PASSWORD, type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'
import { officialClient } from '../../../../test/support/accounts/official-client.ts'
import { aServiceKey } from '../../../../test/support/accounts/service-keys.ts'
import { callHosted, errorCodeOf } from '../../../../test/support/accounts/second-factor.ts'

const SOME_ID = '01890000-0000-7000-8000-000000000000'

describe('features of the hosted auth protocol that Pegasus Ops does not offer', () => {
  it('the official client gets the errors of the protocol for unsupported hosted auth features', async () => {
    const app = await buildTestApp()
    const client = await officialClient(app)
    const refusals: unknown[] = []
    const collect = ({ error }: { error: unknown }): void => {
      const { status, code, message } = error as { status: number; code: string; message: string }
      refusals.push([status, code, message])
    }
    collect(await client.signInWithSSO({ domain: 'example.com' }))
    collect(await client.signInWithIdToken({ provider: 'google', token: 'a.b.c' }))
    collect(await client.signInWithOtp({ phone: '+15555550100' }))
    collect(
      await client.signInWithWeb3({
        chain: 'ethereum',
        message: 'm'.repeat(64),
        signature: `0x${'0'.repeat(130)}`,
      }),
    )
    await client.setSession(await sessionOf(app))
    collect(await client.linkIdentity({ provider: 'google', options: { skipBrowserRedirect: true } }))
    const { data } = await client.getUserIdentities()
    const [identity] = data?.identities ?? []
    if (!identity) throw new Error('an account without an identity')
    collect(await client.unlinkIdentity(identity))
    expect(refusals).toEqual([
      [404, 'saml_provider_disabled', 'SAML 2.0 is disabled'],
      [400, 'provider_disabled', 'Provider (issuer "google") is not enabled'],
      [400, 'phone_provider_disabled', 'Unsupported phone provider'],
      [422, 'web3_provider_disabled', 'Web3 provider is disabled'],
      [404, 'manual_linking_disabled', 'Manual linking is disabled'],
      [404, 'manual_linking_disabled', 'Manual linking is disabled'],
    ])
    // The account still has its only sign-in method.
    expect((await client.getUserIdentities()).data?.identities).toHaveLength(1)
  })

  it('unsupported hosted auth features are refused before the body is read, and need a session where the protocol needs one', async () => {
    const app = await buildTestApp()
    const sso = (payload: string) =>
      app.http.inject({
        method: 'POST',
        url: '/auth/v1/sso',
        headers: { 'content-type': 'application/json' },
        payload,
      })
    for (const payload of ['{}', '{', ''])
      expect((await sso(payload)).json()).toMatchObject({ error_code: 'saml_provider_disabled' })
    const authorize = await app.http.inject(
      '/auth/v1/authorize?provider=google&redirect_to=https://evil.example/',
    )
    expect([authorize.statusCode, authorize.headers.location, authorize.json()]).toMatchObject([
      400,
      undefined,
      { error_code: 'validation_failed', msg: 'Unsupported provider: provider is not enabled' },
    ])
    for (const route of ['GET /user/identities/authorize', `DELETE /user/identities/${SOME_ID}`])
      expect(errorCodeOf(await callHosted(app, route, 'garbage'))).toBe('403 bad_jwt')
  })

  it("the admin calls of the hosted auth protocol are refused for every session, including the owner's", async () => {
    const app = await buildTestApp()
    const token = await app.signIn(await app.anAccount('owner'))
    const routes = [
      'GET /admin/users',
      'POST /admin/users',
      `GET /admin/users/${SOME_ID}`,
      `PUT /admin/users/${SOME_ID}`,
      `DELETE /admin/users/${SOME_ID}`,
      `GET /admin/users/${SOME_ID}/factors`,
      'POST /admin/generate_link',
      'POST /invite',
    ]
    const refusals: Record<string, unknown> = {}
    for (const route of routes) {
      const [method, path] = route.split(' ')
      const stranger = await app.http.inject({ method: method as 'GET', url: `/auth/v1${path}` })
      const answer = await callHosted(app, route, token)
      refusals[route] = [
        errorCodeOf(answer),
        answer.json().message,
        stranger.statusCode,
        stranger.json().error_code,
      ]
    }
    const refused = ['403 not_admin', 'User not allowed', 401, 'no_authorization']
    expect(refusals).toEqual(Object.fromEntries(routes.map((route) => [route, refused])))
    const client = await officialClient(app, { headers: { Authorization: `Bearer ${token}` } })
    const { error } = await client.admin.listUsers()
    expect([error?.status, error?.code]).toEqual([403, 'not_admin'])
  })

  it('the official client gets the expected error for a missing session, a missing address and disabled wallets', async () => {
    const app = await buildTestApp({ variables: { GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED: 'true' } })
    const { key } = await aServiceKey(app, 'anon')
    const client = await officialClient(app, { headers: { apikey: key } })
    const enrolled = await client.mfa.enroll({ factorType: 'totp' })
    expect([enrolled.error?.status, enrolled.error?.message]).toEqual([
      401,
      'This endpoint requires a valid Bearer token',
    ])
    // If the program sends the key as a token, the error says that the key belongs to no account.
    const asToken = await officialClient(app, { headers: { Authorization: `Bearer ${key}` } })
    expect((await asToken.mfa.enroll({ factorType: 'totp' })).error?.code).toBe('bad_jwt')
    await client.signInAnonymously()
    expect((await client.reauthenticate()).error).toMatchObject({
      status: 400,
      message: 'Reauthentication requires the user to have an email or a phone number',
    })
    const bytes = new Uint8Array([1, 2, 3]) as unknown as string
    const wallet = { chain: 'ethereum', message: 'test message', signature: bytes } as const
    expect((await client.signInWithWeb3(wallet)).error?.message).toBe('Web3 provider is disabled')
    const enabled = await buildTestApp({ variables: { GOTRUE_EXTERNAL_WEB3_ETHEREUM_ENABLED: 'true' } })
    const { error } = await (await officialClient(enabled)).signInWithWeb3(wallet)
    expect(error?.status).toBe(400)
  })

  it('a request to an unknown hosted auth path gets an error code that Supabase clients handle', async () => {
    const app = await buildTestApp()
    expect(errorCodeOf(await callHosted(app, 'GET /nothing', 'garbage'))).toBe('404 validation_failed')
    expect(errorCodeOf(await callHosted(app, 'POST /user', 'garbage'))).toBe('404 validation_failed')
  })
})

/** Returns a session of an account that has an email identity, as it has after a sign-up. */
async function sessionOf(app: TestApp) {
  const username = await app.anAccount('staff')
  const url = '/auth/v1/token?grant_type=password'
  const payload = { email: `${username}@example.com`, password: PASSWORD }
  await app.database.sql`
    insert into identities (id, account_id, provider, provider_subject, identity_data)
    select ${crypto.randomUUID()}, id, 'email', id::text, '{}' from accounts where username = ${username}`
  const answer = await app.http.inject({ method: 'POST', url, payload })
  return answer.json<{ access_token: string; refresh_token: string }>()
}
