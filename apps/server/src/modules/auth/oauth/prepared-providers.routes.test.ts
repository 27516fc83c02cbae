import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { Browser } from '../../../../test/support/accounts/providers/browser.ts'
import { aPlainServer } from '../../../../test/support/accounts/providers/plain-server.ts'
import {
  CALLBACK,
  SITE,
  fragmentIn,
  isHome,
} from '../../../../test/support/accounts/providers/provider-app.ts'
import { type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'

const anAppFor = (name: string, { base, host }: { base: string; host: string }): Promise<TestApp> =>
  buildTestApp({
    variables: {
      PUBLIC_URL: SITE,
      SIGNUPS: 'open',
      SIGN_IN_PROVIDER_ALLOW: host,
      [`GOTRUE_EXTERNAL_${name}_ENABLED`]: 'true',
      [`GOTRUE_EXTERNAL_${name}_URL`]: base,
      [`GOTRUE_EXTERNAL_${name}_CLIENT_ID`]: 'our-id,another-id',
      [`GOTRUE_EXTERNAL_${name}_SECRET`]: 'our secret',
    },
  })

/**
 * Signs in through the provider and returns with a code. The result contains the request to the provider and the final
 * address of the browser.
 */
async function roundTrip(app: TestApp, provider: string, base: string) {
  const browser = new Browser(app)
  const asked = await browser.follow(
    `/auth/v1/authorize?provider=${provider}`,
    ({ origin }) => origin === base,
  )
  const back = `${CALLBACK}?${new URLSearchParams({ state: asked.searchParams.get('state') ?? '', code: 'a code' })}`
  return { asked, landed: await browser.follow(back, isHome) }
}

describe('the built-in sign-in providers', () => {
  it('a sign-in with GitHub uses the primary, verified address and ignores the address in the profile', async () => {
    const server = await aPlainServer(() => ({
      '/login/oauth/access_token': { access_token: 'gh-token', scope: 'user:email', token_type: 'bearer' },
      '/api/v3/user': {
        id: 583_231,
        login: 'octocat',
        name: null,
        email: 'shown@example.com',
        avatar_url: 'https://x.example/1',
      },
      '/api/v3/user/emails': [
        { email: 'other@example.com', primary: false, verified: true },
        { email: 'Octo@Example.com', primary: true, verified: true },
      ],
    }))
    const app = await anAppFor('GITHUB', server)
    const { asked, landed } = await roundTrip(app, 'github', server.base)
    expect(asked.pathname).toBe('/login/oauth/authorize')
    expect(Object.fromEntries(asked.searchParams)).toMatchObject({ client_id: 'our-id', scope: 'user:email' })
    expect(fragmentIn(landed)).toMatchObject({ provider_token: 'gh-token' })
    const rows = await app.database.sql`
      select a.email, i.provider, i.provider_subject, i.identity_data->>'user_name' as name
      from identities i join accounts a on a.id = i.account_id where i.provider = 'github'`
    expect(rows).toEqual([
      { email: 'octo@example.com', provider: 'github', provider_subject: '583231', name: 'octocat' },
    ])
    const exchange = server.reached.find(({ path }) => path === '/login/oauth/access_token')
    expect(exchange?.form).toMatchObject({
      grant_type: 'authorization_code',
      code: 'a code',
      redirect_uri: CALLBACK,
      client_id: 'our-id',
      client_secret: 'our secret',
    })
    expect(exchange?.form['code_verifier']).toHaveLength(43)
    const profile = server.reached.find(({ path }) => path === '/api/v3/user')
    expect(profile?.headers['authorization']).toBe('Bearer gh-token')
  })

  it.each([
    [
      'unverified',
      [{ email: 'octo@example.com', primary: true, verified: false }],
      'provider_email_needs_verification',
    ],
    ['missing', [], 'email_address_not_provided'],
  ])('GitHub: an %s primary address creates no account', async (_, emails, code) => {
    const server = await aPlainServer(() => ({
      '/login/oauth/access_token': { access_token: 'gh-token' },
      '/api/v3/user': { id: 1, login: 'octocat' },
      '/api/v3/user/emails': emails,
    }))
    const app = await anAppFor('GITHUB', server)
    const { landed } = await roundTrip(app, 'github', server.base)
    expect(fragmentIn(landed)).toMatchObject({ error_code: code })
  })

  it('GitHub: an error in a response with status 200 is treated as a failure', async () => {
    const server = await aPlainServer(() => ({
      '/login/oauth/access_token': { error: 'bad_verification_code' },
    }))
    const app = await anAppFor('GITHUB', server)
    const { landed } = await roundTrip(app, 'github', server.base)
    expect(fragmentIn(landed)).toMatchObject({ error: 'server_error', error_code: 'unexpected_failure' })
    expect(landed.href).not.toContain('bad_verification_code')
  })

  it("Discord: the provider's own field determines whether the address is verified", async () => {
    const server = await aPlainServer(() => ({
      '/api/oauth2/token': { access_token: 'dc-token', refresh_token: 'dc-refresh', token_type: 'Bearer' },
      '/api/users/@me': {
        id: '80351110224678912',
        username: 'nelly',
        global_name: 'Nelly',
        email: 'nelly@example.com',
        verified: true,
      },
    }))
    const app = await anAppFor('DISCORD', server)
    const { asked, landed } = await roundTrip(app, 'discord', server.base)
    expect(asked.searchParams.get('scope')).toBe('identify email')
    expect(fragmentIn(landed)).toMatchObject({
      provider_token: 'dc-token',
      provider_refresh_token: 'dc-refresh',
    })
    expect(await app.database.sql`select full_name from people where email = 'nelly@example.com'`).toEqual([
      { full_name: 'Nelly' },
    ])
  })

  it('a sign-in with Microsoft needs the issuer of the directory, and the claim that the directory has verified the address', async () => {
    const { privateKey, publicKey } = await generateKeyPair('RS256')
    const jwk = { ...(await exportJWK(publicKey)), kid: 'ms', use: 'sig' }
    const server = await aPlainServer((base) => ({
      '/common/v2.0/.well-known/openid-configuration': {
        issuer: `${base}/{tenantid}/v2.0`,
        authorization_endpoint: `${base}/common/oauth2/v2.0/authorize`,
        token_endpoint: `${base}/common/oauth2/v2.0/token`,
        jwks_uri: `${base}/keys`,
        token_endpoint_auth_methods_supported: ['client_secret_post'],
      },
      '/keys': { keys: [jwk] },
    }))
    const app = await anAppFor('AZURE', { ...server, base: `${server.base}/common` })
    const tenant = '9122040d-6c67-4c5b-b112-36a304b66dad'
    const ask = async (claims: Record<string, unknown>) => {
      const idToken = await new SignJWT({
        iss: `${server.base}/${tenant}/v2.0`,
        tid: tenant,
        aud: 'another-id',
        sub: 'ms-1',
        email: 'ada@example.com',
        ...claims,
      })
        .setProtectedHeader({ alg: 'RS256', kid: 'ms' })
        .setIssuedAt()
        .setExpirationTime('5m')
        .sign(privateKey)
      const answer = await app.http.inject({
        method: 'POST',
        url: '/auth/v1/token?grant_type=id_token',
        payload: { provider: 'azure', id_token: idToken },
      })
      const { error_code: code, error_description: description } = answer.json()
      return [answer.statusCode, code ?? description]
    }
    expect(await ask({})).toEqual([422, 'provider_email_needs_verification'])
    expect(await ask({ email_verified: true })).toEqual([422, 'provider_email_needs_verification'])
    expect(await ask({ xms_edov: '1', iss: `${server.base}/common/v2.0` })).toEqual([400, 'Bad ID token'])
    expect(await ask({ xms_edov: '1', tid: '../evil' })).toEqual([400, 'Bad ID token'])
    expect(await ask({ xms_edov: '1' })).toEqual([200, undefined])
  })
})
