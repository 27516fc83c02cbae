import { describe, expect, it } from 'vitest'
import { type OfficialClient, officialClient } from '../../../../test/support/accounts/official-client.ts'
import { Browser } from '../../../../test/support/accounts/providers/browser.ts'
import {
  ADA,
  SITE,
  anAppWithProvider,
  fragmentIn,
  isCallback,
  isHome,
  pkceClient,
} from '../../../../test/support/accounts/providers/provider-app.ts'
import { callHosted, errorCodeOf } from '../../../../test/support/accounts/second-factor.ts'
import { PASSWORD, type TestApp } from '../../../../test/support/build-test-app.ts'
import { untilWaiting } from '../../../../test/support/database/lock-waits.ts'
import { HOUR_MS } from '../../../platform/clock.ts'

const ANONYMOUS = { GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED: 'true' }
const LINKS = { GOTRUE_SECURITY_MANUAL_LINKING_ENABLED: 'true' }
const EMAIL = 'grace@example.com'
const SOME_ID = '01890000-0000-7000-8000-000000000000'

async function anApp(variables: Record<string, string> = {}) {
  const { app, server } = await anAppWithProvider({ ...LINKS, ...variables })
  const client = await officialClient(app)
  await client.signUp({ email: EMAIL, password: PASSWORD })
  return { app, server, client }
}

const tokenOf = async (client: OfficialClient): Promise<string> =>
  (await client.getSession()).data.session?.access_token ?? ''

/** Begins to link an identity in the same way as a program. Returns the address at the provider. */
async function beginLink(client: OfficialClient): Promise<string> {
  const options = { skipBrowserRedirect: true, redirectTo: `${SITE}/profile` }
  const { data, error } = await client.linkIdentity({ provider: 'keycloak', options })
  if (error) throw error
  return data.url
}

const LINK_ADDRESS = `/auth/v1/user/identities/authorize?${new URLSearchParams({
  provider: 'keycloak',
  redirect_to: `${SITE}/profile`,
  skip_http_redirect: 'true',
})}`

/** Begins to link an identity in the same way as one of our own pages. Returns the address at the provider. */
async function beginOnPage(browser: Browser, client: OfficialClient): Promise<string> {
  const authorization = `Bearer ${await tokenOf(client)}`
  return (await browser.callFromPage(LINK_ADDRESS, { authorization })).json<{ url: string }>().url
}

/**
 * Links an identity in the same way as one of our own pages. Returns the address to which the browser is redirected.
 */
async function link(app: TestApp, client: OfficialClient): Promise<URL> {
  const browser = new Browser(app)
  return browser.follow(await beginOnPage(browser, client), isHome)
}

const providersOf = async (client: OfficialClient): Promise<string[]> =>
  ((await client.getUserIdentities()).data?.identities ?? []).map(({ provider }) => provider)

async function unlink(client: OfficialClient, provider: string) {
  const { data } = await client.getUserIdentities()
  const identity = data?.identities.find((each) => each.provider === provider)
  if (!identity) throw new Error(`no identity of ${provider}`)
  return (await client.unlinkIdentity(identity)).error?.code
}

const actionsOf = async (app: TestApp): Promise<string[]> => {
  const rows = await app.database.sql<{ action: string }[]>`
    select action from audit_entries where action like 'identity.%' order by at, id`
  return rows.map(({ action }) => action)
}

describe('identities of an account', () => {
  describe('valid requests to link and unlink identities', () => {
    it('the official client links a provider, signs in with it and unlinks it again', async () => {
      const { app, client } = await anApp()
      const landed = await link(app, client)
      expect(landed.pathname).toBe('/profile')
      const fields = fragmentIn(landed)
      await client.setSession({
        access_token: fields['access_token'] ?? '',
        refresh_token: fields['refresh_token'] ?? '',
      })
      expect(await providersOf(client)).toEqual(['email', 'keycloak'])
      const { data } = await client.getUser()
      expect(data.user).toMatchObject({
        email: EMAIL,
        app_metadata: { provider: 'email', providers: ['email', 'keycloak'] },
      })
      const through = fragmentIn(
        await new Browser(app).follow('/auth/v1/authorize?provider=keycloak', isHome),
      )
      expect((await client.getUser(through['access_token'] ?? '')).data.user?.id).toBe(data.user?.id)
      expect(await unlink(client, 'keycloak')).toBeUndefined()
      expect(await providersOf(client)).toEqual(['email'])
      expect(await actionsOf(app)).toEqual(['identity.linked', 'identity.unlinked'])
      expect((await client.signInWithPassword({ email: EMAIL, password: PASSWORD })).error).toBeNull()
    })

    it('a client that uses PKCE can also link an identity', async () => {
      const { app } = await anApp()
      const client = await pkceClient(app)
      await client.signInWithPassword({ email: EMAIL, password: PASSWORD })
      const landed = await new Browser(app).follow(await beginLink(client), isHome)
      const { error } = await client.exchangeCodeForSession(landed.searchParams.get('code') ?? '')
      expect(error).toBeNull()
      expect(await providersOf(client)).toEqual(['email', 'keycloak'])
    })

    it('a signed-in person can link an identity by its ID token and keeps the session', async () => {
      const { client, server } = await anApp()
      const before = (await client.getSession()).data.session
      const { error, data } = await client.linkIdentity({
        provider: 'keycloak',
        token: await server.idToken(ADA),
      })
      expect(error).toBeNull()
      expect(data.user?.id).toBe(before?.user.id)
      expect(await providersOf(client)).toEqual(['email', 'keycloak'])
    })

    it('unlinking the email identity gives the account the address of the provider, and removes the password', async () => {
      const { app, client } = await anApp()
      await link(app, client)
      expect(await unlink(client, 'email')).toBeUndefined()
      const { data } = await client.getUser()
      expect([data.user?.email, data.user?.app_metadata['providers']]).toEqual([ADA.email, ['keycloak']])
      // The provider may have verified the address years ago, when the identity was linked.
      expect(await app.database.sql`select email_proved_at from accounts where email = ${ADA.email}`).toEqual(
        [{ email_proved_at: null }],
      )
      const other = await officialClient(app)
      for (const email of [EMAIL, ADA.email])
        expect((await other.signInWithPassword({ email, password: PASSWORD })).error?.code).toBe(
          'invalid_credentials',
        )
    })

    it('linking makes an anonymous account permanent, and opens a session in the browser that returns from the provider', async () => {
      const { app } = await anApp(ANONYMOUS)
      const client = await officialClient(app)
      const before = await client.signInAnonymously()
      const landed = await link(app, client)
      const fields = fragmentIn(landed)
      expect(fields['provider_token']).toBeTruthy()
      const { data } = await client.getUser(fields['access_token'] ?? '')
      expect(data.user).toMatchObject({ id: before.data.user?.id, email: ADA.email, is_anonymous: false })
    })

    it('when an anonymous client links an identity with PKCE, the code opens a session of its account, and the account becomes permanent', async () => {
      const { app } = await anApp(ANONYMOUS)
      const client = await pkceClient(app)
      const before = await client.signInAnonymously()
      const landed = await new Browser(app).follow(await beginLink(client), isHome)
      const { data, error } = await client.exchangeCodeForSession(landed.searchParams.get('code') ?? '')
      expect(error).toBeNull()
      expect(data.user).toMatchObject({ id: before.data.user?.id, email: ADA.email, is_anonymous: false })
    })

    it('an anonymous account that is linked by an ID token keeps its session', async () => {
      const { app, server } = await anApp(ANONYMOUS)
      const client = await officialClient(app)
      await client.signInAnonymously()
      await client.linkIdentity({ provider: 'keycloak', token: await server.idToken(ADA) })
      expect(
        await app.database.sql`select 1 from audit_entries where action = 'session.opened'`,
      ).toHaveLength(2)
      expect((await client.getUser()).data.user).toMatchObject({ email: ADA.email, is_anonymous: false })
    })
  })

  describe('invalid requests to link and unlink identities', () => {
    it('an identity that already belongs to the same or another account cannot be linked again', async () => {
      const { app, client, server } = await anApp()
      await new Browser(app).follow('/auth/v1/authorize?provider=keycloak', isHome)
      const landed = await link(app, client)
      expect(fragmentIn(landed)).toMatchObject({ error_code: 'identity_already_exists' })
      const byToken = await client.linkIdentity({ provider: 'keycloak', token: await server.idToken(ADA) })
      expect([byToken.error?.status, byToken.error?.code]).toEqual([422, 'identity_already_exists'])
      server.person = { ...ADA, sub: 'grace', email: EMAIL }
      await link(app, client)
      const twice = await link(app, client)
      expect(fragmentIn(twice)).toMatchObject({ error_code: 'identity_already_exists' })
    })

    it('a refused attempt to link a taken identity with an ID token is audited once and counted as one failed sign-in', async () => {
      const { app, client, server } = await anApp()
      await new Browser(app).follow('/auth/v1/authorize?provider=keycloak', isHome)
      const counted = async () =>
        (await app.database.sql`select 1 from sign_in_failures where pending_until is null`).length
      const before = await counted()
      const refused = await client.linkIdentity({ provider: 'keycloak', token: await server.idToken(ADA) })
      expect(refused.error?.code).toBe('identity_already_exists')
      const audited = await app.database.sql`
        select after->>'reason' as reason, entity_id = (select id::text from accounts where email = ${EMAIL}) as own
        from audit_entries where action = 'session.refused'`
      expect(audited).toEqual([{ reason: 'identity_taken', own: true }])
      expect((await counted()) - before).toBe(1)
    })

    it('a person cannot unlink the last identity, an unknown identity or an identity of another account', async () => {
      const { app, client } = await anApp()
      expect(await unlink(client, 'email')).toBe('single_identity_not_deletable')
      await link(app, client)
      const token = await tokenOf(client)
      const remove = async (id: string) =>
        errorCodeOf(await callHosted(app, `DELETE /user/identities/${id}`, token))
      const [foreign] = await app.database.sql<[{ id: string }]>`
        select i.id from identities i join accounts a on a.id = i.account_id where a.username = 'owner'`
      expect(await remove(SOME_ID)).toBe('422 identity_not_found')
      expect(await remove(foreign.id)).toBe('422 identity_not_found')
      expect(await remove('mine')).toBe('404 validation_failed')
    })

    it('an email cannot be unlinked if another account has the address that would replace it', async () => {
      const { app, client } = await anApp()
      await link(app, client)
      const other = await officialClient(app)
      await other.signUp({ email: ADA.email, password: PASSWORD })
      expect(await unlink(client, 'email')).toBe('email_conflict_identity_not_deletable')
      expect((await client.getUser()).data.user?.email).toBe(EMAIL)
    })
  })

  describe('requests to link and unlink identities without permission', () => {
    it('linking an anonymous account ends its earlier session and removes an address and password that a stranger added', async () => {
      const { app } = await anApp({ ...ANONYMOUS, SMTP_URL: 'smtp://127.0.0.1:1' })
      const thief = await officialClient(app)
      const before = await thief.signInAnonymously()
      const planted = await thief.updateUser({ email: 'thief@example.org', password: PASSWORD })
      expect(planted.error).toBeNull()
      const token = await tokenOf(thief)
      const landed = await link(app, thief)
      const victim = await thief.getUser(fragmentIn(landed)['access_token'] ?? '')
      expect(victim.data.user).toMatchObject({ id: before.data.user?.id, email: ADA.email })
      expect((await thief.refreshSession()).error).toBeTruthy()
      expect(errorCodeOf(await callHosted(app, 'GET /user', token))).toBe('403 session_not_found')
      const byPassword = await thief.signInWithPassword({ email: ADA.email, password: PASSWORD })
      expect(byPassword.error?.code).toBe('invalid_credentials')
      const audit = await app.database.sql`select after from audit_entries where action = 'identity.linked'`
      expect(audit).toEqual([{ after: { provider: 'Keycloak', ended_sessions: 1 } }])
    })

    it('linking that began on our own page can be finished only once, and only in the browser in which it began', async () => {
      const { app, client } = await anApp()
      const [mine, stranger] = [new Browser(app), new Browser(app)]
      const begin = () => beginOnPage(mine, client)
      const elsewhere = await stranger.follow(await begin(), isHome)
      expect(fragmentIn(elsewhere)).toMatchObject({ error_code: 'bad_oauth_state' })
      expect(await providersOf(client)).toEqual(['email'])
      const callback = await mine.follow(await begin(), isCallback)
      const planted = await stranger.follow(callback.pathname + callback.search, isHome)
      expect(fragmentIn(planted)).toMatchObject({ error_code: 'bad_oauth_state' })
      const landed = await mine.follow(callback.pathname + callback.search, isHome)
      expect(fragmentIn(landed)['access_token']).toBeTruthy()
      expect(await providersOf(client)).toEqual(['email', 'keycloak'])
      const again = await mine.follow(callback.pathname + callback.search, isHome)
      expect(fragmentIn(again)).toMatchObject({ error_code: 'flow_state_already_used' })
    })

    it('linking that is not bound to a browser takes effect only when the person who began it exchanges the code', async () => {
      const { app } = await anApp()
      const beginner = await pkceClient(app)
      await beginner.signInWithPassword({ email: EMAIL, password: PASSWORD })
      const linked = () => app.database.sql`select 1 from identities where provider = 'keycloak'`
      const landed = await new Browser(app).follow(await beginLink(beginner), isHome)
      const code = landed.searchParams.get('code') ?? ''
      expect(code).not.toBe('')
      expect(await linked()).toHaveLength(0)
      // The browser that came back from the provider does not have the code verifier.
      const payload = { auth_code: code, code_verifier: 'x'.repeat(64) }
      const stranger = await callHosted(app, 'POST /token?grant_type=pkce', '', { payload })
      expect(errorCodeOf(stranger)).toBe('400 bad_code_verifier')
      expect(await linked()).toHaveLength(0)
      expect((await beginner.exchangeCodeForSession(code)).error).toBeNull()
      expect(await linked()).toHaveLength(1)
    })

    it('linking without a code challenge needs a cookie, which a page at another origin cannot get', async () => {
      const { app, client } = await anApp()
      const elsewhere = await new Browser(app).follow(await beginLink(client), isHome)
      expect(fragmentIn(elsewhere)).toMatchObject({ error_code: 'bad_oauth_state' })
      const refused = await app.http.inject({
        url: LINK_ADDRESS,
        headers: { authorization: `Bearer ${await tokenOf(client)}`, 'sec-fetch-site': 'cross-site' },
      })
      expect([refused.statusCode, refused.headers['set-cookie']]).toEqual([400, undefined])
      expect(await providersOf(client)).toEqual(['email'])
    })

    it('exchanging the code for linking is refused and audited if the identity is taken or the session has ended', async () => {
      const { app } = await anApp()
      await new Browser(app).follow('/auth/v1/authorize?provider=keycloak', isHome)
      const codes: (string | undefined)[] = []
      for (const ends of [false, true]) {
        const client = await pkceClient(app)
        await client.signInWithPassword({ email: EMAIL, password: PASSWORD })
        const landed = await new Browser(app).follow(await beginLink(client), isHome)
        if (ends) await app.database.sql`delete from sessions`
        const { error } = await client.exchangeCodeForSession(landed.searchParams.get('code') ?? '')
        codes.push(error?.code ?? error?.name)
      }
      expect(codes).toEqual(['identity_already_exists', 'AuthSessionMissingError'])
      const audited = await app.database.sql<{ reason: string }[]>`
        select after->>'reason' as reason from audit_entries where action = 'session.refused' order by at, id`
      expect(audited.map(({ reason }) => reason)).toEqual(['identity_taken', 'session_not_found'])
    })

    it('an anonymous account that is linked but must wait for approval becomes permanent and loses its session', async () => {
      const { app } = await anApp({ ...ANONYMOUS, SIGNUPS: 'approval' })
      const client = await officialClient(app)
      await client.signInAnonymously()
      const landed = await link(app, client)
      expect(fragmentIn(landed)).toMatchObject({ error: 'access_denied', error_code: 'user_banned' })
      expect(await app.database.sql`select 1 from sessions`).toHaveLength(0)
      expect(await app.database.sql`select is_anonymous from accounts where email = ${ADA.email}`).toEqual([
        { is_anonymous: false },
      ])
    })

    it('nobody can sign in to an account with an identity that is being unlinked from it', async () => {
      const { app, client, server } = await anApp()
      await link(app, client)
      const payload = { provider: 'keycloak', id_token: await server.idToken(ADA) }
      const { answer } = await app.database.transaction(async (tx) => {
        await tx`select from accounts where email = ${EMAIL} for update`
        await tx`delete from identities where provider = 'keycloak'`
        const sent = callHosted(app, 'POST /token?grant_type=id_token', '', { payload }).then((answer) =>
          answer.json(),
        )
        await untilWaiting(app, 1)
        return { answer: sent }
      })
      expect(await answer).toMatchObject({ user: { email: ADA.email } })
    })

    it('linking and unlinking identities are refused if they are disabled', async () => {
      const { app } = await anAppWithProvider()
      const client = await officialClient(app)
      await client.signUp({ email: EMAIL, password: PASSWORD })
      const asked = await client.linkIdentity({
        provider: 'keycloak',
        options: { skipBrowserRedirect: true },
      })
      const byToken = await client.linkIdentity({ provider: 'keycloak', token: 'a.b.c' })
      const codes = [asked.error?.code, byToken.error?.code, await unlink(client, 'email')]
      expect(codes).toEqual(Array(3).fill('manual_linking_disabled'))
    })

    it('linking and unlinking identities require reauthentication if the sign-in is old', async () => {
      const { app, client, server } = await anApp()
      app.clock.advance(HOUR_MS / 2)
      const asked = await client.linkIdentity({
        provider: 'keycloak',
        options: { skipBrowserRedirect: true },
      })
      const byToken = await client.linkIdentity({ provider: 'keycloak', token: await server.idToken(ADA) })
      const codes = [asked.error?.code, byToken.error?.code, await unlink(client, 'email')]
      expect(codes).toEqual(Array(3).fill('reauthentication_required'))
    })

    it('a session cannot link an identity if it ended while the person was at the provider, or lacks the second factor', async () => {
      const { app, client, server } = await anApp()
      const browser = new Browser(app)
      const callback = await browser.follow(await beginOnPage(browser, client), isCallback)
      const second = new Browser(app)
      const address = await beginOnPage(second, client)
      await app.database.sql`
        insert into factors (id, account_id, factor_type, status, friendly_name, secret_sealed, created_at, updated_at)
        select ${SOME_ID}, id, 'totp', 'verified', '', 'sealed', now(), now() from accounts where email = ${EMAIL}`
      const due = await browser.follow(callback.href, isHome)
      expect(fragmentIn(due)).toMatchObject({ error_code: 'insufficient_aal' })
      const byToken = await client.linkIdentity({ provider: 'keycloak', token: await server.idToken(ADA) })
      expect(byToken.error?.code).toBe('insufficient_aal')
      await app.database.sql`delete from factors`
      const late = await second.follow(address, isCallback)
      await client.signOut()
      const ended = await second.follow(late.href, isHome)
      expect(fragmentIn(ended)).toMatchObject({ error_code: 'bad_oauth_state' })
      const nobody = await officialClient(app)
      expect((await nobody.linkIdentity({ provider: 'keycloak', token: 'a.b.c' })).error).toBeTruthy()
      expect(await app.database.sql`select 1 from identities where provider = 'keycloak'`).toHaveLength(0)
    })
  })
})
