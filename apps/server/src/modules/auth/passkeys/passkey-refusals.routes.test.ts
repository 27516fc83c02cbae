import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { buildTestApp } from '../../../../test/support/build-test-app.ts'
import { entriesOf } from '../../../../test/support/audit-entries.ts'
import { anAccountWithKey } from '../../../../test/support/accounts/key-factors.ts'
import {
  addPasskey,
  callOpen,
  register,
  signInWith,
  startRegistration,
  startSignIn,
} from '../../../../test/support/accounts/passkeys.ts'
import { callHosted, errorCodeOf } from '../../../../test/support/accounts/second-factor.ts'
import { type Faults, SecurityKey } from '../../../../test/support/accounts/security-key.ts'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../platform/clock.ts'

const WRONG = '400 webauthn_verification_failed'
const NO_CHALLENGE = '400 webauthn_challenge_not_found'

const FAULTS: readonly Faults[] = [
  { origin: 'https://evil.example' },
  { rpId: 'evil.example' },
  { crossOrigin: true },
  { challenge: randomBytes(32).toString('base64url') },
  { isPersonThere: false },
  { isPersonVerified: false },
]

describe('passkeys', () => {
  describe('invalid passkey requests', () => {
    it('a passkey response is refused if it belongs to another page, site, challenge or person, or lacks user verification', async () => {
      const app = await buildTestApp()
      const token = await app.signIn(await app.anAccount('staff'))
      const { device } = await addPasskey(app, token)
      const results: string[] = []
      for (const faults of FAULTS) {
        const { challenge_id, options } = await startRegistration(app, token)
        const credential = new SecurityKey().create(options, faults)
        results.push(errorCodeOf(await register(app, token, { challenge_id, credential })))
        results.push(errorCodeOf(await signInWith(app, device, faults)))
      }
      results.push(
        errorCodeOf(await signInWith(app, device, { userHandle: randomBytes(16).toString('base64url') })),
      )
      expect(results).toEqual(results.map(() => WRONG))
      expect(errorCodeOf(await signInWith(app, device))).toBe('200')
    })

    it('a passkey challenge works once, before it expires, and only for the purpose and person for which it was created', async () => {
      const app = await buildTestApp()
      const [mine, other] = [
        await app.signIn(await app.anAccount('staff')),
        await app.signIn(await app.anAccount('staff')),
      ]
      const { device } = await addPasskey(app, mine)
      const verify = async (
        challenge_id: string,
        answered = device.get({ challenge: '', rpId: 'localhost' } as never),
      ) =>
        errorCodeOf(
          await callOpen(app, '/passkeys/authentication/verify', { challenge_id, credential: answered }),
        )
      const registration = await startRegistration(app, mine)
      const signIn = await startSignIn(app)
      const credential = new SecurityKey().create(registration.options)
      const invented = signIn.challenge_id.replace(/^.{8}/, 'ffffffff')
      const results = [
        await verify(registration.challenge_id),
        await verify(invented),
        await verify(crypto.randomUUID()),
        await verify('no uuid'),
        errorCodeOf(await register(app, other, { challenge_id: registration.challenge_id, credential })),
        errorCodeOf(await register(app, mine, { challenge_id: signIn.challenge_id, credential })),
      ]
      expect(results).toEqual(results.map(() => NO_CHALLENGE))
      for (const payload of [
        {},
        { challenge_id: signIn.challenge_id },
        { credential: device.get(signIn.options) },
      ])
        expect(errorCodeOf(await callOpen(app, '/passkeys/authentication/verify', payload))).toBe(
          '400 validation_failed',
        )
      const answer = device.get(signIn.options)
      expect(await verify(signIn.challenge_id, answer)).toBe('200')
      // The id in capitals stands for the same challenge. The device signs again, so that the refusal is not due to its
      // counter.
      expect(await verify(signIn.challenge_id.toUpperCase(), device.get(signIn.options))).toBe(NO_CHALLENGE)
      const late = await startSignIn(app)
      app.clock.advance(5 * MINUTE_MS)
      expect(await verify(late.challenge_id, device.get(late.options))).toBe('400 webauthn_challenge_expired')
    })

    it('a passkey response is refused if it was used before or if its counter has decreased', async () => {
      const app = await buildTestApp()
      const { device } = await addPasskey(app, await app.signIn(await app.anAccount('staff')))
      const { challenge_id, options } = await startSignIn(app)
      const credential = device.get(options)
      const both = await Promise.all(
        [1, 2].map(() => callOpen(app, '/passkeys/authentication/verify', { challenge_id, credential })),
      )
      expect(both.map(errorCodeOf).toSorted()).toEqual(['200', NO_CHALLENGE])
      expect(errorCodeOf(await signInWith(app, device, { count: 1 }))).toBe(WRONG)
      const refused = (await entriesOf(app)).filter(({ action }) => action === 'session.refused')
      expect(refused.at(-1)?.after).toEqual({ reason: 'key_counter_went_back' })
    })

    it('a security key of a second factor cannot be used as a passkey, and a device cannot register the same passkey twice', async () => {
      const app = await buildTestApp()
      const person = await anAccountWithKey(app)
      expect(errorCodeOf(await signInWith(app, person.key))).toBe('400 webauthn_verification_failed')
      const token = person.session.access_token
      const { device } = await addPasskey(app, token)
      const { challenge_id, options } = await startRegistration(app, token)
      const credential = device.create(options)
      expect(errorCodeOf(await register(app, token, { challenge_id, credential }))).toBe(
        '422 webauthn_credential_exists',
      )
    })

    it('an account can have at most ten passkeys, each with a valid name', async () => {
      const app = await buildTestApp()
      const token = await app.signIn(await app.anAccount('staff'))
      const { id } = await addPasskey(app, token)
      for (let number = 2; number <= 10; number += 1) await addPasskey(app, token)
      const eleventh = await callHosted(app, 'POST /passkeys/registration/options', token)
      expect(errorCodeOf(eleventh)).toBe('422 too_many_passkeys')
      const rename = async (friendly_name: unknown) =>
        errorCodeOf(await callHosted(app, `PATCH /passkeys/${id}`, token, { payload: { friendly_name } }))
      expect([
        await rename(''),
        await rename('a\nb'),
        await rename('x'.repeat(121)),
        await rename(7),
      ]).toEqual(Array(4).fill('400 validation_failed'))
      expect(await rename('x'.repeat(120))).toBe('200')
    })

    it('an answered passkey challenge is refused even after the cleanup, by a process whose clock is behind', async () => {
      const app = await buildTestApp()
      const { device } = await addPasskey(app, await app.signIn(await app.anAccount('staff')))
      const { challenge_id, options } = await startSignIn(app)
      // This device does not count its signatures, so only the challenge can reveal the second use.
      const payload = { challenge_id, credential: device.get(options, { count: 0 }) }
      const verify = async () => errorCodeOf(await callOpen(app, '/passkeys/authentication/verify', payload))
      expect(await verify()).toBe('200')
      app.clock.advance(5 * MINUTE_MS)
      await app.auth.purge()
      app.clock.advance(-30 * SECOND_MS)
      expect(await verify()).toBe(NO_CHALLENGE)
    })

    it('thousands of unfinished passkey sign-ins store no rows, and each address may send a limited number of wrong responses', async () => {
      const app = await buildTestApp()
      for (let number = 0; number < 1000; number += 1) await startSignIn(app)
      const [row] = await app.database.sql`select count(*)::int as kept from used_sign_in_messages`
      expect(row).toEqual({ kept: 0 })
      const results: string[] = []
      for (let number = 0; number < 70; number += 1)
        results.push(errorCodeOf(await signInWith(app, new SecurityKey())))
      expect(results.filter((each) => each === '429 over_request_rate_limit')).toHaveLength(10)
    })

    it('passkeys are refused if they are disabled or cannot work at our address', async () => {
      const settings = [{ GOTRUE_PASSKEY_ENABLED: 'false' }, { PUBLIC_URL: 'http://10.0.0.5:3000' }]
      for (const variables of settings as Record<string, string>[]) {
        const app = await buildTestApp({ variables })
        const token = await app.signIn(await app.anAccount('staff'))
        const answers = [
          await callOpen(app, '/passkeys/authentication/options'),
          await callHosted(app, 'POST /passkeys/registration/options', token),
        ]
        expect(answers.map(errorCodeOf)).toEqual(['404 passkey_disabled', '404 passkey_disabled'])
      }
    })
  })

  describe('passkey requests without permission', () => {
    it('a person cannot see, rename or remove the passkeys of another account', async () => {
      const app = await buildTestApp()
      const { id } = await addPasskey(app, await app.signIn(await app.anAccount('viewer')))
      const owner = await app.signIn(await app.anAccount('owner'))
      expect((await callHosted(app, 'GET /passkeys', owner)).json()).toEqual([])
      const payload = { friendly_name: 'Mine' }
      const answers = [
        await callHosted(app, `PATCH /passkeys/${id}`, owner, { payload }),
        await callHosted(app, `DELETE /passkeys/${id}`, owner),
      ]
      expect(answers.map(errorCodeOf)).toEqual(Array(2).fill('404 webauthn_credential_not_found'))
    })

    it('a deactivated account cannot sign in with a passkey, and an old sign-in cannot change passkeys', async () => {
      const app = await buildTestApp()
      const username = await app.anAccount('staff')
      const token = await app.signIn(username)
      const { device, id } = await addPasskey(app, token)
      app.clock.advance(HOUR_MS / 2)
      const old = [
        await callHosted(app, 'POST /passkeys/registration/options', token),
        await callHosted(app, `DELETE /passkeys/${id}`, token),
      ]
      expect(old.map(errorCodeOf)).toEqual(Array(2).fill('403 reauthentication_required'))
      await app.database.sql`update accounts set is_active = false where username = ${username}`
      expect(errorCodeOf(await signInWith(app, device))).toBe('403 user_banned')
    })
  })
})
