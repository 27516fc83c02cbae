import { describe, expect, it } from 'vitest'
import { buildTestApp } from '../../../../test/support/build-test-app.ts'
import {
  anAccountWithFactor,
  answerChallenge,
  callHosted,
  challenge,
  claimsOf,
  codeOf,
  enroll,
  factorsOf,
  passSecondStep,
  reauthenticate,
  signInHosted,
  errorCodeOf,
} from '../../../../test/support/accounts/second-factor.ts'
import { MINUTE_MS } from '../../../platform/clock.ts'

describe('authenticator apps as second factors', () => {
  describe('invalid authenticator app requests', () => {
    it('enrolling a factor is refused with an unknown kind, without a kind, and with an invalid name', async () => {
      const app = await buildTestApp()
      const token = await app.signIn(await app.anAccount('viewer'))
      const cases = [
        [{ factor_type: 'phone', phone: '123456789' }, '422 mfa_phone_enroll_not_enabled'],
        [{ factor_type: 'recovery_code' }, '400 validation_failed'],
        [{}, '400 validation_failed'],
        [{ factor_type: 'totp', friendly_name: 'a\nb' }, '400 validation_failed'],
        [{ factor_type: 'totp', friendly_name: 'a\0b' }, '400 validation_failed'],
        [{ factor_type: 'totp', friendly_name: 'x'.repeat(101) }, '400 validation_failed'],
        [{ factor_type: 'totp', issuer: 7 }, '400 validation_failed'],
      ] as const
      const results = await Promise.all(
        cases.map(async ([payload]) =>
          errorCodeOf(await callHosted(app, 'POST /factors', token, { payload })),
        ),
      )
      expect(results).toEqual(cases.map(([, expected]) => expected))
      expect(errorCodeOf(await callHosted(app, 'POST /factors', token))).toBe('400 validation_failed')
    })

    it('a factor is refused if its name is taken, even an empty name, or if the account has ten factors', async () => {
      const app = await buildTestApp()
      const token = await app.signIn(await app.anAccount('viewer'))
      const add = async (name?: string) => {
        const payload = { factor_type: 'totp', ...(name !== undefined && { friendly_name: name }) }
        return errorCodeOf(await callHosted(app, 'POST /factors', token, { payload }))
      }
      expect([await add(), await add(''), await add()]).toEqual([
        '200',
        '422 mfa_factor_name_conflict',
        '422 mfa_factor_name_conflict',
      ])
      expect([await add('Phone'), await add(' Phone ')]).toEqual(['200', '422 mfa_factor_name_conflict'])
      for (let number = 3; number <= 10; number += 1) expect(await add(`Number ${number}`)).toBe('200')
      expect(await add('Number 11')).toBe('422 too_many_enrolled_mfa_factors')
    })

    it('an unverified factor and a second-factor challenge are refused after five minutes', async () => {
      const app = await buildTestApp()
      const token = await app.signIn(await app.anAccount('viewer'))
      const factor = await enroll(app, token)
      const asked = await challenge(app, token, factor.factorId)
      app.clock.advance(5 * MINUTE_MS)
      const verify = (secret: string, factorId: string, challengeId: string) =>
        callHosted(app, `POST /factors/${factorId}/verify`, token, {
          payload: { challenge_id: challengeId, code: codeOf(secret, app.clock) },
        })
      expect(errorCodeOf(await verify(factor.secret, factor.factorId, asked))).toBe(
        '404 mfa_factor_not_found',
      )
      expect(errorCodeOf(await callHosted(app, `POST /factors/${factor.factorId}/challenge`, token))).toBe(
        '404 mfa_factor_not_found',
      )
      expect(await factorsOf(app, token)).toEqual([])
      // The name of the expired factor is empty, and it can be used again.
      const second = await enroll(app, token)
      const { access_token: raised } = await passSecondStep(app, token, second)
      const late = await challenge(app, raised, second.factorId)
      app.clock.advance(5 * MINUTE_MS)
      const answer = await callHosted(app, `POST /factors/${second.factorId}/verify`, raised, {
        payload: { challenge_id: late, code: codeOf(second.secret, app.clock) },
      })
      expect(errorCodeOf(answer)).toBe('422 mfa_challenge_expired')
    })

    it('a second-factor challenge is refused if it is used, unknown, missing, or belongs to another address, session or factor', async () => {
      const app = await buildTestApp()
      const person = await anAccountWithFactor(app)
      const { access_token: token } = await signInHosted(app, person.email)
      const { factorId, secret } = person
      const second = await enroll(app, person.session.access_token, 'Tablet')
      const code = codeOf(secret, app.clock)
      const verify = async (payload: Record<string, unknown>, ip?: string) =>
        errorCodeOf(
          await callHosted(app, `POST /factors/${factorId}/verify`, token, { payload, ...(ip && { ip }) }),
        )
      const asked = await challenge(app, token, factorId)
      const others = await challenge(app, person.session.access_token, factorId)
      const ofSecond = await challenge(app, person.session.access_token, second.factorId)
      const results = [
        await verify({ challenge_id: asked, code }, '203.0.113.7'),
        await verify({ challenge_id: others, code }),
        await verify({ challenge_id: ofSecond, code }),
        await verify({ challenge_id: crypto.randomUUID(), code }),
        await verify({ challenge_id: 'no uuid', code }),
        await verify({ code }),
        await verify({ challenge_id: asked }),
        await verify({ challenge_id: asked, code: ' ' }),
        await verify({ challenge_id: asked, code: 123_456 }),
        await verify({ challenge_id: asked, code: '12345' }),
      ]
      expect(results).toEqual([
        '422 mfa_ip_address_mismatch',
        '422 mfa_factor_not_found',
        '422 mfa_factor_not_found',
        '422 mfa_factor_not_found',
        '422 mfa_factor_not_found',
        '400 validation_failed',
        '400 validation_failed',
        '400 validation_failed',
        '400 validation_failed',
        '422 mfa_verification_failed',
      ])
      expect(await verify({ challenge_id: asked, code })).toBe('200')
      expect(await verify({ challenge_id: asked, code })).toBe('422 mfa_ip_address_mismatch')
    })

    it('a second-factor code that was already accepted is refused at every endpoint', async () => {
      const app = await buildTestApp()
      const person = await anAccountWithFactor(app)
      const code = codeOf(person.secret, app.clock)
      const earlier = codeOf(person.secret, app.clock, -1)
      const { access_token: first } = await signInHosted(app, person.email)
      expect(errorCodeOf(await answerChallenge(app, first, person, { code }))).toBe('200')
      const replays: string[] = []
      for (const replay of [code, earlier]) {
        const { access_token: token } = await signInHosted(app, person.email)
        replays.push(errorCodeOf(await answerChallenge(app, token, person, { code: replay })))
      }
      const here = await reauthenticate(app, person.session.access_token, { code })
      replays.push(errorCodeOf(here))
      const accepted = replays.filter((result) => result === '200')
      console.info(`second factor: codes accepted twice ${accepted.length} of ${replays.length}`)
      expect(replays).toEqual([
        '422 mfa_verification_failed',
        '422 mfa_verification_failed',
        '422 factor_code_wrong',
      ])
    })

    it('a session keeps at most ten second-factor challenges', async () => {
      const app = await buildTestApp()
      const person = await anAccountWithFactor(app)
      const { access_token: token } = await signInHosted(app, person.email)
      for (let number = 0; number < 15; number += 1) await challenge(app, token, person.factorId)
      const { session_id: sessionId } = claimsOf(token)
      const [row] = await app.database.sql<[{ kept: number }]>`
        select count(*)::int as kept from challenges where session_id = ${sessionId}`
      expect(row.kept).toBe(10)
      expect(errorCodeOf(await answerChallenge(app, token, person))).toBe('200')
    })
  })

  describe('authenticator app requests without permission', () => {
    it('T6 access to the factors of other accounts is refused', async () => {
      const app = await buildTestApp()
      const victim = await anAccountWithFactor(app, 'viewer')
      const thief = await anAccountWithFactor(app, 'admin')
      const token = thief.session.access_token
      const { factorId, secret } = victim
      const asked = await challenge(app, token, thief.factorId)
      const results = await Promise.all(
        [
          callHosted(app, `POST /factors/${factorId}/challenge`, token),
          callHosted(app, `POST /factors/${factorId}/verify`, token, {
            payload: { challenge_id: asked, code: codeOf(secret, app.clock) },
          }),
          callHosted(app, `DELETE /factors/${factorId}`, token),
          callHosted(app, 'DELETE /factors/no-uuid', token),
        ].map(async (answer) => errorCodeOf(await answer)),
      )
      const leaks = results.filter((each) => !each.startsWith('404'))
      console.info(`T6 factors of others opened ${leaks.length} of ${results.length}`)
      expect(results).toEqual([...Array<string>(3).fill('404 mfa_factor_not_found'), '404 validation_failed'])
      expect(await factorsOf(app, victim.session.access_token)).toHaveLength(1)
    })

    it('T23 factors and recovery codes cannot be changed without a recently entered password or code', async () => {
      const app = await buildTestApp()
      const person = await anAccountWithFactor(app)
      const token = person.session.access_token
      const routes = [
        'POST /factors',
        `DELETE /factors/${person.factorId}`,
        'POST /factors/recovery-codes',
        'POST /factors/recovery-codes/regenerate',
        'DELETE /factors/recovery-codes',
      ]
      app.clock.advance(16 * MINUTE_MS)
      const results: string[] = []
      for (const route of routes)
        results.push(errorCodeOf(await callHosted(app, route, token, { payload: {} })))
      const done = results.filter((each) => each !== '403 reauthentication_required')
      console.info(
        `T23 changes of a second factor without a recent sign-in ${done.length} of ${routes.length}`,
      )
      expect(done).toEqual([])
      // A code that was entered within the last 15 minutes is enough.
      await passSecondStep(app, token, person)
      expect(errorCodeOf(await callHosted(app, 'POST /factors/recovery-codes', token))).toBe('200')
    })

    it('a session that has not passed the second step can neither add nor remove a factor', async () => {
      const app = await buildTestApp()
      const person = await anAccountWithFactor(app)
      const { access_token: token } = await signInHosted(app, person.email)
      const payload = { factor_type: 'totp', friendly_name: 'Mine' }
      expect(errorCodeOf(await callHosted(app, 'POST /factors', token, { payload }))).toBe(
        '403 insufficient_aal',
      )
      expect(errorCodeOf(await callHosted(app, `DELETE /factors/${person.factorId}`, token))).toBe(
        '422 insufficient_aal',
      )
    })

    it("when the owner verifies a factor, another person's unfinished enrollment and session are removed", async () => {
      const app = await buildTestApp()
      const username = await app.anAccount('staff')
      const [owner, thief] = [await app.signIn(username), await app.signIn(username)]
      const theirs = await enroll(app, thief, 'Begun by a thief')
      const factor = await enroll(app, owner, 'Phone')
      const asked = await challenge(app, thief, theirs.factorId)
      const raised = await passSecondStep(app, owner, factor)
      expect((await factorsOf(app, raised.access_token)).map(({ friendly_name: name }) => name)).toEqual([
        'Phone',
      ])
      const answer = await callHosted(app, `POST /factors/${theirs.factorId}/verify`, thief, {
        payload: { challenge_id: asked, code: codeOf(theirs.secret, app.clock) },
      })
      expect(errorCodeOf(answer)).toBe('403 session_not_found')
    })
  })
})
