import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { entriesOf } from '../../../../../test/support/audit-entries.ts'
import { buildTestApp } from '../../../../../test/support/build-test-app.ts'
import {
  anAccountWithKey,
  challengeKey,
  enrollKey,
  proveKey,
  sendProof,
} from '../../../../../test/support/accounts/key-factors.ts'
import {
  anAccountWithFactor,
  callHosted,
  claimsOf,
  codeOf,
  errorCodeOf,
  getMe,
  signInHosted,
} from '../../../../../test/support/accounts/second-factor.ts'
import { type Faults, KEY_SITE, SecurityKey } from '../../../../../test/support/accounts/security-key.ts'
import { MINUTE_MS } from '../../../../platform/clock.ts'

const WRONG = '422 mfa_verification_failed'

/** Faults in responses, which a hostile page or a copied key would cause. */
const FAULTS: readonly [string, Faults][] = [
  ['another origin', { origin: 'https://evil.example' }],
  ['our host at another port', { origin: 'http://localhost:3001' }],
  ['another site', { rpId: 'evil.example' }],
  ['a page inside another', { crossOrigin: true }],
  ['its own challenge', { challenge: randomBytes(32).toString('base64url') }],
  ['nobody there', { isPersonThere: false }],
]

describe('a security key as a second factor', () => {
  describe('invalid security key requests', () => {
    it("a security key's response for another page, site or challenge is refused, both when the key registers and when it signs", async () => {
      const app = await buildTestApp()
      const person = await anAccountWithKey(app)
      const token = person.session.access_token
      const results: Record<string, string[]> = {}
      for (const [name, faults] of FAULTS) {
        const factor = { factorId: await enrollKey(app, token, name), key: new SecurityKey() }
        const { access_token: plain } = await signInHosted(app, person.email)
        results[name] = [
          errorCodeOf(await proveKey(app, token, factor, faults)),
          errorCodeOf(await proveKey(app, plain, person, faults)),
        ]
        expect(errorCodeOf(await getMe(app, plain))).toBe('403 insufficient_aal')
        expect(errorCodeOf(await callHosted(app, `DELETE /factors/${factor.factorId}`, token))).toBe('200')
      }
      expect(results).toEqual(Object.fromEntries(FAULTS.map(([name]) => [name, [WRONG, WRONG]])))
    })

    it("a security key's response is refused if its ceremony, key id or person differs from the request, or its signature is wrong", async () => {
      const app = await buildTestApp()
      const person = await anAccountWithKey(app)
      const { access_token: token } = await signInHosted(app, person.email)
      const { factorId, key } = person
      const stranger = new SecurityKey()
      const send = async (change: (asked: Awaited<ReturnType<typeof challengeKey>>) => object) => {
        const asked = await challengeKey(app, token, factorId)
        const proof = { factorId, challengeId: asked.id, type: 'request', answer: key.get(asked.options) }
        return errorCodeOf(await sendProof(app, token, { ...proof, ...change(asked) } as never))
      }
      const results = [
        await send(() => ({ type: 'create' })),
        await send(({ options }) => ({ answer: key.get(options, { type: 'webauthn.create' }) })),
        await send(({ options }) => ({ answer: stranger.get(options) })),
        await send(({ options }) => {
          const own = key.get(options)
          return { answer: { ...own, response: stranger.get(options).response } }
        }),
        await send(({ options }) => ({
          answer: key.get(options, { userHandle: randomBytes(16).toString('base64url') }),
        })),
        await send(({ options }) => {
          const { response, ...own } = key.get(options)
          const { clientDataJSON, authenticatorData } = response
          return { answer: { ...own, response: { clientDataJSON, authenticatorData } } }
        }),
        await send(({ options }) => {
          const own = key.get(options)
          return { answer: { ...own, response: { ...own.response, clientDataJSON: 'bm9uc2Vuc2U' } } }
        }),
        await send(({ options }) => {
          const own = key.get(options)
          return { answer: { ...own, response: { ...own.response, authenticatorData: '' } } }
        }),
      ]
      expect(results).toEqual(results.map(() => WRONG))
      const malformed = [
        { answer: {} },
        { answer: { ...key.get({ challenge: '', rpId: 'localhost' } as never), id: 'a+b' } },
        { type: 'other' },
        { answer: 'text' },
      ]
      for (const change of malformed) expect(await send(() => change)).toBe('400 validation_failed')
      expect(await send(() => ({}))).toBe('200')
    })

    it('a challenge for a security key is refused if it was used, has expired, or belongs to another address, session or factor', async () => {
      const app = await buildTestApp()
      const person = await anAccountWithKey(app)
      const { factorId, key } = person
      const { access_token: token } = await signInHosted(app, person.email)
      const raised = person.session.access_token
      const second = { factorId: await enrollKey(app, raised, 'Second'), key: new SecurityKey() }
      const asked = await challengeKey(app, token, factorId)
      const elsewhere = await challengeKey(app, raised, factorId)
      const ofSecond = await challengeKey(app, raised, second.factorId)
      const answer = key.get(asked.options)
      const proof = { factorId, challengeId: asked.id, type: 'request', answer } as const
      const results = [
        await sendProof(app, token, proof, '203.0.113.7'),
        await sendProof(app, token, { ...proof, challengeId: elsewhere.id }),
        await sendProof(app, raised, { ...proof, challengeId: ofSecond.id }),
        await sendProof(app, token, { ...proof, challengeId: crypto.randomUUID() }),
        await sendProof(app, token, { ...proof, challengeId: '' }),
        await sendProof(app, token, proof),
        await sendProof(app, token, proof),
      ]
      expect(results.map(errorCodeOf)).toEqual([
        '422 mfa_ip_address_mismatch',
        '422 mfa_factor_not_found',
        '422 mfa_factor_not_found',
        '422 mfa_factor_not_found',
        '400 validation_failed',
        '200',
        '422 mfa_ip_address_mismatch',
      ])
      const late = await challengeKey(app, token, factorId)
      app.clock.advance(5 * MINUTE_MS)
      const tooLate = { ...proof, challengeId: late.id, answer: key.get(late.options) }
      expect(errorCodeOf(await sendProof(app, token, tooLate))).toBe('422 mfa_challenge_expired')
    })

    it('a security key whose counter has decreased is refused, with the reason in the audit', async () => {
      const app = await buildTestApp()
      const person = await anAccountWithKey(app)
      const tokenOf = async () => (await signInHosted(app, person.email)).access_token
      expect(errorCodeOf(await proveKey(app, await tokenOf(), person, { count: 7 }))).toBe('200')
      const results: string[] = []
      for (const count of [7, 6, 0])
        results.push(errorCodeOf(await proveKey(app, await tokenOf(), person, { count })))
      expect(results).toEqual([WRONG, WRONG, WRONG])
      const entries = (await entriesOf(app)).filter(({ action }) => action === 'factor.refused')
      expect(entries.map(({ after }) => after)).toEqual(
        results.map(() => ({ factor_type: 'webauthn', reason: 'key_counter_went_back' })),
      )
      expect(errorCodeOf(await proveKey(app, await tokenOf(), person, { count: 8 }))).toBe('200')
    })

    it("a security key's credential can be registered only once across all accounts, and a challenge opens only one session", async () => {
      const app = await buildTestApp()
      const person = await anAccountWithKey(app)
      const { access_token: token } = await signInHosted(app, person.email)
      const asked = await challengeKey(app, token, person.factorId)
      const proof = {
        factorId: person.factorId,
        challengeId: asked.id,
        type: 'request',
        answer: person.key.get(asked.options),
      } as const
      const both = await Promise.all([sendProof(app, token, proof), sendProof(app, token, proof)])
      expect(both.map(errorCodeOf).sort()).toEqual(['200', '422 mfa_ip_address_mismatch'])

      const other = await app.signIn(await app.anAccount('viewer'))
      const taken = { factorId: await enrollKey(app, other), key: person.key }
      expect(errorCodeOf(await proveKey(app, other, taken))).toBe('422 webauthn_credential_exists')
    })

    it('a removed security key and its challenge are refused, and a session has at most ten challenges', async () => {
      const app = await buildTestApp()
      const person = await anAccountWithKey(app)
      const raised = person.session.access_token
      const second = { factorId: await enrollKey(app, raised, 'Second'), key: new SecurityKey() }
      const asked = await challengeKey(app, raised, second.factorId)
      expect(errorCodeOf(await callHosted(app, `DELETE /factors/${second.factorId}`, raised))).toBe('200')
      const proof = {
        factorId: second.factorId,
        challengeId: asked.id,
        type: 'create',
        answer: second.key.create(asked.options),
      } as const
      expect(errorCodeOf(await sendProof(app, raised, proof))).toBe('404 mfa_factor_not_found')
      expect(errorCodeOf(await callHosted(app, `POST /factors/${second.factorId}/challenge`, raised))).toBe(
        '404 mfa_factor_not_found',
      )
      for (let number = 0; number < 200; number += 1) await challengeKey(app, raised, person.factorId)
      const [row] = await app.database.sql`select count(*)::int as kept from challenges`
      expect(row).toEqual({ kept: 10 })
    })

    it("a code for a security key, a key's signature for an app, and a challenge for another site are refused", async () => {
      const app = await buildTestApp()
      const person = await anAccountWithKey(app)
      const { access_token: token } = await signInHosted(app, person.email)
      const asked = await challengeKey(app, token, person.factorId)
      const verify = async (payload: Record<string, unknown>) =>
        errorCodeOf(await callHosted(app, `POST /factors/${person.factorId}/verify`, token, { payload }))
      expect(await verify({ challenge_id: asked.id, code: '123456' })).toBe(WRONG)
      expect(await verify({ challenge_id: asked.id })).toBe('400 validation_failed')
      const app2 = await anAccountWithFactor(app)
      const { access_token: plain } = await signInHosted(app, app2.email)
      const code = await callHosted(app, `POST /factors/${app2.factorId}/challenge`, plain)
      const answer = person.key.get(asked.options)
      const mixed = { factorId: app2.factorId, challengeId: code.json().id, type: 'request', answer } as const
      expect(errorCodeOf(await sendProof(app, plain, mixed))).toBe(WRONG)
      expect(codeOf(app2.secret, app.clock)).toMatch(/^\d{6}$/)
      const sites = [
        { rpId: 'evil.example', rpOrigins: KEY_SITE.rpOrigins },
        { rpId: 'localhost', rpOrigins: ['https://evil.example'] },
      ]
      for (const webauthn of sites) {
        const payload = { webauthn }
        const refused = await callHosted(app, `POST /factors/${person.factorId}/challenge`, token, {
          payload,
        })
        expect(errorCodeOf(refused)).toBe('400 validation_failed')
      }
    })

    it("security keys are not offered if the server's address is an IP address or is not encrypted", async () => {
      for (const PUBLIC_URL of ['http://192.168.1.7:3000', 'http://ops.example.com']) {
        const app = await buildTestApp({ variables: { PUBLIC_URL } })
        const token = await app.signIn(await app.anAccount('viewer'))
        const payload = { factor_type: 'webauthn' }
        expect(errorCodeOf(await callHosted(app, 'POST /factors', token, { payload }))).toBe(
          '422 mfa_webauthn_enroll_not_enabled',
        )
        expect((await app.http.inject('/api/config')).json()).toMatchObject({ webauthn_rp_id: null })
      }
    })
  })

  describe('security key requests without permission', () => {
    it('a session with only the password cannot register its own key while the owner adds one', async () => {
      const app = await buildTestApp()
      const person = await anAccountWithKey(app)
      const { access_token: plain } = await signInHosted(app, person.email)
      const raised = person.session.access_token
      const spare = { factorId: await enrollKey(app, raised, 'Spare'), key: new SecurityKey() }
      const route = `POST /factors/${spare.factorId}/challenge`
      const challenged = await callHosted(app, route, plain, { payload: { webauthn: KEY_SITE } })
      expect(errorCodeOf(challenged)).toBe('403 insufficient_aal')
      expect(challenged.body).not.toContain('excludeCredentials')
      // Somebody may also use a challenge from before the owner verified the first factor. This is refused, too.
      const asked = await challengeKey(app, raised, spare.factorId)
      await app.database.sql`
        update challenges set session_id = ${claimsOf(plain).session_id} where id = ${asked.id}`
      const answer = new SecurityKey().create(asked.options)
      const proof = { factorId: spare.factorId, challengeId: asked.id, type: 'create', answer } as const
      expect(errorCodeOf(await sendProof(app, plain, proof))).toBe('403 insufficient_aal')
      expect(errorCodeOf(await getMe(app, plain))).toBe('403 insufficient_aal')
      expect(errorCodeOf(await proveKey(app, raised, spare))).toBe('200')
    })

    it('a security key can be registered only in the session that enrolled it, and only soon after the sign-in', async () => {
      const app = await buildTestApp()
      const username = await app.anAccount('staff')
      const old = await app.signIn(username)
      app.clock.advance(14 * MINUTE_MS)
      const own = { factorId: await enrollKey(app, old, 'Own'), key: new SecurityKey() }
      app.clock.advance(2 * MINUTE_MS)
      const recent = await app.signIn(username)
      const factor = { factorId: await enrollKey(app, recent), key: new SecurityKey() }
      const challenge = async (token: string, factorId: string) => {
        const payload = { webauthn: KEY_SITE }
        return errorCodeOf(await callHosted(app, `POST /factors/${factorId}/challenge`, token, { payload }))
      }
      expect(await challenge(old, factor.factorId)).toBe('403 reauthentication_required')
      expect(await challenge(old, own.factorId)).toBe('403 reauthentication_required')
      expect(await challenge(recent, own.factorId)).toBe('404 mfa_factor_not_found')
      expect(errorCodeOf(await proveKey(app, recent, factor))).toBe('200')
    })

    it('another account cannot challenge, verify or remove a security key', async () => {
      const app = await buildTestApp()
      const person = await anAccountWithKey(app)
      const stranger = await app.signIn(await app.anAccount('owner'))
      const routes = [
        `POST /factors/${person.factorId}/challenge`,
        `POST /factors/${person.factorId}/verify`,
        `DELETE /factors/${person.factorId}`,
      ]
      const asked = await challengeKey(app, person.session.access_token, person.factorId)
      const payload = {
        challenge_id: asked.id,
        webauthn: { type: 'request', credential_response: person.key.get(asked.options) },
      }
      for (const route of routes)
        expect(errorCodeOf(await callHosted(app, route, stranger, { payload }))).toBe(
          '404 mfa_factor_not_found',
        )
    })
  })
})
