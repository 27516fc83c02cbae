import { createPublicKey, verify } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { officialClient } from '../../../../test/support/accounts/official-client.ts'
import { PHONE, PHONES } from '../../../../test/support/accounts/phones.ts'
import { SITE, fragmentIn, pkceClient } from '../../../../test/support/accounts/providers/provider-app.ts'
import {
  ACME,
  addProvider,
  aSamlApp,
  anAppOfAcme,
  begin,
  post,
  signInAs,
  subjectIn,
} from '../../../../test/support/accounts/providers/saml-app.ts'
import {
  ADA_AT_WORK,
  IDP_KEY,
  OTHER_KEY,
  SamlIdp,
  pemOf,
  readRequest,
} from '../../../../test/support/accounts/providers/saml-idp.ts'
import { samlify } from '../../../../test/support/accounts/providers/samlify.ts'
import { claimsOf } from '../../../../test/support/accounts/second-factor.ts'
import { adminClient, aServiceKey } from '../../../../test/support/accounts/service-keys.ts'
import { PASSWORD, type TestApp } from '../../../../test/support/build-test-app.ts'
import { HOUR_MS, MINUTE_MS, addMs } from '../../../platform/clock.ts'

const WHOLE_METADATA = '/auth/v1/sso/saml/metadata'

const countAccounts = async (app: TestApp): Promise<number> =>
  (await app.database.sql<[{ count: number }]>`select count(*)::int as count from accounts`)[0].count

const certificateIn = (xml: string): string => /X509Certificate>([^<]+)</.exec(xml)?.[1] ?? ''

const pemIn = (xml: string): string =>
  `-----BEGIN CERTIFICATE-----\n${certificateIn(xml)}\n-----END CERTIFICATE-----`

describe('single sign-on by SAML', () => {
  describe('valid SAML requests', () => {
    it('the official client begins a SAML sign-in by domain, and the browser returns with a session of a new account', async () => {
      const { app, idp, providerId } = await anAppOfAcme()
      const client = await officialClient(app)
      const { data, error } = await client.signInWithSSO({
        domain: ACME,
        options: { redirectTo: `${SITE}/scan?x=1`, skipBrowserRedirect: true },
      })
      expect(error).toBeNull()
      expect(new URL(data?.url ?? '').origin).toBe('https://idp.example.com')
      const begun = await begin(app, { redirect_to: `${SITE}/scan?x=1` })
      const landed = await post(app, begun, idp.respond(begun.asked, app.clock.now()))
      expect(landed.href.split('#')[0]).toBe(`${SITE}/scan?x=1`)
      const fields = fragmentIn(landed)
      expect(fields).toMatchObject({ token_type: 'bearer', sb: '' })
      const session = {
        access_token: fields['access_token'] ?? '',
        refresh_token: fields['refresh_token'] ?? '',
      }
      expect((await client.setSession(session)).error).toBeNull()
      const { data: found } = await client.getUser()
      const provider = `sso:${providerId}`
      expect(found.user).toMatchObject({
        email: ADA_AT_WORK.email,
        app_metadata: { provider, providers: [provider] },
        user_metadata: { full_name: ADA_AT_WORK.fullName },
        identities: [
          {
            provider,
            id: ADA_AT_WORK.nameId,
            identity_data: { iss: idp.entityId, email: ADA_AT_WORK.email },
          },
        ],
      })
      expect(claimsOf(session.access_token)).toMatchObject({
        email: ADA_AT_WORK.email,
        amr: [{ method: 'sso/saml', provider: providerId }],
      })
      const headers = { authorization: `Bearer ${session.access_token}` }
      const me = await app.http.inject({ url: '/api/auth/me', headers })
      expect(me.json()).toMatchObject({
        email: ADA_AT_WORK.email,
        username: 'ada',
        full_name: ADA_AT_WORK.fullName,
        role: 'viewer',
        sso_managed: true,
        has_password: false,
      })
      expect(await signInAs(app, idp)).toMatchObject({ token_type: 'bearer' })
      // The owner and Ada have the only accounts, so the second sign-in created none.
      expect(await countAccounts(app)).toBe(2)
    })

    it('with PKCE, the browser returns from a SAML sign-in with a code that works only for the client that began it', async () => {
      const { app, idp, providerId } = await anAppOfAcme()
      const client = await pkceClient(app)
      const { data } = await client.signInWithSSO({ providerId, options: { skipBrowserRedirect: true } })
      const asked = readRequest(data?.url ?? '')
      const sessionNotOnOrAfter = addMs(app.clock.now(), 2 * HOUR_MS)
      const xml = idp.respond(asked, app.clock.now(), { sessionNotOnOrAfter })
      // Any browser may deliver the response, because only the client has the code verifier.
      const landed = await post(app, { asked, cookie: '' }, xml)
      expect(landed.hash).toBe('')
      const code = landed.searchParams.get('code') ?? ''
      const stranger = await app.http.inject({
        method: 'POST',
        url: '/auth/v1/token?grant_type=pkce',
        payload: { auth_code: code, code_verifier: 'v'.repeat(64) },
      })
      expect(stranger.json()).toMatchObject({ error_code: 'bad_code_verifier' })
      const { data: exchanged, error } = await client.exchangeCodeForSession(code)
      expect(error).toBeNull()
      expect(claimsOf(exchanged.session?.access_token ?? '').amr).toMatchObject([
        { method: 'sso/saml', provider: providerId },
      ])
      app.clock.advance(2 * HOUR_MS + 1)
      expect((await client.refreshSession()).error?.code).toBe('session_expired')
    })

    it('without skip_http_redirect, the response redirects to the SAML provider', async () => {
      const { app } = await anAppOfAcme()
      const answer = await app.http.inject({ method: 'POST', url: '/auth/v1/sso', payload: { domain: ACME } })
      expect([answer.statusCode, answer.headers.location]).toEqual([
        303,
        expect.stringMatching(/^https:\/\/idp\.example\.com\/sign-in\?SAMLRequest=/),
      ])
    })

    it('a SAML session and its access tokens end at the time that the provider sets', async () => {
      const { app, idp } = await anAppOfAcme()
      const sessionNotOnOrAfter = addMs(app.clock.now(), 20 * MINUTE_MS)
      const fields = await signInAs(app, idp, { sessionNotOnOrAfter })
      expect(Number(fields['expires_in'])).toBeLessThanOrEqual(20 * 60)
      const client = await officialClient(app)
      app.clock.advance(19 * MINUTE_MS)
      const refreshed = await client.refreshSession({ refresh_token: fields['refresh_token'] ?? '' })
      expect(refreshed.error).toBeNull()
      app.clock.advance(MINUTE_MS + 1)
      const headers = { authorization: `Bearer ${refreshed.data.session?.access_token}` }
      expect((await app.http.inject({ url: '/api/auth/me', headers })).statusCode).toBe(401)
      const late = await client.refreshSession({ refresh_token: refreshed.data.session?.refresh_token ?? '' })
      expect(late.error?.code).toBe('session_expired')
    })

    it('a samlify provider accepts our metadata and our signed request, and its response opens a session', async () => {
      const saml = await aSamlApp()
      const { app } = saml
      samlify.setSchemaValidator({ validate: () => Promise.resolve('not needed here') })
      const ourMetadata = (await app.http.inject(WHOLE_METADATA)).body
      const sp = samlify.ServiceProvider({ metadata: ourMetadata })
      const privateKey = IDP_KEY.export({ type: 'pkcs8', format: 'pem' }).toString()
      const template = {
        // Add the statement about the sign-in, which our server requires, to samlify's template.
        context: samlify.SamlLib.defaultLoginResponseTemplate.context.replace(
          '{AuthnStatement}',
          `<saml:AuthnStatement AuthnInstant="{IssueInstant}"><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>`,
        ),
        attributes: [
          {
            name: 'mail',
            valueTag: 'user.email',
            nameFormat: 'urn:oasis:names:tc:SAML:2.0:attrname-format:basic',
            valueXsiType: 'xs:string',
          },
        ],
      }
      const idp = samlify.IdentityProvider({
        entityID: 'https://samlify.example.com',
        signingCert: pemOf(IDP_KEY),
        privateKey,
        isAssertionEncrypted: false,
        wantAuthnRequestsSigned: true,
        loginResponseTemplate: template,
        requestSignatureAlgorithm: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
        nameIDFormat: ['urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress'],
        singleSignOnService: [
          {
            Binding: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect',
            Location: 'https://samlify.example.com/sso',
          },
        ],
        singleLogoutService: [
          {
            Binding: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect',
            Location: 'https://samlify.example.com/end',
          },
        ],
      })
      const added = await saml.byKey('POST', '', {
        type: 'saml',
        metadata_xml: idp.getMetadata(),
        domains: [ACME],
      })
      expect(added).toMatchObject({
        status: 201,
        body: { saml: { entity_id: 'https://samlify.example.com' } },
      })
      const begun = await begin(app)
      const { searchParams } = begun.asked.url
      const query = Object.fromEntries(searchParams)
      const octetString = ['SAMLRequest', 'RelayState', 'SigAlg']
        .map((name) => `${name}=${encodeURIComponent(searchParams.get(name) ?? '')}`)
        .join('&')
      const request = await idp.parseLoginRequest(sp, 'redirect', { query, octetString })
      expect(request.extract.request?.id).toBe(begun.asked.requestId)
      const later = addMs(app.clock.now(), 5 * MINUTE_MS).toISOString()
      const id = `_${crypto.randomUUID()}`
      const { context } = await idp.createLoginResponse(sp, request, 'post', {}, (text: string) => ({
        id,
        context: samlify.SamlLib.replaceTagsByValue(text, {
          ID: id,
          AssertionID: `_${crypto.randomUUID()}`,
          Destination: begun.asked.acsUrl,
          Audience: begun.asked.audience,
          SubjectRecipient: begun.asked.acsUrl,
          AssertionConsumerServiceURL: begun.asked.acsUrl,
          NameIDFormat: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
          NameID: 'Grace@Acme.example',
          Issuer: 'https://samlify.example.com',
          IssueInstant: app.clock.now().toISOString(),
          ConditionsNotBefore: app.clock.now().toISOString(),
          ConditionsNotOnOrAfter: later,
          SubjectConfirmationDataNotOnOrAfter: later,
          InResponseTo: begun.asked.requestId,
          StatusCode: 'urn:oasis:names:tc:SAML:2.0:status:Success',
          attrUserEmail: 'Grace@Acme.example',
        }),
      }))
      const landed = await post(app, begun, Buffer.from(context, 'base64').toString())
      expect(fragmentIn(landed)).toMatchObject({ token_type: 'bearer' })
      expect(claimsOf(fragmentIn(landed)['access_token'] ?? '')).toMatchObject({
        email: 'grace@acme.example',
      })
    })

    it('our SAML metadata contains the key that signs our requests, on every replica and after a download', async () => {
      const { app } = await anAppOfAcme()
      const replica = await app.replica()
      const first = await app.http.inject(WHOLE_METADATA)
      expect(first.headers['content-type']).toBe('application/xml; charset=utf-8')
      expect((await replica.http.inject(WHOLE_METADATA)).body).toBe(first.body)
      const copy = await app.http.inject(`${WHOLE_METADATA}?download=true`)
      expect(copy.headers['content-disposition']).toBe('attachment; filename="metadata.xml"')
      expect(copy.body).toContain('validUntil="')
      expect(certificateIn(copy.body)).toBe(certificateIn(first.body))
      const { asked } = await begin(replica)
      const [signed = '', signature = ''] = asked.url.search.slice(1).split('&Signature=')
      const key = createPublicKey(pemIn(first.body))
      expect(
        verify('sha256', Buffer.from(signed), key, Buffer.from(decodeURIComponent(signature), 'base64')),
      ).toBe(true)
      const [row] = await app.database.sql<
        [{ all: string }]
      >`select row_to_json(k)::text as all from saml_keys k`
      expect(row.all).not.toContain('PRIVATE')
      expect((await app.http.inject('/auth/v1/settings')).json()).toMatchObject({ saml_enabled: true })
    })

    it('the configured SAML key signs requests, while the next key is already published', async () => {
      const inBase64 = (key: typeof IDP_KEY) =>
        key.export({ type: 'pkcs1', format: 'der' }).toString('base64')
      const { app } = await aSamlApp({
        GOTRUE_SAML_PRIVATE_KEY: inBase64(IDP_KEY),
        GOTRUE_SAML_PRIVATE_KEY_NEXT: inBase64(OTHER_KEY),
        GOTRUE_SAML_EXTERNAL_URL: 'https://sso.example.com/auth/v1/',
      })
      const { body } = await app.http.inject(WHOLE_METADATA)
      expect(body.match(/KeyDescriptor use="signing"/g)).toHaveLength(2)
      expect(createPublicKey(pemIn(body)).equals(createPublicKey(IDP_KEY))).toBe(true)
      expect(body).toContain('entityID="https://sso.example.com/auth/v1/sso/saml/metadata"')
      expect(body).toContain('Location="https://sso.example.com/auth/v1/sso/saml/acs"')
      expect(await app.database.sql`select 1 from saml_keys`).toHaveLength(0)
    })
  })

  describe('one account for each identity', () => {
    it('a SAML identity never gets the account that has its address, and that address cannot sign in by email', async () => {
      const { app, idp } = await anAppOfAcme()
      const client = await officialClient(app)
      const { data } = await client.signUp({ email: ADA_AT_WORK.email, password: PASSWORD })
      await app.database.sql`update accounts set email_proved_at = now() where email = ${ADA_AT_WORK.email}`
      const fields = await signInAs(app, idp)
      expect(subjectIn(fields)).not.toBe(data.user?.id)
      const rows = await app.database.sql<{ id: string }[]>`
        select id from accounts where lower(email) = ${ADA_AT_WORK.email}`
      expect(rows).toEqual([{ id: data.user?.id }])
      const again = await client.signInWithPassword({ email: ADA_AT_WORK.email, password: PASSWORD })
      expect(again.data.user?.id).toBe(data.user?.id)
    })

    it('the same SAML name at two providers belongs to two accounts, and a person whose address changes keeps the account', async () => {
      const saml = await anAppOfAcme()
      const { app, idp } = saml
      const other = new SamlIdp('https://other.example.com/metadata', OTHER_KEY)
      await addProvider(saml, other, { domains: ['other.example'] })
      const here = subjectIn(await signInAs(app, idp))
      const there = subjectIn(await signInAs(app, other, {}, { domain: 'other.example' }))
      expect(there).not.toBe(here)
      const attributes = [{ name: 'mail', values: ['Lovelace@Acme.example'] }]
      const moved = claimsOf((await signInAs(app, idp, { attributes }))['access_token'] ?? '')
      expect(moved).toMatchObject({ sub: here, email: 'lovelace@acme.example' })
    })

    it('the rules for sign-ups apply to SAML: an account waits for approval, or is not created if sign-ups are closed', async () => {
      const waiting = await anAppOfAcme({ SIGNUPS: 'approval' })
      expect(await signInAs(waiting.app, waiting.idp)).toMatchObject({
        error: 'access_denied',
        error_code: 'user_banned',
        error_description: 'An administrator must approve your account before you can sign in.',
      })
      await waiting.app.database
        .sql`update accounts set approved_at = now() where sso_provider_id is not null`
      expect(await signInAs(waiting.app, waiting.idp)).toMatchObject({ token_type: 'bearer' })
      const closed = await anAppOfAcme({ SIGNUPS: 'closed' })
      expect(await signInAs(closed.app, closed.idp)).toMatchObject({ error_code: 'signup_disabled' })
    })

    it('an account without a password needs a recent sign-in before it sets up a second factor', async () => {
      const { app, idp } = await anAppOfAcme()
      const enroll = async () => {
        const { access_token: token = '' } = await signInAs(app, idp)
        const set = () =>
          app.http.inject({
            method: 'POST',
            url: '/auth/v1/factors',
            headers: { authorization: `Bearer ${token}` },
            payload: { factor_type: 'totp', friendly_name: 'phone' },
          })
        return { token, set }
      }
      const first = await enroll()
      app.clock.advance(16 * MINUTE_MS)
      const me = { url: '/api/auth/me', headers: { authorization: `Bearer ${first.token}` } }
      expect((await app.http.inject(me)).json()).toMatchObject({ has_password: false })
      const refused = await first.set()
      expect([refused.statusCode, refused.body]).toEqual([
        403,
        expect.stringContaining('reauthentication_required'),
      ])
      const second = await enroll()
      expect((await second.set()).statusCode).toBe(200)
    })

    it('an account that a provider manages cannot get a password, another address, a phone number or a passkey, or unlink its identity', async () => {
      const settings = { ...PHONES, GOTRUE_SECURITY_MANUAL_LINKING_ENABLED: 'true' }
      const { app, idp } = await anAppOfAcme(settings)
      const fields = await signInAs(app, idp)
      const client = await officialClient(app)
      const tokens = {
        access_token: fields['access_token'] ?? '',
        refresh_token: fields['refresh_token'] ?? '',
      }
      const { data } = await client.setSession(tokens)
      const codes = [
        (await client.updateUser({ password: 'another decent phrase' })).error?.code,
        (await client.updateUser({ email: 'other@example.com' })).error?.code,
        (await client.updateUser({ phone: PHONE })).error?.code,
        (await client.unlinkIdentity(data.user!.identities![0]!)).error?.code,
      ]
      expect(codes).toEqual(Array(4).fill('user_sso_managed'))
      const admin = await adminClient(app, (await aServiceKey(app)).key)
      const byKey = await admin.updateUserById(data.user!.id, { phone: PHONE })
      expect(byKey.error?.code).toBe('user_sso_managed')
      const headers = { authorization: `Bearer ${tokens.access_token}` }
      const passkey = await app.http.inject({
        method: 'POST',
        url: '/auth/v1/passkeys/registration/options',
        headers,
      })
      expect(passkey.json()).toMatchObject({ error_code: 'user_sso_managed' })
      const reset = await app.http.inject({
        method: 'POST',
        url: '/api/auth/admin/reset-password',
        headers: await app.as('owner'),
        payload: { user_id: data.user?.id, new_password: PASSWORD, confirm_password: PASSWORD },
      })
      expect([reset.statusCode, reset.json()]).toMatchObject([422, { code: 'user_sso_managed' }])
      // The profile form sends the unchanged address together with the new name.
      const me = (await app.http.inject({ url: '/api/auth/me', headers })).json<{ revision: number }>()
      const renamed = await app.http.inject({
        method: 'PUT',
        url: '/api/auth/profile',
        headers: { ...headers, 'if-match': `"${me.revision}"` },
        payload: { full_name: 'Countess', email: ADA_AT_WORK.email },
      })
      expect([renamed.statusCode, renamed.json()]).toMatchObject([200, { full_name: 'Countess' }])
    })
  })
})
