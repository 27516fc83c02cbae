import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { entriesOf } from '../../../../test/support/audit-entries.ts'
import { officialClient } from '../../../../test/support/accounts/official-client.ts'
import { callHosted, errorCodeOf } from '../../../../test/support/accounts/second-factor.ts'
import { aServiceKey } from '../../../../test/support/accounts/service-keys.ts'
import { PASSWORD, type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'

const NOBODY = '01890000-0000-7000-8000-000000000000'
const CLIENTS = '/admin/oauth/clients'
const REDIRECT = 'https://app.example.com/callback'
const SHOP = { client_name: 'Shop', redirect_uris: [REDIRECT] }

/** Builds an app, its admin client with a secret key, and a function that registers a client. */
async function anApp() {
  const app = await buildTestApp()
  const { key } = await aServiceKey(app)
  const client = await officialClient(app, { headers: { Authorization: `Bearer ${key}` } })
  const send = (route: string, payload?: Record<string, unknown>) =>
    callHosted(app, route, key, payload && { payload })
  const register = async (payload: Record<string, unknown> = SHOP) =>
    (await send(`POST ${CLIENTS}`, payload)).json<{ client_id: string; client_secret: string }>()
  return { app, key, oauth: client.admin.oauth, send, register }
}

const clientEntries = async (app: TestApp) =>
  (await entriesOf(app)).filter(({ entity }) => entity === 'oauth_client')

describe('OAuth clients in the admin API', () => {
  describe('valid OAuth client requests', () => {
    it('the official client registers, lists, reads, changes and removes an OAuth client, and the audit names the key', async () => {
      const { app, oauth } = await anApp()
      const made = await oauth.createClient({
        ...SHOP,
        client_uri: 'https://app.example.com',
        grant_types: ['authorization_code', 'authorization_code'],
        response_types: ['code'],
        scope: 'openid email',
      })
      expect(made.error).toBeNull()
      expect(made.data).toMatchObject({
        client_name: 'Shop',
        client_type: 'confidential',
        token_endpoint_auth_method: 'client_secret_basic',
        registration_type: 'manual',
        client_uri: 'https://app.example.com',
        redirect_uris: [REDIRECT],
        grant_types: ['authorization_code'],
        response_types: ['code'],
        scope: 'openid email',
      })
      const id = made.data?.client_id ?? ''
      expect(made.data?.client_secret).toMatch(/^[\w-]{43}$/)
      const { client_secret: _secret, ...described } = made.data ?? { client_secret: '' }
      expect((await oauth.getClient(id)).data).toEqual(described)
      const changed = await oauth.updateClient(id, { logo_uri: 'https://app.example.com/logo.png' })
      expect(changed.data).toMatchObject({
        client_name: 'Shop',
        logo_uri: 'https://app.example.com/logo.png',
      })
      expect((await oauth.updateClient(id, { client_uri: '' })).data).not.toHaveProperty('client_uri')
      expect((await oauth.deleteClient(id)).error).toBeNull()
      expect((await oauth.getClient(id)).error).toMatchObject({ status: 404, code: 'oauth_client_not_found' })
      const entries = await clientEntries(app)
      expect(entries.map(({ action, entity_name: name, actor_name: by }) => [action, name, by])).toEqual([
        ['oauth_client.registered', 'Shop', 'Account sync'],
        ['oauth_client.updated', 'Shop', 'Account sync'],
        ['oauth_client.updated', 'Shop', 'Account sync'],
        ['oauth_client.removed', 'Shop', 'Account sync'],
      ])
    })

    it('the secret of an OAuth client is shown once, only its hash is stored, and a new secret replaces it', async () => {
      const { app, oauth } = await anApp()
      const { data } = await oauth.createClient(SHOP)
      const { client_id: id, client_secret: first = '' } = data ?? { client_id: '' }
      const hashOf = async () => {
        const [row] = await app.database.sql<[{ hash: string }]>`
          select encode(secret_hash, 'hex') as hash from oauth_clients where id = ${id}`
        return row.hash
      }
      const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
      expect(await hashOf()).toBe(sha256(first))
      const second = (await oauth.regenerateClientSecret(id)).data?.client_secret ?? ''
      expect(second).toMatch(/^[\w-]{43}$/)
      expect([second === first, (await hashOf()) === sha256(second)]).toEqual([false, true])
      const entries = JSON.stringify(await clientEntries(app))
      for (const texts of [entries, JSON.stringify(await oauth.listClients())])
        expect([texts.includes(first), texts.includes(second)]).toEqual([false, false])
      expect(entries).toContain('oauth_client.secret_replaced')
    })

    it('a public OAuth client has no secret', async () => {
      const { oauth, send } = await anApp()
      const { data } = await oauth.createClient({ ...SHOP, token_endpoint_auth_method: 'none' })
      expect(data).toMatchObject({ client_type: 'public', token_endpoint_auth_method: 'none' })
      expect(data).not.toHaveProperty('client_secret')
      const { error } = await oauth.regenerateClientSecret(data?.client_id ?? '')
      expect([error?.status, error?.message]).toEqual([400, 'Cannot regenerate secret for public client'])
      const named = await send(`POST ${CLIENTS}`, { ...SHOP, client_type: 'public' })
      expect(named.json()).toMatchObject({ client_type: 'public', token_endpoint_auth_method: 'none' })
    })

    it('OAuth clients are listed page by page, newest first, with their total number', async () => {
      const { oauth, register, app } = await anApp()
      const names = ['First', 'Second', 'Third']
      for (const client_name of names) {
        await register({ ...SHOP, client_name })
        app.clock.advance(1000)
      }
      const all = await oauth.listClients()
      expect(all.data.clients.map(({ client_name: name }) => name)).toEqual(names.toReversed())
      const { data } = await oauth.listClients({ page: 1, perPage: 2 })
      expect(data).toMatchObject({ aud: 'authenticated', total: 3, nextPage: 2, lastPage: 2 })
      expect(data.clients).toHaveLength(2)
      const rest = await oauth.listClients({ page: 2, perPage: 2 })
      expect(rest.data.clients.map(({ client_name: name }) => name)).toEqual(['First'])
    })
  })

  describe('invalid OAuth client requests', () => {
    it('an OAuth client with an invalid field is refused with the name of the field, and nothing is stored', async () => {
      const { app, send } = await anApp()
      const refusals: Record<string, string> = {}
      const cases: readonly [string, Record<string, unknown>][] = [
        ['nothing', {}],
        ['no name', { redirect_uris: [REDIRECT] }],
        ['a blank name', { ...SHOP, client_name: ' ' }],
        ['a long name', { ...SHOP, client_name: 'x'.repeat(1025) }],
        ['a NUL in the name', { ...SHOP, client_name: 'a\0b' }],
        ['half a character', { ...SHOP, client_name: '\ud800' }],
        ['no redirect', { ...SHOP, redirect_uris: [] }],
        ['11 redirects', { ...SHOP, redirect_uris: Array.from({ length: 11 }, () => REDIRECT) }],
        ['no address', { ...SHOP, redirect_uris: ['callback'] }],
        ['a script', { ...SHOP, redirect_uris: ['javascript://example.com/%0aalert(1)'] }],
        ['a page of data', { ...SHOP, redirect_uris: ['data:text/html,x'] }],
        ['plain http', { ...SHOP, redirect_uris: ['http://app.example.com/callback'] }],
        ['credentials', { ...SHOP, redirect_uris: ['https://a:b@app.example.com/'] }],
        ['a fragment', { ...SHOP, redirect_uris: [`${REDIRECT}#`] }],
        ['a long address', { ...SHOP, redirect_uris: [`${REDIRECT}?${'x'.repeat(2048)}`] }],
        ['another grant', { ...SHOP, grant_types: ['password'] }],
        ['no grant', { ...SHOP, grant_types: [] }],
        ['another response', { ...SHOP, response_types: ['token'] }],
        ['another type', { ...SHOP, client_type: 'secret' }],
        ['another method', { ...SHOP, token_endpoint_auth_method: 'private_key_jwt' }],
        [
          'a public client with a secret',
          { ...SHOP, client_type: 'public', token_endpoint_auth_method: 'client_secret_post' },
        ],
        ['a script as the page', { ...SHOP, client_uri: 'javascript:alert(1)' }],
        ['credentials in the page', { ...SHOP, client_uri: 'https://a:b@app.example.com/' }],
        ['a script as the logo', { ...SHOP, logo_uri: 'data:image/svg+xml,x' }],
        ['a number as the name', { ...SHOP, client_name: 7 }],
        ['a text as redirects', { ...SHOP, redirect_uris: REDIRECT }],
      ]
      for (const [name, payload] of cases) {
        const answer = await send(`POST ${CLIENTS}`, payload)
        refusals[name] = `${errorCodeOf(answer)} ${answer.json<{ message: string }>().message}`
      }
      expect(refusals).toEqual({
        '11 redirects': '400 validation_failed redirect_uris cannot exceed 10 items',
        'a NUL in the name': '400 validation_failed client_name contains characters that cannot be stored',
        'a blank name': '400 validation_failed client_name is required',
        'a fragment': '400 validation_failed invalid redirect_uri: fragment not allowed',
        'a long address': '400 validation_failed invalid redirect_uri: too long',
        'a long name': '400 validation_failed client_name cannot exceed 1024 characters',
        'a number as the name': '400 validation_failed client_name must be text.',
        'a page of data': "400 validation_failed invalid redirect_uri: scheme 'data' is not allowed",
        'a public client with a secret':
          '400 validation_failed token_endpoint_auth_method client_secret_post does not fit a public client',
        'a script': "400 validation_failed invalid redirect_uri: scheme 'javascript' is not allowed",
        'a script as the logo': '400 validation_failed logo_uri must be a valid URL',
        'credentials in the page': '400 validation_failed client_uri must not contain credentials',
        'a script as the page': '400 validation_failed client_uri must be a valid URL',
        'a text as redirects': '400 validation_failed redirect_uris must be a list of strings',
        'another grant': '400 validation_failed grant_types must be authorization_code or refresh_token',
        'another method':
          '400 validation_failed token_endpoint_auth_method must be client_secret_basic or client_secret_post or none',
        'another response': '400 validation_failed response_types must be code',
        'another type': '400 validation_failed client_type must be confidential or public',
        credentials: '400 validation_failed invalid redirect_uri: must not contain credentials',
        'half a character': '400 validation_failed client_name contains characters that cannot be stored',
        'no address': '400 validation_failed invalid redirect_uri: invalid URL format',
        'no grant': '400 validation_failed grant_types cannot be empty',
        'no name': '400 validation_failed client_name is required',
        'no redirect': '400 validation_failed redirect_uris is required',
        nothing: '400 validation_failed client_name is required',
        'plain http': '400 validation_failed invalid redirect_uri: HTTP scheme only allowed for localhost',
      })
      expect(await app.database.sql`select 1 from oauth_clients`).toEqual([])
      expect(await clientEntries(app)).toEqual([])
    })

    it('an invalid change leaves an OAuth client unchanged', async () => {
      const { oauth, send, register } = await anApp()
      const { client_id: id } = await register()
      const before = (await oauth.getClient(id)).data
      for (const payload of [
        {},
        { unknown: 'x' },
        { client_name: '' },
        { client_name: null },
        { redirect_uris: [] },
        { client_type: 'public' },
        { token_endpoint_auth_method: 'none' },
      ])
        expect(errorCodeOf(await send(`PUT ${CLIENTS}/${id}`, payload))).toBe('400 validation_failed')
      expect((await oauth.getClient(id)).data).toEqual(before)
    })

    it('an unknown OAuth client and a path without a valid id return different 404 errors', async () => {
      const { send } = await anApp()
      const calls = ['GET', 'PUT', 'DELETE'].map((method) => `${method} ${CLIENTS}/`)
      for (const call of calls)
        expect([
          errorCodeOf(await send(`${call}${NOBODY}`, call.startsWith('PUT') ? SHOP : undefined)),
          errorCodeOf(await send(`${call}none`, call.startsWith('PUT') ? SHOP : undefined)),
        ]).toEqual(['404 oauth_client_not_found', '404 validation_failed'])
      expect(errorCodeOf(await send(`POST ${CLIENTS}/${NOBODY}/regenerate_secret`))).toBe(
        '404 oauth_client_not_found',
      )
    })

    it('there are at most 200 OAuth clients, even if two programs register them at the same time', async () => {
      const { app, send } = await anApp()
      await app.database.sql`
        insert into oauth_clients (id, name, client_type, auth_method, redirect_uris, grant_types, created_at, updated_at)
        select gen_random_uuid(), 'Client ' || n, 'public', 'none', ${[REDIRECT]}, ${['authorization_code']}, now(), now()
        from generate_series(1, 199) n`
      const answers = await Promise.all([1, 2, 3].map(() => send(`POST ${CLIENTS}`, SHOP)))
      expect(answers.map(errorCodeOf).toSorted()).toEqual(['201', ...Array(2).fill('400 validation_failed')])
    })
  })

  describe('OAuth client requests without permission', () => {
    it('only a secret key gives access to OAuth clients; sessions, publishable keys and calls without credentials are refused', async () => {
      const { app, register } = await anApp()
      const { client_id: id } = await register()
      const { key: publishable } = await aServiceKey(app, 'publishable')
      const owner = await app.signIn(await app.anAccount('owner'))
      const routes = [
        `GET ${CLIENTS}`,
        `POST ${CLIENTS}`,
        `GET ${CLIENTS}/${id}`,
        `PUT ${CLIENTS}/${id}`,
        `DELETE ${CLIENTS}/${id}`,
        `POST ${CLIENTS}/${id}/regenerate_secret`,
      ]
      for (const route of routes) {
        const [method, path] = route.split(' ')
        const stranger = await app.http.inject({ method: method as 'GET', url: `/auth/v1${path}` })
        expect([
          errorCodeOf(await callHosted(app, route, owner)),
          errorCodeOf(await callHosted(app, route, publishable)),
          stranger.statusCode,
        ]).toEqual(['403 not_admin', '403 not_admin', 401])
      }
      expect(await app.database.sql`select name from oauth_clients`).toEqual([{ name: 'Shop' }])
    })
  })
})

describe('the OAuth 2.1 server of Supabase (the hosted service)', () => {
  it('every call of the OAuth server returns feature_disabled, so that nobody can sign in to an OAuth client', async () => {
    const { app, register } = await anApp()
    const { client_id: id } = await register()
    const client = await officialClient(app)
    await client.signInWithPassword({
      email: `${await app.anAccount('staff')}@example.com`,
      password: PASSWORD,
    })
    const { oauth } = client
    const answers = [
      await oauth.getAuthorizationDetails(NOBODY),
      await oauth.approveAuthorization(NOBODY, { skipBrowserRedirect: true }),
      await oauth.denyAuthorization(NOBODY, { skipBrowserRedirect: true }),
      await oauth.listGrants(),
      await oauth.revokeGrant({ clientId: id }),
    ]
    const disabled = [404, 'feature_disabled', 'OAuth server is disabled']
    expect(answers.map(({ error }) => [error?.status, error?.code, error?.message])).toEqual(
      answers.map(() => disabled),
    )
    const query = `client_id=${id}&redirect_uri=${encodeURIComponent(REDIRECT)}&response_type=code`
    for (const [method, path] of [
      ['GET', `/oauth/authorize?${query}`],
      ['POST', '/oauth/token'],
      ['GET', '/oauth/userinfo'],
      ['POST', '/oauth/clients/register'],
    ] as const) {
      const answer = await app.http.inject({ method, url: `/auth/v1${path}` })
      expect([answer.statusCode, answer.json()]).toMatchObject([404, { error_code: 'feature_disabled' }])
    }
    const other = await app.http.inject('/auth/v1/oauthx')
    expect(other.json()).toMatchObject({ error_code: 'validation_failed' })
  })
})
