import { describe, expect, it } from 'vitest'
import { SITE, fragmentIn } from '../../../../test/support/accounts/providers/provider-app.ts'
import {
  ACME,
  ACS,
  addProvider,
  aSamlApp,
  anAppOfAcme,
  begin,
  post,
  signInAs,
} from '../../../../test/support/accounts/providers/saml-app.ts'
import { OTHER_KEY, SamlIdp, formOf } from '../../../../test/support/accounts/providers/saml-idp.ts'
import type { TestApp } from '../../../../test/support/build-test-app.ts'
import { DAY_MS, MINUTE_MS, addMs } from '../../../platform/clock.ts'

/** Returns the reasons of the refused sign-ins in the audit. */
const refusalsOf = async (app: TestApp): Promise<(string | undefined)[]> => {
  const rows = await app.database.sql<{ reason: string }[]>`
    select after->>'reason' as reason from audit_entries where action = 'session.refused' order by at, id`
  return rows.map(({ reason }) => reason)
}

const countSsoAccounts = async (app: TestApp): Promise<number> =>
  (await app.database.sql`select 1 from accounts where sso_provider_id is not null`).length

describe('sign-ins that single sign-on refuses', () => {
  describe('forged and repeated SAML responses', () => {
    it('a SAML response with wrong content opens no session, and the page and the audit give the reason', async () => {
      const { app, idp } = await anAppOfAcme()
      const now = app.clock.now()
      const cases = [
        [{ signs: 'nothing' }, 'not_signed'],
        [{ key: OTHER_KEY, keyInfo: OTHER_KEY }, 'signature_invalid'],
        [{ audience: 'https://other.example.com' }, 'wrong_audience'],
        [{ recipient: 'https://other.example.com' }, 'wrong_recipient'],
        [{ notOnOrAfter: addMs(now, -2 * MINUTE_MS) }, 'expired'],
        [{ status: 'AuthnFailed' }, 'refused_by_provider'],
      ] as const
      for (const [changes, reason] of cases)
        expect(await signInAs(app, idp, changes)).toMatchObject({
          error: 'invalid_request',
          error_code: 'validation_failed',
          error_description: `SAML Assertion is not valid (${reason})`,
        })
      expect(await refusalsOf(app)).toEqual(cases.map(([, reason]) => `saml_${reason}`))
      expect(await countSsoAccounts(app)).toBe(0)
    })

    it('a SAML response without a permanent id or an address is refused', async () => {
      const { app, idp } = await anAppOfAcme()
      const transient = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient'
      const codes = [
        await signInAs(app, idp, { nameIdFormat: transient }),
        await signInAs(app, idp, { nameId: '' }),
        await signInAs(app, idp, { nameId: 'x'.repeat(300) }),
        await signInAs(app, idp, { attributes: [] }),
        await signInAs(app, idp, { attributes: [{ name: 'mail', values: ['no address'] }] }),
      ].map(({ error_code: code }) => code)
      expect(codes).toEqual([
        'saml_assertion_no_user_id',
        'saml_assertion_no_user_id',
        'saml_assertion_no_user_id',
        'saml_assertion_no_email',
        'saml_assertion_no_email',
      ])
    })

    it('each SAML sign-in and each assertion works only once across all replicas', async () => {
      const { app, idp } = await anAppOfAcme()
      const replica = await app.replica()
      const begun = await begin(app)
      const xml = idp.respond(begun.asked, app.clock.now())
      expect(fragmentIn(await post(app, begun, xml))).toMatchObject({ token_type: 'bearer' })
      for (const each of [app, replica])
        expect(fragmentIn(await post(each, begun, xml))).toMatchObject({
          error_code: 'saml_relay_state_not_found',
        })
      // The two sign-ins get assertions with the same id. The second one is signed, too, so only its id reveals the
      // reuse.
      const [first, second] = [await begin(app), await begin(replica)]
      const changes = { assertionId: '_one-and-the-same' }
      const results = await Promise.all([
        post(app, first, idp.respond(first.asked, app.clock.now(), changes)),
        post(replica, second, idp.respond(second.asked, app.clock.now(), changes)),
      ])
      const outcomes = results.map(fragmentIn).map((each) => each['error_description'] ?? each['token_type'])
      expect(new Set(outcomes)).toEqual(new Set(['bearer', 'SAML Assertion is not valid (replayed)']))
    })

    it('a SAML response is refused if it belongs to another sign-in or comes from another provider', async () => {
      const saml = await anAppOfAcme()
      const { app, idp } = saml
      const other = new SamlIdp('https://other.example.com/metadata', OTHER_KEY)
      await addProvider(saml, other, { domains: ['other.example'] })
      const [mine, theirs] = [await begin(app), await begin(app)]
      const swapped = await post(app, mine, idp.respond(theirs.asked, app.clock.now()))
      expect(fragmentIn(swapped)['error_description']).toContain('wrong_request')
      const atOther = await begin(app, { domain: 'other.example' })
      const mixed = await post(app, atOther, idp.respond(atOther.asked, app.clock.now()))
      expect(fragmentIn(mixed)['error_description']).toContain('signature_invalid')
      const posing = await begin(app, { domain: 'other.example' })
      const changes = { issuer: idp.entityId }
      const posed = await post(app, posing, other.respond(posing.asked, app.clock.now(), changes))
      expect(fragmentIn(posed)['error_description']).toContain('wrong_issuer')
    })

    it('an unsolicited SAML response, or one with an unknown or expired state, leads to the start page', async () => {
      const { app, idp } = await anAppOfAcme()
      const begun = await begin(app, { redirect_to: `${SITE}/scan` })
      const xml = idp.respond(begun.asked, app.clock.now(), { inResponseTo: null })
      for (const relayState of ['', `${SITE}/scan`, crypto.randomUUID()]) {
        const asked = { ...begun.asked, relayState }
        const landed = await post(app, { ...begun, asked }, xml)
        expect(landed.pathname).toBe('/')
        expect(fragmentIn(landed)).toMatchObject({ error_code: 'saml_relay_state_not_found' })
        expect(landed.searchParams.get('error_code')).toBe('saml_relay_state_not_found')
      }
      app.clock.advance(10 * MINUTE_MS)
      const late = await post(app, begun, idp.respond(begun.asked, app.clock.now()))
      expect(fragmentIn(late)).toMatchObject({ error_code: 'saml_relay_state_expired' })
    })

    it('a SAML sign-in that leads to our own page can be finished only in the browser that began it', async () => {
      const { app, idp } = await anAppOfAcme()
      const begun = await begin(app)
      expect(begun.cookie).toMatch(/^pegasus-oauth=/)
      const xml = idp.respond(begun.asked, app.clock.now())
      const elsewhere = await post(app, { ...begun, cookie: '' }, xml)
      expect(fragmentIn(elsewhere)).toMatchObject({ error_code: 'saml_relay_state_not_found' })
      // The attempt in another browser has used up the state, so even the right browser is refused.
      expect(fragmentIn(await post(app, begun, xml))).toMatchObject({
        error_code: 'saml_relay_state_not_found',
      })
      expect(await refusalsOf(app)).toEqual(['saml_state_not_found', 'saml_state_not_found'])
    })

    it('the keys of a SAML provider are refused after its metadata has expired', async () => {
      const saml = await aSamlApp()
      const { app } = saml
      const idp = new SamlIdp()
      const end = addMs(app.clock.now(), DAY_MS).toISOString()
      await addProvider(saml, idp, {
        domains: [ACME],
        metadata_xml: idp.metadata({ more: ` validUntil="${end}"` }),
      })
      expect(await signInAs(app, idp)).toMatchObject({ token_type: 'bearer' })
      app.clock.advance(DAY_MS)
      expect(await signInAs(app, idp)).toMatchObject({
        error_description: 'SAML Assertion is not valid (metadata_expired)',
      })
      expect(await refusalsOf(app)).toEqual(['saml_metadata_expired'])
    })

    it('one IP address can begin at most 60 SAML sign-ins in 15 minutes, without affecting other IP addresses', async () => {
      const { app } = await anAppOfAcme()
      const start = (ip: string) =>
        app.http.inject({ method: 'POST', url: '/auth/v1/sso', remoteAddress: ip, payload: { domain: ACME } })
      for (let count = 0; count < 65; count += 1) await start('203.0.113.1')
      expect((await start('203.0.113.1')).statusCode).toBe(429)
      expect((await start('203.0.113.2')).statusCode).toBe(303)
      const [{ begun }] = await app.database.sql<[{ begun: number }]>`
        select count(*)::int as begun from saml_states`
      console.info(`SAML: sign-ins begun by one address ${begun - 1} of 66`)
      expect(begun).toBe(61)
    })

    it('further SAML responses are refused after too many wrong ones', async () => {
      const { app, idp } = await anAppOfAcme()
      const asked = { ...(await begin(app)).asked, relayState: crypto.randomUUID() }
      const guess = () =>
        app.http.inject({
          method: 'POST',
          url: ACS,
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          payload: formOf(idp.respond(asked, app.clock.now(), { signs: 'nothing' }), asked.relayState),
        })
      let answer = await guess()
      for (let count = 0; count < 70 && answer.statusCode === 303; count += 1) answer = await guess()
      expect(answer.statusCode).toBe(429)
      expect((await refusalsOf(app)).length).toBeLessThanOrEqual(60)
    })
  })

  describe('invalid SAML requests', () => {
    it.each([
      [
        'both a provider and a domain',
        { provider_id: crypto.randomUUID(), domain: ACME },
        400,
        'validation_failed',
      ],
      ['neither', {}, 400, 'validation_failed'],
      ['an unknown domain', { domain: 'nobody.example' }, 404, 'sso_provider_not_found'],
      ['a text that is no domain', { domain: '\0%' }, 404, 'sso_provider_not_found'],
      ['an unknown provider', { provider_id: crypto.randomUUID() }, 404, 'sso_provider_not_found'],
      ['an id that is none', { provider_id: 'x' }, 404, 'sso_provider_not_found'],
      [
        'half of a code challenge',
        { domain: ACME, code_challenge: 'c'.repeat(43) },
        400,
        'validation_failed',
      ],
      ['a domain of another type', { domain: 5 }, 400, 'validation_failed'],
    ])('POST /sso with %s is refused', async (_title, payload, status, code) => {
      const { app } = await anAppOfAcme()
      const answer = await app.http.inject({ method: 'POST', url: '/auth/v1/sso', payload })
      expect([answer.statusCode, answer.json()]).toMatchObject([status, { error_code: code }])
    })

    it('the endpoint for SAML responses accepts only a form of the right size that contains a response', async () => {
      const { app } = await anAppOfAcme()
      const send = (type: string, payload: string) =>
        app.http.inject({ method: 'POST', url: ACS, headers: { 'content-type': type }, payload })
      const form = 'application/x-www-form-urlencoded'
      expect((await send('application/json', '{}')).statusCode).toBe(415)
      expect((await send(form, `SAMLResponse=${'a'.repeat(300_000)}`)).statusCode).toBe(413)
      expect((await send(form, 'RelayState=x')).json()).toMatchObject({ error_code: 'validation_failed' })
    })

    it('unless single sign-on is switched on, nobody can use it, not even a program with a service key', async () => {
      const { app, byKey } = await aSamlApp({ GOTRUE_SAML_ENABLED: 'false' })
      for (const [method, url] of [
        ['GET', '/auth/v1/sso/saml/metadata'],
        ['POST', ACS],
        ['POST', '/auth/v1/sso'],
      ] as const)
        expect((await app.http.inject({ method, url })).json()).toMatchObject({
          error_code: 'saml_provider_disabled',
        })
      expect(await byKey('GET', '')).toMatchObject({
        status: 404,
        body: { error_code: 'saml_provider_disabled' },
      })
      const own = await app.http.inject({ url: '/api/sso-providers', headers: await app.as('admin') })
      expect(own.statusCode).toBe(404)
    })
  })
})
