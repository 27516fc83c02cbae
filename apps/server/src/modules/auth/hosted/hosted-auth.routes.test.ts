import { describe, expect, it } from 'vitest'
import {
  OWNER_PASSWORD,
  PASSWORD,
  type TestApp,
  buildTestApp,
} from '../../../../test/support/build-test-app.ts'
import { officialClient } from '../../../../test/support/accounts/official-client.ts'
import { DAY_MS, SECOND_MS } from '../../../platform/clock.ts'

interface Tokens {
  access_token: string
  refresh_token: string
}

const token = (app: TestApp, grantType: string, payload: unknown, headers: Record<string, string> = {}) =>
  app.http.inject({
    method: 'POST',
    url: `/auth/v1/token?grant_type=${grantType}`,
    headers: { 'content-type': 'application/json', 'x-supabase-api-version': '2024-01-01', ...headers },
    payload: JSON.stringify(payload),
  })

const signIn = async (app: TestApp): Promise<Tokens> =>
  (await token(app, 'password', { email: 'owner@pegasus.local', password: OWNER_PASSWORD })).json<Tokens>()

const refresh = (app: TestApp, refreshToken: string) =>
  token(app, 'refresh_token', { refresh_token: refreshToken })

const getUser = (app: TestApp, accessToken: string) =>
  app.http.inject({ url: '/auth/v1/user', headers: { authorization: `Bearer ${accessToken}` } })

describe('the hosted auth protocol', () => {
  describe('valid hosted session requests', () => {
    it('the official client signs in, reads the user, refreshes and signs out', async () => {
      const app = await buildTestApp()
      const client = await officialClient(app)
      const signedIn = await client.signInWithPassword({
        email: 'owner@pegasus.local',
        password: OWNER_PASSWORD,
      })
      expect(signedIn.error).toBeNull()
      expect(signedIn.data.user?.email).toBe('owner@pegasus.local')
      const refreshed = await client.refreshSession()
      expect(refreshed.error).toBeNull()
      expect(refreshed.data.session?.refresh_token).not.toBe(signedIn.data.session?.refresh_token)
      const user = await client.getUser()
      expect(user.data.user?.identities?.[0]?.provider).toBe('email')
      const claims = await client.getClaims()
      expect(claims.data?.claims.session_id).toBeTruthy()
      expect((await client.signOut()).error).toBeNull()
      expect((await getUser(app, signedIn.data.session?.access_token ?? '')).statusCode).toBe(403)
    })

    it('the hosted auth protocol accepts the session of POST /auth/login', async () => {
      const app = await buildTestApp()
      const client = await officialClient(app)
      const response = await app.http.inject({
        method: 'POST',
        url: '/auth/login',
        payload: { username: 'owner', password: OWNER_PASSWORD },
      })
      const { error, data } = await client.setSession(response.json<Tokens>())
      expect(error).toBeNull()
      expect(data.user?.email).toBe('owner@pegasus.local')
    })

    it('a hosted sign-out ends the current session, the other sessions or all sessions, and accepts an empty JSON body', async () => {
      const app = await buildTestApp()
      const logout = (accessToken: string, scope: string) =>
        app.http.inject({
          method: 'POST',
          url: `/auth/v1/logout?scope=${scope}`,
          headers: {
            authorization: `Bearer ${accessToken}`,
            'content-type': 'application/json;charset=UTF-8',
          },
        })
      const alive = async (sessions: Tokens[]) =>
        Promise.all(
          sessions.map(async (session) => (await getUser(app, session.access_token)).statusCode === 200),
        )
      const sessions = [await signIn(app), await signIn(app), await signIn(app)] as const
      const answer = await logout(sessions[0].access_token, 'local')
      expect([answer.statusCode, answer.body]).toEqual([204, ''])
      expect(await alive([...sessions])).toEqual([false, true, true])
      await logout(sessions[1].access_token, 'others')
      expect(await alive([...sessions])).toEqual([false, true, false])
      await logout(sessions[1].access_token, 'global')
      expect(await alive([...sessions])).toEqual([false, false, false])
    })

    it('everybody can read the keys, settings and health of the hosted auth protocol, even from other origins', async () => {
      const app = await buildTestApp()
      const jwks = await app.http.inject({
        url: '/auth/v1/.well-known/jwks.json',
        headers: { origin: 'https://shop.example' },
      })
      expect(jwks.json().keys).toHaveLength(1)
      expect(jwks.json().keys[0]).toMatchObject({ alg: 'ES256', crv: 'P-256', use: 'sig' })
      expect(jwks.json().keys[0].d).toBeUndefined()
      expect(jwks.headers['cache-control']).toBe('public, max-age=600')
      expect(jwks.headers['access-control-allow-origin']).toBe('https://shop.example')
      expect(jwks.headers['access-control-allow-credentials']).toBeUndefined()
      expect(String(jwks.headers['access-control-expose-headers'])).toContain('X-Supabase-Api-Version')
      expect((await app.http.inject('/auth/v1/settings')).json().external.email).toBe(true)
      expect((await app.http.inject('/auth/v1/health')).json().name).toBe('Pegasus Ops')
      const product = await app.http.inject({
        url: '/api/config',
        headers: { origin: 'https://shop.example' },
      })
      expect(product.headers['access-control-allow-origin']).toBeUndefined()
    })
  })

  describe('rotation of refresh tokens', () => {
    it('T24 twenty parallel refreshes return the same new token, and a late reuse of the old token ends the session', async () => {
      const app = await buildTestApp()
      const first = await signIn(app)
      const answers = await Promise.all(Array.from({ length: 20 }, () => refresh(app, first.refresh_token)))
      const chains = new Set(answers.map((answer) => answer.json<Tokens>().refresh_token))
      expect([...chains]).toHaveLength(1)
      const [second = ''] = chains
      const third = (await refresh(app, second)).json<Tokens>()
      app.clock.advance(11 * SECOND_MS)
      const reused = await refresh(app, first.refresh_token)
      expect([reused.statusCode, reused.json().code]).toEqual([400, 'refresh_token_already_used'])
      const alive = [
        (await refresh(app, third.refresh_token)).statusCode === 200,
        (await refresh(app, second)).statusCode === 200,
        (await getUser(app, third.access_token)).statusCode === 200,
      ].filter(Boolean).length
      console.info(`T24 live tokens after reuse ${alive} of 3; chains ${chains.size} of 1`)
      expect(alive).toBe(0)
    })

    it('a refresh token used again within ten seconds returns the current token, because the response may have been lost', async () => {
      const app = await buildTestApp()
      const first = await signIn(app)
      const second = (await refresh(app, first.refresh_token)).json<Tokens>()
      app.clock.advance(9 * SECOND_MS)
      expect((await refresh(app, first.refresh_token)).json<Tokens>().refresh_token).toBe(
        second.refresh_token,
      )
      expect((await refresh(app, second.refresh_token)).statusCode).toBe(200)
    })

    it('T25 a session ends after 14 days without use, or after 90 days', async () => {
      const app = await buildTestApp()
      let current = await signIn(app)
      const idle = await signIn(app)
      app.clock.advance(14 * DAY_MS - SECOND_MS)
      current = (await refresh(app, current.refresh_token)).json<Tokens>()
      app.clock.advance(SECOND_MS)
      expect((await refresh(app, idle.refresh_token)).json().code).toBe('session_expired')
      for (let day = 28; day < 90; day += 14) {
        app.clock.advance(13.9 * DAY_MS)
        const answer = await refresh(app, current.refresh_token)
        expect(answer.statusCode).toBe(200)
        current = answer.json<Tokens>()
      }
      app.clock.advance(13.9 * DAY_MS)
      expect((await refresh(app, current.refresh_token)).json().code).toBe('session_expired')
    })

    it('the database contains no refresh token and no access token', async () => {
      const app = await buildTestApp()
      const { refresh_token: refreshToken, access_token: accessToken } = await signIn(app)
      const dump = await app.database.sql`
        select (select json_agg(s) from sessions s) as sessions, (select json_agg(r) from refresh_tokens r) as tokens,
               (select json_agg(k) from signing_keys k) as keys, (select json_agg(a) from accounts a) as accounts`
      const text = JSON.stringify(dump)
      for (const secret of [refreshToken, accessToken, OWNER_PASSWORD, '"d":'])
        expect(text).not.toContain(secret)
    })
  })

  describe('invalid hosted session requests', () => {
    it.each([
      [
        'password',
        { email: 'owner@pegasus.local', password: 'wrong' },
        400,
        'invalid_credentials',
        'Invalid login credentials',
      ],
      [
        'password',
        { email: 'nobody@example.com', password: 'wrong' },
        400,
        'invalid_credentials',
        'Invalid login credentials',
      ],
      [
        'password',
        { phone: '15555550100', password: 'wrong' },
        400,
        'phone_provider_disabled',
        'Phone logins are disabled',
      ],
      ['password', {}, 400, 'validation_failed', 'missing email or phone'],
      [
        'password',
        { email: 'owner@pegasus.local', phone: '123456', password: 'wrong' },
        400,
        'validation_failed',
        'Only an email address or phone number should be provided on login.',
      ],
      ['refresh_token', { refresh_token: 'short' }, 400, 'validation_failed', 'Refresh token is not valid'],
      [
        'refresh_token',
        { refresh_token: 'a'.repeat(70) },
        400,
        'refresh_token_not_found',
        'Invalid Refresh Token: Refresh Token Not Found',
      ],
      ['magic', {}, 400, 'invalid_credentials', 'unsupported_grant_type'],
    ])('a token request with grant %s and %j returns %i %s', async (grant, body, status, code, message) => {
      const app = await buildTestApp()
      const response = await token(app, grant, body)
      expect(response.statusCode).toBe(status)
      expect(response.json()).toMatchObject({ code, message })
      expect(response.headers['x-supabase-api-version']).toBe('2024-01-01')
      expect(response.headers['x-sb-error-code']).toBe(code)
    })

    it('a client that sends no API version gets the older error format of the hosted auth protocol', async () => {
      const app = await buildTestApp()
      const response = await token(
        app,
        'password',
        { email: 'a@b.c', password: 'x' },
        { 'x-supabase-api-version': '' },
      )
      expect(response.json()).toMatchObject({
        code: 400,
        error_code: 'invalid_credentials',
        msg: 'Invalid login credentials',
      })
      expect(response.headers['x-supabase-api-version']).toBeUndefined()
    })

    it('broken JSON, a huge body, an unknown scope and an unknown path get errors in the hosted auth format', async () => {
      const app = await buildTestApp()
      const headers = { 'content-type': 'application/json', 'x-supabase-api-version': '2024-01-01' }
      const post = (payload: string) =>
        app.http.inject({ method: 'POST', url: '/auth/v1/token', headers, payload })
      expect((await post('{')).json().code).toBe('bad_json')
      expect((await post(`{"a":"${'x'.repeat(1024 * 1024)}"}`)).json().code).toBe('request_entity_too_large')
      expect((await app.http.inject({ url: '/auth/v1/nothing', headers })).json().code).toBe(
        'validation_failed',
      )
      const authorization = `Bearer ${(await signIn(app)).access_token}`
      const logout = await app.http.inject({
        method: 'POST',
        url: '/auth/v1/logout?scope=planet',
        headers: { authorization, 'x-supabase-api-version': '2024-01-01' },
      })
      expect([logout.statusCode, logout.json().code]).toEqual([400, 'validation_failed'])
    })
  })

  describe('hosted session requests without permission', () => {
    it('the hosted auth protocol distinguishes a missing token, an invalid token and an ended session', async () => {
      const app = await buildTestApp()
      const { access_token: accessToken } = await signIn(app)
      const ask = async (authorization?: string) => {
        const headers = { 'x-supabase-api-version': '2024-01-01', ...(authorization && { authorization }) }
        const response = await app.http.inject({ url: '/auth/v1/user', headers })
        return [response.statusCode, response.json().code]
      }
      expect(await ask()).toEqual([401, 'no_authorization'])
      expect(await ask('Basic abc')).toEqual([401, 'no_authorization'])
      expect(await ask('Bearer garbage')).toEqual([403, 'bad_jwt'])
      await app.database.sql`delete from sessions`
      expect(await ask(`Bearer ${accessToken}`)).toEqual([403, 'session_not_found'])
    })

    it('T21 a token is refused as soon as its account has been deactivated', async () => {
      const app = await buildTestApp()
      const name = await app.anAccount('admin')
      const accessToken = await app.signIn(name, PASSWORD)
      expect((await getUser(app, accessToken)).statusCode).toBe(200)
      await app.database.sql`update accounts set is_active = false where username = ${name}`
      expect((await getUser(app, accessToken)).statusCode).toBe(403)
      const product = await app.http.inject({
        url: '/api/auth/me',
        headers: { authorization: `Bearer ${accessToken}` },
      })
      expect(product.statusCode).toBe(401)
    })
  })
})
