import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { officialClient } from '../../../../test/support/accounts/official-client.ts'
import { Browser } from '../../../../test/support/accounts/providers/browser.ts'
import { CLIENT_ID } from '../../../../test/support/accounts/providers/oidc-server.ts'
import {
  ADA,
  CALLBACK,
  SITE,
  fragmentIn,
  isCallback,
  isHome,
  anAppWithProvider as anApp,
  pkceClient,
} from '../../../../test/support/accounts/providers/provider-app.ts'
import { claimsOf } from '../../../../test/support/accounts/second-factor.ts'
import { PASSWORD, type TestApp } from '../../../../test/support/build-test-app.ts'
import { MINUTE_MS } from '../../../platform/clock.ts'

const authorize = (fields: Record<string, string> = {}): string =>
  `/auth/v1/authorize?${new URLSearchParams({ provider: 'keycloak', ...fields })}`

const accountsOf = (app: TestApp, email: string) =>
  app.database.sql<{ id: string; password_hash: string | null; providers: string }[]>`
    select a.id, a.password_hash, a.app_metadata->>'providers' as providers from accounts a where email = ${email}`

/** Returns the reasons of the refused sign-ins in the audit. */
const refusalsOf = async (app: TestApp): Promise<(string | undefined)[]> => {
  const rows = await app.database.sql<{ reason: string }[]>`
    select after->>'reason' as reason from audit_entries where action = 'session.refused' order by at, id`
  return rows.map(({ reason }) => reason)
}

describe('sign-in through an OpenID Connect provider', () => {
  describe('valid sign-ins through a provider', () => {
    it('after a provider sign-in, the browser returns with a session that the official client can use', async () => {
      const { app } = await anApp()
      const client = await officialClient(app)
      const { data } = await client.signInWithOAuth({
        provider: 'keycloak',
        options: { redirectTo: `${SITE}/scan?x=1`, scopes: 'offline_access', skipBrowserRedirect: true },
      })
      const asked = new URL(data.url ?? '')
      const landed = await new Browser(app).follow(asked.pathname + asked.search, isHome)
      expect(landed.href.split('#')[0]).toBe(`${SITE}/scan?x=1`)
      const fields = fragmentIn(landed)
      expect(fields).toMatchObject({ token_type: 'bearer', sb: '' })
      expect(fields['provider_token']).toBeTruthy()
      const { error } = await client.setSession({
        access_token: fields['access_token'] ?? '',
        refresh_token: fields['refresh_token'] ?? '',
      })
      expect(error).toBeNull()
      const { data: found } = await client.getUser()
      expect(found.user).toMatchObject({
        email: ADA.email,
        app_metadata: { provider: 'keycloak', providers: ['keycloak'] },
        user_metadata: { full_name: ADA.name, email_verified: true },
        identities: [
          { provider: 'keycloak', id: ADA.sub, identity_data: { sub: ADA.sub, email: ADA.email } },
        ],
      })
      expect(claimsOf(fields['access_token'] ?? '').amr.map(({ method }) => method)).toEqual(['oauth'])
      const headers = { authorization: `Bearer ${fields['access_token']}` }
      const me = await app.http.inject({ url: '/api/auth/me', headers })
      expect(me.json()).toMatchObject({ username: 'ada', full_name: ADA.name, role: 'viewer' })
    })

    it('after a provider sign-in with PKCE, the browser returns with a code that works once, and only for the client that began it', async () => {
      const { app } = await anApp()
      const client = await pkceClient(app)
      const { data } = await client.signInWithOAuth({
        provider: 'keycloak',
        options: { skipBrowserRedirect: true },
      })
      const asked = new URL(data.url ?? '')
      const landed = await new Browser(app).follow(asked.pathname + asked.search, isHome)
      expect(landed.hash).toBe('')
      const code = landed.searchParams.get('code') ?? ''
      const stranger = await app.http.inject({
        method: 'POST',
        url: '/auth/v1/token?grant_type=pkce',
        payload: { auth_code: code, code_verifier: 'v'.repeat(64) },
      })
      expect(stranger.json()).toMatchObject({ error_code: 'bad_code_verifier' })
      const { error, data: exchanged } = await client.exchangeCodeForSession(code)
      expect(error).toBeNull()
      expect(exchanged.session?.provider_token).toBeTruthy()
      expect(exchanged.user?.email).toBe(ADA.email)
      const rows = await app.database.sql`select 1 from flow_states`
      expect(rows).toHaveLength(0)
    })

    it('the tokens that a provider issues are encrypted in the database', async () => {
      const { app } = await anApp()
      const client = await pkceClient(app)
      const { data } = await client.signInWithOAuth({
        provider: 'keycloak',
        options: { skipBrowserRedirect: true },
      })
      const asked = new URL(data.url ?? '')
      const landed = await new Browser(app).follow(asked.pathname + asked.search, isHome)
      const [row] = await app.database.sql<
        [{ all: string }]
      >`select row_to_json(f)::text as all from flow_states f`
      const { data: exchanged } = await client.exchangeCodeForSession(landed.searchParams.get('code') ?? '')
      expect(row.all).not.toContain(exchanged.session?.provider_token ?? '-')
      expect(exchanged.session?.provider_token).toBeTruthy()
      const audit = await app.database.sql<
        [{ all: string }]
      >`select json_agg(e)::text as all from audit_entries e`
      expect(audit[0].all).not.toContain(exchanged.session?.provider_token ?? '-')
    })

    it('a person gets the same account at the next sign-in, even if the address at the provider has changed', async () => {
      const { app, server } = await anApp()
      await new Browser(app).follow(authorize(), isHome)
      server.person = { ...ADA, email: 'lovelace@example.com' }
      const landed = await new Browser(app).follow(authorize(), isHome)
      expect(fragmentIn(landed)['access_token']).toBeTruthy()
      expect(await app.database.sql`select email from accounts where username <> 'owner'`).toEqual([
        { email: ADA.email },
      ])
    })

    it('a person with a verified address is linked to the account that has this address', async () => {
      const { app, server } = await anApp({ SMTP_URL: 'smtp://127.0.0.1:1' })
      const username = await app.anAccount('staff')
      const email = `${username}@example.com`
      server.person = { ...ADA, email: email.toUpperCase() }
      const landed = await new Browser(app).follow(authorize(), isHome)
      const token = fragmentIn(landed)['access_token'] ?? ''
      const me = await app.http.inject({ url: '/api/auth/me', headers: { authorization: `Bearer ${token}` } })
      expect(me.json()).toMatchObject({ username, role: 'staff' })
      expect(await app.signIn(username, PASSWORD)).toBeTruthy()
      const audit = await app.database.sql`select after from audit_entries where action = 'identity.linked'`
      expect(audit).toEqual([{ after: { provider: 'Keycloak', by: 'email' } }])
    })

    it('the public settings list the providers that are configured', async () => {
      const { app } = await anApp()
      const { external } = (await app.http.inject('/auth/v1/settings')).json()
      expect(external).toMatchObject({
        keycloak: true,
        google: false,
        azure: false,
        github: false,
        discord: false,
      })
    })
  })

  describe('invalid sign-ins through a provider', () => {
    it('a sign-in with an unknown provider or an incomplete challenge is refused before the browser goes to a provider', async () => {
      const { app } = await anApp()
      const ask = async (fields: Record<string, string>) => {
        const answer = await app.http.inject(authorize(fields))
        return [answer.statusCode, answer.json().error_code]
      }
      expect(await ask({ provider: 'google' })).toEqual([400, 'validation_failed'])
      expect(await ask({ provider: '' })).toEqual([400, 'validation_failed'])
      expect(await ask({ code_challenge: 'x'.repeat(43) })).toEqual([400, 'validation_failed'])
    })

    it('a caller can pass additional parameters to a sign-in provider, but cannot set parameters of the protocol', async () => {
      const { app, server } = await anApp()
      const own = {
        client_id: 'evil',
        redirect_uri: 'https://evil.example/',
        state: 'mine',
        nonce: 'mine',
        scope: 'all',
      }
      const url = await new Browser(app).follow(
        authorize({ ...own, prompt: 'login', login_hint: 'ada', redirect_to: `${SITE}/scan` }),
        ({ origin }) => origin === server.issuer,
      )
      const sent = Object.fromEntries(url.searchParams)
      expect(sent).toMatchObject({
        client_id: CLIENT_ID,
        redirect_uri: CALLBACK,
        scope: 'openid email profile',
        prompt: 'login',
        login_hint: 'ada',
        code_challenge_method: 'S256',
      })
      expect(sent).not.toHaveProperty('redirect_to')
      expect([sent['state'], sent['nonce']]).not.toContain('mine')
      const [row] = await app.database.sql<
        [{ all: string }]
      >`select row_to_json(s)::text as all from oauth_states s`
      expect(row.all).not.toContain(sent['state'] ?? '-')
    })

    it('after a provider sign-in, a redirect target outside the list is replaced by the start page', async () => {
      const { app } = await anApp({ GOTRUE_URI_ALLOW_LIST: 'https://app.example.org/**' })
      const end = async (redirectTo: string) =>
        (
          await new Browser(app).follow(authorize({ redirect_to: redirectTo }), ({ hash }) => hash !== '')
        ).href.split('#')[0]
      expect(await end('https://evil.example/')).toBe(`${SITE}/`)
      expect(await end('https://app.example.org.evil.example/')).toBe(`${SITE}/`)
      expect(await end('https://app.example.org/welcome')).toBe('https://app.example.org/welcome')
    })

    it('a callback with a missing, unknown, expired or used state leads to the start page with an error', async () => {
      const { app } = await anApp()
      const come = async (query: string, cookie = '') => {
        const answer = await app.http.inject({ url: `/auth/v1/callback?${query}`, headers: { cookie } })
        const url = new URL(String(answer.headers.location))
        expect(answer.statusCode).toBe(303)
        expect(Object.fromEntries(url.searchParams)).toEqual(fragmentIn(url))
        expect(url.href).toMatch(/^https:\/\/ops\.example\.com\/\?/)
        return `${url.searchParams.get('error')} ${url.searchParams.get('error_code')}`
      }
      expect(await come('code=1')).toBe('invalid_request bad_oauth_callback')
      expect(await come(`code=1&state=${crypto.randomUUID()}`)).toBe('invalid_request bad_oauth_state')
      const browser = new Browser(app)
      const callback = await browser.follow(authorize(), isCallback)
      await browser.follow(callback.href, isHome)
      expect(await come(callback.search.slice(1))).toBe('invalid_request flow_state_already_used')
      const late = await browser.follow(authorize(), isCallback)
      app.clock.advance(10 * MINUTE_MS)
      expect(await come(late.search.slice(1))).toBe('invalid_request bad_oauth_state')
      await app.auth.purge()
      expect(await app.database.sql`select 1 from oauth_states`).toHaveLength(0)
    })

    it('if the provider refuses a sign-in, its message reaches the client as plain text', async () => {
      const { app, server } = await anApp()
      server.person = null
      const landed = await new Browser(app).follow(authorize({ redirect_to: `${SITE}/login` }), isHome)
      expect(landed.pathname).toBe('/login')
      expect(fragmentIn(landed)).toMatchObject({
        error: 'access_denied',
        error_code: 'bad_oauth_callback',
        error_description: 'End-User aborted <interaction>',
      })
      expect(await refusalsOf(app)).toEqual(['provider_denied'])
    })

    it('if the address of a provider is not allowed, a sign-in fails at once with an error that hides the address', async () => {
      const { app } = await anApp({ SIGN_IN_PROVIDER_ALLOW: '127.0.0.1:9' })
      const answer = await app.http.inject(authorize())
      expect([answer.statusCode, answer.json().error_code]).toEqual([422, 'unexpected_failure'])
      expect(answer.body).not.toContain('127.0.0.1')
    })

    it('a provider may send the browser back with a POST form, while other bodies are refused', async () => {
      const { app } = await anApp()
      const browser = new Browser(app)
      const callback = await browser.follow(authorize(), isCallback)
      await app.database
        .sql`update oauth_states set browser_hash = ${createHash('sha256').update('b'.repeat(32)).digest('base64url')}`
      const send = (payload: string, type = 'application/x-www-form-urlencoded') =>
        app.http.inject({
          method: 'POST',
          url: '/auth/v1/callback',
          headers: { 'content-type': type, cookie: `pegasus-oauth=${'b'.repeat(32)}` },
          payload,
        })
      const codes = [
        await send('{}', 'application/json'),
        await send('code=1'),
        await send(`state=${'x'.repeat(3000)}`),
        await send(`state=1&code=${'x'.repeat(65 * 1024)}`),
      ].map(({ statusCode }) => statusCode)
      expect(codes).toEqual([415, 400, 400, 413])
      const answer = await send(callback.search.slice(1))
      expect(answer.statusCode).toBe(302)
      expect(fragmentIn(new URL(String(answer.headers.location)))['access_token']).toBeTruthy()
    })

    it("a provider's code that belongs to another sign-in or another provider opens no session", async () => {
      const { app } = await anApp()
      const [one, other] = [new Browser(app), new Browser(app)]
      const [first, second] = [
        await one.follow(authorize(), isCallback),
        await other.follow(authorize(), isCallback),
      ]
      first.searchParams.set('code', second.searchParams.get('code') ?? '')
      const mixed = await one.follow(first.href, isHome)
      expect(fragmentIn(mixed)).toMatchObject({ error: 'server_error', error_code: 'unexpected_failure' })
      second.searchParams.set('iss', 'https://evil.example')
      const foreign = await other.follow(second.href, isHome)
      expect(fragmentIn(foreign)).toMatchObject({ error_code: 'unexpected_failure' })
      expect(await app.database.sql`select 1 from identities where provider = 'keycloak'`).toHaveLength(0)
    })
  })

  describe('sign-ins through a provider without permission', () => {
    it('the callback link of somebody else’s sign-in opens no session in another browser', async () => {
      const { app } = await anApp()
      const callback = await new Browser(app).follow(authorize(), isCallback)
      const landed = await new Browser(app).follow(callback.href, isHome)
      expect(fragmentIn(landed)).toMatchObject({ error_code: 'bad_oauth_state' })
      expect(fragmentIn(landed)).not.toHaveProperty('access_token')
    })

    it('a callback that reaches two replicas opens one session, in 20 of 20 runs', async () => {
      const { app, server } = await anApp()
      const replica = await app.replica()
      let opened = 0
      for (let n = 0; n < 20; n += 1) {
        server.person = { ...ADA, sub: `person-${n}`, email: `person-${n}@example.com` }
        const answers: Promise<URL>[] = []
        const callback = await new Browser(app).follow(authorize(), isCallback)
        await app.database
          .sql`update oauth_states set browser_hash = ${createHash('sha256').update('b'.repeat(32)).digest('base64url')} where used_at is null`
        for (const each of [app, replica, app, replica]) answers.push(comeBack(each, callback))
        const tokens = (await Promise.all(answers)).filter((url) => fragmentIn(url)['access_token'])
        opened += tokens.length
      }
      console.info(`oauth: sessions that 20 callbacks opened, each at two replicas, ${opened} of 20`)
      expect(opened).toBe(20)
    })

    it('a provider sign-in by an unknown person is refused if sign-ups are closed, and waits for approval if they need it', async () => {
      const end = async (signups: string) => {
        const { app } = await anApp({ SIGNUPS: signups })
        const landed = await new Browser(app).follow(authorize(), isHome)
        return { fields: fragmentIn(landed), accounts: await accountsOf(app, ADA.email) }
      }
      const closed = await end('closed')
      expect(closed.fields).toMatchObject({ error: 'access_denied', error_code: 'signup_disabled' })
      expect(closed.accounts).toEqual([])
      const approval = await end('approval')
      expect(approval.fields).toMatchObject({ error: 'access_denied', error_code: 'user_banned' })
      expect(approval.accounts).toHaveLength(1)
    })

    it('an address that the provider has not verified neither links nor creates an account', async () => {
      const { app, server } = await anApp()
      const username = await app.anAccount('owner')
      for (const person of [
        { ...ADA, email: `${username}@example.com`, email_verified: false },
        { sub: 'nobody', email_verified: true },
        // Full-width letters in an address belong to another mailbox.
        { ...ADA, email: `ｏ${username.slice(1)}@example.com` },
      ]) {
        server.person = person
        const landed = await new Browser(app).follow(authorize(), isHome)
        expect(fragmentIn(landed)).not.toHaveProperty('access_token')
      }
      expect(await app.database.sql`select 1 from identities where provider = 'keycloak'`).toHaveLength(0)
    })

    it('a deactivated account cannot sign in through a provider', async () => {
      const { app } = await anApp()
      await new Browser(app).follow(authorize(), isHome)
      await app.database.sql`update accounts set is_active = false where email = ${ADA.email}`
      const landed = await new Browser(app).follow(authorize(), isHome)
      expect(fragmentIn(landed)).toMatchObject({ error: 'access_denied', error_code: 'user_banned' })
      expect(await refusalsOf(app)).toEqual(['account_deactivated'])
    })

    it('a session that a provider opened still needs the second factor of its account', async () => {
      const { app } = await anApp()
      const client = await officialClient(app)
      const first = fragmentIn(await new Browser(app).follow(authorize(), isHome))
      await client.setSession({
        access_token: first['access_token'] ?? '',
        refresh_token: first['refresh_token'] ?? '',
      })
      await app.database.sql`
        insert into factors (id, account_id, factor_type, status, friendly_name, secret_sealed, created_at, updated_at)
        select ${crypto.randomUUID()}, id, 'totp', 'verified', '', 'sealed', now(), now() from accounts where email = ${ADA.email}`
      const again = fragmentIn(await new Browser(app).follow(authorize(), isHome))
      const answer = await app.http.inject({
        url: '/api/inventory',
        headers: { authorization: `Bearer ${again['access_token']}` },
      })
      expect(answer.statusCode).toBe(403)
    })
  })
})

const comeBack = async (app: TestApp, callback: URL): Promise<URL> => {
  const answer = await app.http.inject({
    url: callback.pathname + callback.search,
    headers: { cookie: `other=1; pegasus-oauth=${'b'.repeat(32)}` },
  })
  return new URL(String(answer.headers.location))
}
