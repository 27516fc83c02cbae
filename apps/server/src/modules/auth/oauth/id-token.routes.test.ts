import { createHash } from 'node:crypto'
import { generateKeyPair } from 'jose'
import { describe, expect, it } from 'vitest'
import { officialClient } from '../../../../test/support/accounts/official-client.ts'
import { CLIENT_ID } from '../../../../test/support/accounts/providers/oidc-server.ts'
import { ADA, anAppWithProvider as anApp } from '../../../../test/support/accounts/providers/provider-app.ts'
import { buildTestApp } from '../../../../test/support/build-test-app.ts'

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

describe('POST /auth/v1/token?grant_type=id_token', () => {
  it('the official client signs in with an ID token, with and without a nonce', async () => {
    const { app, server } = await anApp()
    const client = await officialClient(app)
    const plain = await client.signInWithIdToken({ provider: 'keycloak', token: await server.idToken(ADA) })
    expect([plain.error, plain.data.user?.email]).toEqual([null, ADA.email])
    const token = await server.idToken(ADA, { nonce: sha256('once') })
    const nonced = await client.signInWithIdToken({ provider: 'keycloak', token, nonce: 'once' })
    expect(nonced.data.user?.id).toBe(plain.data.user?.id)
    const byIssuer = await app.http.inject({
      method: 'POST',
      url: '/auth/v1/token?grant_type=id_token',
      payload: { client_id: CLIENT_ID, issuer: server.issuer, id_token: await server.idToken(ADA) },
    })
    expect(byIssuer.statusCode).toBe(200)
    const accessToken = 'an access token'
    const half = createHash('sha256').update(accessToken).digest().subarray(0, 16).toString('base64url')
    const hashed = await server.idToken(ADA, { at_hash: half })
    const withToken = await client.signInWithIdToken({
      provider: 'keycloak',
      token: hashed,
      access_token: accessToken,
    })
    expect(withToken.error).toBeNull()
    const wrong = await client.signInWithIdToken({
      provider: 'keycloak',
      token: hashed,
      access_token: 'another',
    })
    expect(wrong.error?.message).toBe('Bad ID token')
  })

  it('ID tokens that are forged, expired, incomplete or issued for others are refused, counted and audited', async () => {
    const { app, server } = await anApp()
    const stranger = await generateKeyPair('RS256')
    const now = Math.floor(Date.now() / 1000)
    const good = await server.idToken(ADA)
    const [header = '', payload = '', signature = ''] = good.split('.')
    const none = Buffer.from('{"alg":"none"}').toString('base64url')
    const hmac = Buffer.from('{"alg":"HS256","kid":"key-1"}').toString('base64url')
    const changed = Buffer.from(
      JSON.stringify({ ...ADA, iss: server.issuer, aud: CLIENT_ID, exp: now + 600, iat: now, sub: 'x' }),
    ).toString('base64url')
    const tokens = {
      'another key': await server.idToken(ADA, {}, stranger.privateKey),
      'another audience': await server.idToken(ADA, { aud: 'another' }),
      'two audiences and no asker': await server.idToken(ADA, { aud: [CLIENT_ID, 'another'] }),
      'two audiences and another asker': await server.idToken(ADA, {
        aud: [CLIENT_ID, 'another'],
        azp: 'another',
      }),
      'another issuer': await server.idToken(ADA, { iss: 'https://evil.example' }),
      'its end': await server.idToken(ADA, { exp: now - 60 }),
      'no end': await server.idToken(ADA, { exp: undefined } as never),
      'no person': await server.idToken({ sub: '' }),
      'no signature': `${none}.${payload}.`,
      'a signature with our secret': `${hmac}.${payload}.${signature}`,
      'a changed person': `${header}.${changed}.${signature}`,
      'an access token': await server.idToken(ADA, { typ: 'at+jwt' }),
      'a notice of a sign-out': await server.idToken(ADA, { events: {} }),
      'no form': 'a.b.c',
    }
    const results: Record<string, string> = {}
    for (const [name, idToken] of Object.entries(tokens)) {
      const answer = await app.http.inject({
        method: 'POST',
        url: '/auth/v1/token?grant_type=id_token',
        payload: { provider: 'keycloak', id_token: idToken },
      })
      results[name] = `${answer.statusCode} ${answer.body}`
    }
    const refused = '400 {"error":"invalid request","error_description":"Bad ID token"}'
    expect(results).toEqual(Object.fromEntries(Object.keys(tokens).map((name) => [name, refused])))
    const refusals = await app.database.sql`
      select 1 from audit_entries where action = 'session.refused' and after->>'reason' = 'wrong_id_token'`
    expect(refusals).toHaveLength(Object.keys(tokens).length)
    expect(await app.database.sql`select 1 from identities where provider = 'keycloak'`).toHaveLength(0)
  })

  it('an ID token can be used for only one sign-in, and the audit records each refusal with its reason', async () => {
    const { app, server } = await anApp()
    const client = await officialClient(app)
    const token = await server.idToken(ADA)
    expect((await client.signInWithIdToken({ provider: 'keycloak', token })).error).toBeNull()
    const again = await client.signInWithIdToken({ provider: 'keycloak', token })
    expect([again.error?.status, again.error?.message]).toEqual([400, 'Bad ID token'])
    await app.database.sql`update accounts set is_active = false where email = ${ADA.email}`
    const banned = await client.signInWithIdToken({ provider: 'keycloak', token: await server.idToken(ADA) })
    expect(banned.error?.code).toBe('user_banned')
    const refusals = await app.database.sql<{ reason: string }[]>`
      select after->>'reason' as reason from audit_entries where action = 'session.refused' order by at, id`
    expect(refusals.map(({ reason }) => reason)).toEqual(['id_token_invalid', 'account_deactivated'])
  })

  it('a text that is not a token gets the error for an invalid token, even while the provider is unreachable', async () => {
    const app = await buildTestApp({
      variables: {
        GOTRUE_EXTERNAL_KEYCLOAK_ENABLED: 'true',
        GOTRUE_EXTERNAL_KEYCLOAK_CLIENT_ID: 'pegasus',
        GOTRUE_EXTERNAL_KEYCLOAK_SECRET: 'any',
        GOTRUE_EXTERNAL_KEYCLOAK_URL: 'http://127.0.0.1:9',
        SIGN_IN_PROVIDER_ALLOW: '127.0.0.1:9',
      },
    })
    const client = await officialClient(app)
    const ask = async (token: string) =>
      (await client.signInWithIdToken({ provider: 'keycloak', token, nonce: 'once' })).error?.message
    expect([await ask('mock-id-token'), await ask('a.b.c')]).toEqual(['Bad ID token', 'Bad ID token'])
    const unsigned = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
    expect(await ask(`${unsigned({ alg: 'ES256' })}.${unsigned({ iss: 'x' })}.x`)).toBe(
      'Unable to exchange external code',
    )
  })

  it('an ID token sign-in with a missing or wrong nonce is refused', async () => {
    const { app, server } = await anApp()
    const ask = async (nonce: string | undefined, claim: string | undefined) => {
      const token = await server.idToken(ADA, claim === undefined ? {} : { nonce: claim })
      const client = await officialClient(app)
      const { error } = await client.signInWithIdToken({
        provider: 'keycloak',
        token,
        ...(nonce && { nonce }),
      })
      return [error?.status, error?.message]
    }
    const both = 'Passed nonce and nonce in id_token should either both exist or not.'
    expect(await ask('once', undefined)).toEqual([400, both])
    expect(await ask(undefined, sha256('once'))).toEqual([400, both])
    expect(await ask('once', sha256('twice'))).toEqual([400, 'Nonces mismatch'])
    expect(await ask('once', 'once')).toEqual([400, 'Nonces mismatch'])
  })

  it('an ID token of a provider that is not enabled gets an error that names the provider', async () => {
    const { app, server } = await anApp()
    const client = await officialClient(app)
    const token = await server.idToken(ADA, { iss: 'https://accounts.google.com' })
    const { error } = await client.signInWithIdToken({ provider: 'google', token })
    expect([error?.status, error?.code, error?.message]).toEqual([
      400,
      'provider_disabled',
      'Provider (issuer "https://accounts.google.com") is not enabled',
    ])
    const empty = await app.http.inject({
      method: 'POST',
      url: '/auth/v1/token?grant_type=id_token',
      payload: { provider: 'keycloak' },
    })
    expect(empty.json()).toEqual({ error: 'invalid request', error_description: 'id_token required' })
  })
})
