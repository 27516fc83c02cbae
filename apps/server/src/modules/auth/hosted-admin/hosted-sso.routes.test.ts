import { describe, expect, it } from 'vitest'
import { aKey, keyHeader } from '../../../../test/support/accounts/api-keys.ts'
import { listen } from '../../../../test/support/accounts/providers/listen.ts'
import {
  ACME,
  type SamlApp,
  aSamlApp,
  addProvider,
  anAppOfAcme,
  begin,
  post,
  signInAs,
  subjectIn,
} from '../../../../test/support/accounts/providers/saml-app.ts'
import {
  ADA_AT_WORK,
  OTHER_KEY,
  SamlIdp,
  WEAK_KEY,
} from '../../../../test/support/accounts/providers/saml-idp.ts'
import { entriesOf } from '../../../../test/support/audit-entries.ts'
import { claimsOf } from '../../../../test/support/accounts/second-factor.ts'
import { buildTestApp } from '../../../../test/support/build-test-app.ts'
import { DAY_MS } from '../../../platform/clock.ts'
import { replaceRole } from '../../users/index.ts'

const NOBODY = '01890000-0000-7000-8000-000000000000'

/** Starts a server for metadata. A test can change the metadata that it serves. */
async function aMetadataServer(text: string) {
  const server = { text, status: 200, calls: 0, url: '', host: '' }
  const base = await listen((_request, response) => {
    server.calls += 1
    response.writeHead(server.status, { 'content-type': 'application/xml' }).end(server.text)
  })
  server.url = `${base}/metadata`
  server.host = new URL(base).host
  return server
}

/** Stores a metadata address of a local server directly in the database, because the API accepts only https. */
const readFrom = ({ app }: SamlApp, id: string, url: string) =>
  app.database.sql`update sso_providers set metadata_url = ${url} where id = ${id}`

describe('the admin API for single sign-on', () => {
  describe('valid admin requests for single sign-on', () => {
    it('a service key adds, lists, reads, changes and removes a provider, and the audit names the key', async () => {
      const saml = await aSamlApp()
      const { app, byKey } = saml
      const idp = new SamlIdp()
      const mapping = { keys: { email: { name: 'mail' }, team: { names: ['groups'], array: true } } }
      const added = await byKey('POST', '', {
        type: 'saml',
        metadata_xml: idp.metadata(),
        domains: ['Acme.Example', 'acme.example', 'täm.example'],
        attribute_mapping: mapping,
        name_id_format: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
        resource_id: 'acme-1',
      })
      expect(added).toMatchObject({
        status: 201,
        body: {
          resource_id: 'acme-1',
          disabled: false,
          saml: {
            entity_id: idp.entityId,
            metadata_xml: idp.metadata(),
            attribute_mapping: mapping,
            name_id_format: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
          },
          domains: [{ domain: 'acme.example' }, { domain: 'xn--tm-via.example' }],
        },
      })
      const id = String(added.body['id'])
      const list = await byKey('GET', '')
      expect(list.body['items']).toMatchObject([{ id, saml: { entity_id: idp.entityId } }])
      expect(JSON.stringify(list.body)).not.toContain('metadata_xml')
      expect((await byKey('GET', '?resource_id_prefix=acme')).body['items']).toHaveLength(1)
      expect((await byKey('GET', '?resource_id=acme')).body['items']).toHaveLength(0)
      for (const name of [id, 'resource_acme-1'])
        expect(await byKey('GET', `/${name}`)).toMatchObject({ status: 200, body: { id } })
      const changed = await byKey('PUT', '/resource_acme-1', {
        domains: ['acme.example', 'acme.test'],
        resource_id: '',
        disabled: true,
      })
      expect(changed).toMatchObject({
        status: 200,
        body: {
          disabled: true,
          saml: { attribute_mapping: mapping },
          domains: [{ domain: 'acme.example' }, { domain: 'acme.test' }],
        },
      })
      expect(changed.body['resource_id']).toBeUndefined()
      expect(await byKey('DELETE', `/${id}`)).toMatchObject({ status: 200, body: { id } })
      expect((await byKey('GET', '')).body['items']).toEqual([])
      const audit = await app.database.sql<{ action: string; actor_kind: string; entity_name: string }[]>`
        select action, actor_kind, entity_name from audit_entries where entity = 'sso_provider' order by at, id`
      expect(audit.map(({ action }) => action)).toEqual([
        'sso_provider.added',
        'sso_provider.updated',
        'sso_provider.removed',
      ])
      expect(audit.every(({ entity_name: name }) => name === idp.entityId)).toBe(true)
    })

    it('a mapped attribute can be a list, have a default value, or have several names', async () => {
      const saml = await aSamlApp()
      const idp = new SamlIdp()
      await addProvider(saml, idp, {
        domains: [ACME],
        attribute_mapping: {
          keys: {
            email: { name: 'nothing', names: ['work-mail'] },
            name: { name: 'cn' },
            groups: { name: 'memberOf', array: true },
            plan: { name: 'plan', default: 'free' },
            // The audit rejects entries with fields of these names. A mapping may use them nevertheless.
            token: { name: 'token-id' },
            sub: { name: 'cn' },
          },
        },
      })
      const attributes = [
        { name: 'work-mail', values: ['Grace@Acme.example'] },
        { name: 'urn:x', friendlyName: 'CN', values: ['Grace Hopper'] },
        { name: 'memberOf', values: ['a', 'b'] },
      ]
      const fields = await signInAs(saml.app, idp, { attributes })
      const claims = claimsOf(fields['access_token'] ?? '')
      expect(claims).toMatchObject({ email: 'grace@acme.example' })
      const headers = { authorization: `Bearer ${fields['access_token']}` }
      const user = (await saml.app.http.inject({ url: '/auth/v1/user', headers })).json()
      expect(user).toMatchObject({
        identities: [
          {
            id: ADA_AT_WORK.nameId,
            identity_data: {
              sub: ADA_AT_WORK.nameId,
              full_name: 'Grace Hopper',
              custom_claims: { groups: ['a', 'b'], plan: 'free' },
            },
          },
        ],
      })
    })

    it("the server reads a provider's metadata again every day, and keeps the known metadata if that fails", async () => {
      const idp = new SamlIdp()
      const server = await aMetadataServer(idp.metadata({ keys: [OTHER_KEY] }))
      const saml = await aSamlApp({ SIGN_IN_PROVIDER_ALLOW: server.host })
      const { app } = saml
      const id = await addProvider(saml, idp)
      await readFrom(saml, id, server.url)
      await app.auth.purge()
      expect(server.calls).toBe(0)
      app.clock.advance(DAY_MS)
      await app.auth.purge()
      expect(server.calls).toBe(1)
      expect(await signInAs(app, idp)).toMatchObject({ error_code: 'validation_failed' })
      expect(await signInAs(app, new SamlIdp(idp.entityId, OTHER_KEY))).toMatchObject({
        token_type: 'bearer',
      })
      // The audit records a change of the keys, because a person who has a key can sign in as anybody at this provider.
      const updated = (await entriesOf(app)).filter(({ action }) => action === 'sso_provider.updated')
      expect(updated.at(-1)).toMatchObject({
        actor_id: null,
        before: { certificates: [expect.stringMatching(/^([0-9A-F]{2}:){31}/)] },
        after: { certificates: [expect.stringMatching(/^([0-9A-F]{2}:){31}/)] },
      })
      for (const text of ['<html/>', new SamlIdp('https://other.example.com').metadata(), '']) {
        app.clock.advance(DAY_MS)
        server.text = text
        await app.auth.purge()
      }
      server.status = 500
      app.clock.advance(DAY_MS)
      await app.auth.purge()
      expect(server.calls).toBe(5)
      expect(await signInAs(app, new SamlIdp(idp.entityId, OTHER_KEY))).toMatchObject({
        token_type: 'bearer',
      })
    })

    it('nobody can sign in through a disabled provider, and neither its existing sessions nor responses already on their way are accepted', async () => {
      const { app, byKey, idp, providerId } = await anAppOfAcme()
      const headers = { authorization: `Bearer ${(await signInAs(app, idp))['access_token']}` }
      expect((await app.http.inject({ url: '/api/auth/me', headers })).statusCode).toBe(200)
      const begun = await begin(app)
      await byKey('PUT', `/${providerId}`, { disabled: true })
      expect((await app.http.inject({ url: '/api/auth/me', headers })).statusCode).toBe(401)
      const landed = await post(app, begun, idp.respond(begun.asked, app.clock.now()))
      expect(landed.searchParams.get('error_code')).toBe('sso_provider_disabled')
      const again = await app.http.inject({ method: 'POST', url: '/auth/v1/sso', payload: { domain: ACME } })
      expect([again.statusCode, again.json()]).toMatchObject([404, { error_code: 'sso_provider_disabled' }])
    })

    it('removing a provider ends the sessions and API keys of its accounts, and sign-ins that have not been completed', async () => {
      const { app, byKey, idp, providerId } = await anAppOfAcme()
      const fields = await signInAs(app, idp)
      await app.database.transaction((tx) => replaceRole(tx, subjectIn(fields), 'staff'))
      await app.database.sql`
        insert into profiles (account_id, system_access) values (${subjectIn(fields)}, true)
        on conflict (account_id) do update set system_access = true`
      const { key } = await aKey(app, { username: 'ada', scope: ['integration'] })
      const byApiKey = async () =>
        (await app.http.inject({ url: '/api/integration/stock', headers: keyHeader(key) })).statusCode
      expect(await byApiKey()).toBe(200)
      const challenge = { code_challenge: 'c'.repeat(43), code_challenge_method: 'plain' }
      const begun = await begin(app, challenge)
      const landed = await post(app, begun, idp.respond(begun.asked, app.clock.now()))
      const open = await begin(app)
      await byKey('DELETE', `/${providerId}`)
      expect(await byApiKey()).toBe(401)
      const headers = { authorization: `Bearer ${fields['access_token']}` }
      expect((await app.http.inject({ url: '/api/auth/me', headers })).statusCode).toBe(401)
      const exchanged = await app.http.inject({
        method: 'POST',
        url: '/auth/v1/token?grant_type=pkce',
        payload: { auth_code: landed.searchParams.get('code'), code_verifier: 'c'.repeat(43) },
      })
      expect(exchanged.json()).toMatchObject({ error_code: 'flow_state_not_found' })
      const late = await post(app, open, idp.respond(open.asked, app.clock.now()))
      expect(late.searchParams.get('error_code')).toBe('saml_relay_state_not_found')
      const [account] = await app.database.sql<[{ all: string }]>`
        select row_to_json(a)::text as all from accounts a where username = 'ada'`
      expect(JSON.parse(account.all)).toMatchObject({
        sso_provider_id: null,
        sso_email: null,
        app_metadata: {},
      })
    })
  })

  describe('invalid admin requests for single sign-on', () => {
    it('the admin API for single sign-on refuses unusable fields and metadata', async () => {
      const saml = await anAppOfAcme()
      const other = new SamlIdp('https://other.example.com/metadata')
      const xml = other.metadata()
      const create = async (payload: Record<string, unknown>) => {
        const { status, body } = await saml.byKey('POST', '', { type: 'saml', ...payload })
        return [status, body['error_code'], body['msg']]
      }
      const cases: [Record<string, unknown>, number, string][] = [
        [{ type: 'oidc', metadata_xml: xml }, 400, 'validation_failed'],
        [{}, 400, 'validation_failed'],
        [{ metadata_xml: xml, metadata_url: 'https://a.example' }, 400, 'validation_failed'],
        [{ metadata_url: 'http://a.example' }, 400, 'validation_failed'],
        [{ metadata_url: 'nothing' }, 400, 'validation_failed'],
        [{ metadata_xml: xml, name_id_format: 'x' }, 400, 'validation_failed'],
        [{ metadata_xml: xml, domains: [ACME] }, 400, 'sso_domain_already_exists'],
        [{ metadata_xml: xml, domains: ['not a domain'] }, 400, 'validation_failed'],
        [{ metadata_xml: saml.idp.metadata() }, 422, 'saml_idp_already_exists'],
        [{ metadata_xml: '<a/>' }, 400, 'saml_metadata_fetch_failed'],
        [{ metadata_xml: 'no xml' }, 400, 'saml_metadata_fetch_failed'],
        [{ metadata_xml: `<!DOCTYPE a>${xml}` }, 400, 'saml_metadata_fetch_failed'],
        [{ metadata_xml: xml.replace(/entityID="[^"]*"/, 'entityID=""') }, 400, 'saml_metadata_fetch_failed'],
        [{ metadata_xml: xml.replaceAll('HTTP-Redirect', 'SOAP') }, 400, 'saml_metadata_fetch_failed'],
        [
          { metadata_xml: xml.replace(/<ds:X509Certificate>[^<]*/, '<ds:X509Certificate>AAAA') },
          400,
          'saml_metadata_fetch_failed',
        ],
        [{ metadata_xml: other.metadata({ keys: [WEAK_KEY] }) }, 400, 'saml_metadata_fetch_failed'],
        [{ metadata_xml: other.metadata({ keys: [] }) }, 400, 'saml_metadata_fetch_failed'],
        [
          { metadata_xml: other.metadata({ more: ' validUntil="2020-01-01T00:00:00Z"' }) },
          400,
          'saml_metadata_fetch_failed',
        ],
        [{ metadata_xml: 'x'.repeat(500_001) }, 400, 'validation_failed'],
        [{ metadata_xml: xml, attribute_mapping: { keys: { a: 5 } } }, 400, 'validation_failed'],
      ]
      for (const [payload, status, code] of cases)
        expect([payload, ...(await create(payload)).slice(0, 2)]).toEqual([payload, status, code])
      expect((await saml.byKey('GET', '')).body['items']).toHaveLength(1)
    })

    it('a metadata address in the private network is not fetched unless the operator allows it', async () => {
      const { byKey } = await aSamlApp()
      const answer = await byKey('POST', '', { type: 'saml', metadata_url: 'https://127.0.0.1:1/metadata' })
      expect(answer).toMatchObject({ status: 400, body: { error_code: 'saml_metadata_fetch_failed' } })
      expect(JSON.stringify(answer.body)).not.toContain('127.0.0.1')
    })

    it('the admin API for single sign-on refuses an unknown provider, and a change to the metadata of another provider', async () => {
      const { byKey, providerId } = await anAppOfAcme()
      for (const id of [NOBODY, 'x', 'resource_x'])
        expect(await byKey('GET', `/${id}`)).toMatchObject({
          status: 404,
          body: { error_code: 'sso_provider_not_found' },
        })
      expect(await byKey('DELETE', `/${NOBODY}`)).toMatchObject({ status: 404 })
      const metadata = new SamlIdp('https://other.example.com').metadata()
      expect(await byKey('PUT', `/${providerId}`, { metadata_xml: metadata })).toMatchObject({
        status: 400,
        body: { error_code: 'saml_entity_id_mismatch' },
      })
    })
  })

  describe('admin requests for single sign-on without permission', () => {
    it('a service key cannot change the provider through which an admin signs in', async () => {
      const { app, byKey, idp, providerId } = await anAppOfAcme()
      const sub = subjectIn(await signInAs(app, idp))
      await app.database.transaction((tx) => replaceRole(tx, sub, 'admin'))
      const changes = [
        byKey('PUT', `/${providerId}`, { metadata_xml: idp.metadata({ keys: [OTHER_KEY] }) }),
        byKey('PUT', `/${providerId}`, { attribute_mapping: { keys: { email: { name: 'x' } } } }),
        byKey('PUT', `/${providerId}`, { disabled: true }),
        byKey('DELETE', `/${providerId}`),
      ]
      for (const { status, body } of await Promise.all(changes))
        expect([status, body]).toMatchObject([403, { error_code: 'not_admin' }])
      expect(await byKey('PUT', `/${providerId}`, { domains: ['acme.test'] })).toMatchObject({ status: 200 })
    })

    it('the admin API for single sign-on refuses a person, a publishable key and a call without credentials', async () => {
      const app = await buildTestApp({ variables: { GOTRUE_SAML_ENABLED: 'true' } })
      for (const headers of [{}, await app.as('owner')])
        expect(
          (await app.http.inject({ url: '/auth/v1/admin/sso/providers', headers })).statusCode,
        ).toBeOneOf([401, 403])
    })
  })
})
