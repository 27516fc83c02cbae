import type { SsoProvider } from '@pegasus/contracts/auth/sso-providers'
import { describe, expect, it } from 'vitest'
import { SITE } from '../../../../test/support/accounts/providers/provider-app.ts'
import {
  ACME,
  anAppOfAcme,
  aSamlApp,
  post,
  signInAs,
  subjectIn,
} from '../../../../test/support/accounts/providers/saml-app.ts'
import {
  ADA_AT_WORK,
  OTHER_KEY,
  SamlIdp,
  readRequest,
} from '../../../../test/support/accounts/providers/saml-idp.ts'
import type { TestApp } from '../../../../test/support/build-test-app.ts'
import { replaceRole } from '../../users/index.ts'
import { expectOneResponse } from '../../../../test/support/repeated-requests.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

const callAs = async (app: TestApp, role: 'admin' | 'owner' | 'staff') => {
  const headers = await app.as(role)
  return (method: Method, path: string, payload?: Record<string, unknown>, revision?: number) =>
    app.http.inject({
      method,
      url: `/api/sso-providers${path}`,
      headers: { ...headers, ...(revision !== undefined && { 'if-match': `"${revision}"` }) },
      ...(payload && { payload }),
    })
}

describe('single sign-on for administrators', () => {
  it('an admin adds a SAML provider, changes its domains and attributes, and removes it', async () => {
    const { app } = await aSamlApp()
    const call = await callAs(app, 'admin')
    const idp = new SamlIdp()
    const created = await call('POST', '', {
      metadata_xml: idp.metadata(),
      domains: ['@acme.example', ''],
      email_attribute: 'work-mail',
    })
    expect([created.statusCode, created.json()]).toMatchObject([
      201,
      {
        entity_id: idp.entityId,
        sign_in_url: idp.signInUrl,
        domains: [ACME],
        email_attribute: 'work-mail',
        name_attribute: null,
        accounts: 0,
        last_test: null,
      },
    ])
    const { id, revision } = created.json<SsoProvider>()
    const changed = await call(
      'PUT',
      `/${id}`,
      { domains: ['acme.test'], email_attribute: null, name_attribute: 'cn' },
      revision,
    )
    expect([changed.statusCode, changed.json()]).toMatchObject([
      200,
      { domains: ['acme.test'], email_attribute: null, name_attribute: 'cn', revision: revision + 1 },
    ])
    const stale = await call('PUT', `/${id}`, { domains: [] }, revision)
    expect([stale.statusCode, stale.json()]).toMatchObject([412, { current: { domains: ['acme.test'] } }])
    const list = (await call('GET', '')).json()
    expect(list).toMatchObject({
      metadata_url: `${SITE}/auth/v1/sso/saml/metadata`,
      acs_url: `${SITE}/auth/v1/sso/saml/acs`,
      providers: [{ id }],
    })
    expect((await call('DELETE', `/${id}`)).statusCode).toBe(204)
    expect((await call('DELETE', `/${id}`)).statusCode).toBe(404)
  })

  it('T93 repeated requests to add a SAML provider with one key add it once', async () => {
    const { app } = await aSamlApp()
    const metadata_xml = new SamlIdp().metadata()
    const add = (domain: string) => ({
      url: '/api/sso-providers',
      payload: { metadata_xml, domains: [domain] },
    })
    const added = await expectOneResponse(app, await app.as('admin'), add(ACME), add('other.example'))
    expect([added.statusCode, added.json()]).toMatchObject([201, { domains: [ACME] }])
    const list = await (await callAs(app, 'admin'))('GET', '')
    expect(list.json<{ providers: SsoProvider[] }>().providers).toHaveLength(1)
  })

  it('a test sign-in shows who would sign in through SAML, or why nobody would, and opens no session', async () => {
    const { app, idp, providerId } = await anAppOfAcme()
    const call = await callAs(app, 'admin')
    const test = async (changes: Parameters<SamlIdp['respond']>[2] = {}) => {
      const asked = readRequest((await call('POST', `/${providerId}/test`)).json<{ url: string }>().url)
      const landed = await post(app, { asked, cookie: '' }, idp.respond(asked, app.clock.now(), changes))
      expect(landed.href).toBe(`${SITE}/?tab=people&view=sso`)
      const { providers } = (await call('GET', '')).json<{ providers: SsoProvider[] }>()
      return providers[0]?.last_test
    }
    expect(await test()).toMatchObject({
      works: true,
      reason: null,
      subject: ADA_AT_WORK.nameId,
      email: ADA_AT_WORK.email,
      full_name: ADA_AT_WORK.fullName,
      attributes: ['urn:oid:0.9.2342.19200300.100.1.3', 'displayName'],
    })
    expect(await test({ audience: 'https://other.example.com' })).toMatchObject({
      works: false,
      reason: 'saml_wrong_audience',
    })
    expect(await test({ attributes: [] })).toMatchObject({ works: false, reason: 'saml_email_missing' })
    expect(await app.database.sql`select 1 from accounts where sso_provider_id is not null`).toHaveLength(0)
    expect(await app.database.sql`select 1 from identities where provider like 'sso:%'`).toHaveLength(0)
  })

  it('the endpoints for SAML providers refuse invalid input with a message for the administrator', async () => {
    const { app, idp } = await anAppOfAcme()
    const call = await callAs(app, 'admin')
    const other = new SamlIdp('https://other.example.com/metadata')
    const say = async (payload: Record<string, unknown>) => {
      const answer = await call('POST', '', payload)
      return [answer.statusCode, answer.json<{ detail: string }>().detail]
    }
    expect(await say({})).toEqual([422, 'Enter the address of the metadata, or choose the file.'])
    expect(await say({ metadata_xml: '<a' })).toEqual([
      422,
      'The metadata is not a well-formed XML document.',
    ])
    expect(await say({ metadata_url: 'ftp://x' })).toEqual([
      422,
      'The address of the metadata must be a web address.',
    ])
    expect(await say({ metadata_url: 'https://ada:secret@idp.example.com/metadata' })).toEqual([
      422,
      'The address of the metadata must not contain a user name or a password.',
    ])
    expect(await say({ metadata_url: 'http://idp.example.com/metadata' })).toEqual([
      422,
      'The address of the metadata must begin with https.',
    ])
    expect(await say({ metadata_xml: idp.metadata() })).toEqual([
      409,
      'This provider has already been added.',
    ])
    expect(await say({ metadata_xml: other.metadata(), domains: [ACME] })).toEqual([
      409,
      'The domain acme.example belongs to another provider.',
    ])
    expect(await say({ metadata_xml: other.metadata(), domains: ['a b'] })).toEqual([
      422,
      'A domain looks like example.com.',
    ])
  })

  it('staff cannot manage SAML providers, nor can an admin change one through which another admin signs in', async () => {
    const { app, idp, providerId } = await anAppOfAcme()
    const staff = await callAs(app, 'staff')
    expect((await staff('GET', '')).statusCode).toBe(403)
    const sub = subjectIn(await signInAs(app, idp))
    await app.database.transaction((tx) => replaceRole(tx, sub, 'admin'))
    const admin = await callAs(app, 'admin')
    const { providers } = (await admin('GET', '')).json<{ providers: SsoProvider[] }>()
    const revision = providers[0]?.revision ?? 0
    const metadata = idp.metadata({ keys: [OTHER_KEY] })
    expect((await admin('PUT', `/${providerId}`, { metadata_xml: metadata }, revision)).statusCode).toBe(403)
    expect((await admin('DELETE', `/${providerId}`)).statusCode).toBe(403)
    const owner = await callAs(app, 'owner')
    expect((await owner('PUT', `/${providerId}`, { metadata_xml: metadata }, revision)).statusCode).toBe(200)
    expect((await owner('DELETE', `/${providerId}`)).statusCode).toBe(204)
  })
})
