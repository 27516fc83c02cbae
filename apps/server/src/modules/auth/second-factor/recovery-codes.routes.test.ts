import type { HostedSession } from '@pegasus/contracts/auth/hosted-auth'
import { describe, expect, it } from 'vitest'
import { type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'
import { officialClient } from '../../../../test/support/accounts/official-client.ts'
import {
  type AccountWithFactor,
  anAccountWithFactor,
  callHosted,
  claimsOf,
  getMe,
  passSecondStep,
  errorCodeOf,
} from '../../../../test/support/accounts/second-factor.ts'

const CODES = '/factors/recovery-codes'

interface Made {
  id: string
  friendly_name: string
  total: number
  codes: string[]
}

async function makeCodes(app: TestApp, { session }: AccountWithFactor): Promise<Made> {
  const answer = await callHosted(app, `POST ${CODES}`, session.access_token)
  if (answer.statusCode !== 200) throw new Error(`making codes: ${answer.statusCode} ${answer.body}`)
  return answer.json<Made>()
}

const verifyCode = (app: TestApp, accessToken: string, code: unknown, ip?: string) =>
  callHosted(app, `POST ${CODES}/verify`, accessToken, { payload: { code }, ...(ip && { ip }) })

/** Returns how many recovery codes remain. */
async function remainingOf(app: TestApp, accessToken: string): Promise<unknown> {
  const answer = await callHosted(app, `GET ${CODES}`, accessToken)
  return answer.json<{ remaining?: number }>().remaining
}

/** Returns the official client with an existing session. */
async function clientOf(app: TestApp, session: { access_token: string; refresh_token: string }) {
  const client = await officialClient(app, { experimental: { recoveryCodes: true } })
  await client.setSession(session)
  return client
}

const signIn = async (app: TestApp, { username }: AccountWithFactor) => {
  const payload = { username, password: 'a decent passphrase' }
  const answer = await app.http.inject({ method: 'POST', url: '/auth/login', payload })
  return answer.json<{ access_token: string; refresh_token: string }>()
}

describe('recovery codes', () => {
  describe('valid recovery code requests', () => {
    it('recovery codes are created, counted, used, replaced and removed with the official client', async () => {
      const app = await buildTestApp()
      const person = await anAccountWithFactor(app)
      const client = await clientOf(app, person.session)
      expect((await client.mfa.recoveryCodes.getStatus()).error).toMatchObject({
        status: 404,
        code: 'mfa_factor_not_found',
      })
      const made = await client.mfa.recoveryCodes.generate()
      expect(made.data).toMatchObject({ type: 'recovery_code', friendly_name: 'Recovery codes', total: 10 })
      const codes = made.data?.codes ?? []
      expect(codes.filter((code) => !/^[2-9a-hj-km-np-z]{16}$/.test(code))).toEqual([])
      expect(new Set(codes).size).toBe(10)
      expect((await client.mfa.recoveryCodes.generate()).error?.code).toBe('mfa_verified_factor_exists')
      const listed = await client.mfa.listFactors()
      expect(listed.data?.recovery_code).toMatchObject([{ id: made.data?.id, status: 'verified' }])

      const later = await clientOf(app, await signIn(app, person))
      // A person may type the code in groups and capitals.
      const typed = ` ${(codes[0] ?? '').toUpperCase().replace(/(.{4})(?=.)/g, '$1-')} `
      const verified = await later.mfa.recoveryCodes.verify({ code: typed })
      expect(verified.error).toBeNull()
      expect(verified.data).toMatchObject({ recovery_codes_remaining: 9 })
      const { aal, amr } = claimsOf(verified.data?.access_token ?? '')
      expect([aal, amr.map(({ method }) => method)]).toEqual(['aal2', ['mfa/recovery_code', 'password']])
      expect((await later.mfa.recoveryCodes.getStatus()).data).toEqual({
        id: made.data?.id,
        type: 'recovery_code',
        total: 10,
        remaining: 9,
      })

      const replaced = await later.mfa.recoveryCodes.regenerate()
      expect(replaced.data).toMatchObject({ id: made.data?.id, friendly_name: 'Recovery codes', total: 10 })
      const fresh = replaced.data?.codes ?? []
      expect(fresh.filter((code) => codes.includes(code))).toEqual([])
      expect(await remainingOf(app, person.session.access_token)).toBe(10)
      expect((await later.mfa.recoveryCodes.unenroll()).data).toEqual({ id: made.data?.id })
      // The session that used a recovery code falls back to `aal1`. The session that used the authenticator
      // app stays at `aal2`.
      const token = (await later.getSession()).data.session?.access_token ?? ''
      expect(errorCodeOf(await getMe(app, token))).toBe('403 insufficient_aal')
      expect((await getMe(app, person.session.access_token)).statusCode).toBe(200)
    })

    it('each recovery code works once instead of a lost phone, and ends other sessions that have not passed the second step', async () => {
      const app = await buildTestApp()
      const person = await anAccountWithFactor(app)
      const { codes } = await makeCodes(app, person)
      const [here, there] = [await signIn(app, person), await signIn(app, person)]
      const answer = await verifyCode(app, here.access_token, codes[3])
      const { access_token: token } = answer.json<HostedSession>()
      expect((await getMe(app, token)).statusCode).toBe(200)
      expect(errorCodeOf(await getMe(app, here.access_token))).toBe('403 insufficient_aal')
      expect((await getMe(app, there.access_token)).statusCode).toBe(401)
      const again = await signIn(app, person)
      expect(errorCodeOf(await verifyCode(app, again.access_token, codes[3]))).toBe(
        '422 mfa_verification_failed',
      )
      expect(errorCodeOf(await verifyCode(app, again.access_token, codes[4]))).toBe('200')
      expect(await remainingOf(app, token)).toBe(8)
    })

    it('recovery codes are removed together with the last authenticator app', async () => {
      const app = await buildTestApp()
      const person = await anAccountWithFactor(app)
      const { codes } = await makeCodes(app, person)
      const token = person.session.access_token
      expect(errorCodeOf(await callHosted(app, `DELETE /factors/${person.factorId}`, token))).toBe('200')
      expect(errorCodeOf(await callHosted(app, `GET ${CODES}`, token))).toBe('404 mfa_factor_not_found')
      const { access_token: fresh } = await signIn(app, person)
      expect((await getMe(app, fresh)).statusCode).toBe(200)
      expect(errorCodeOf(await verifyCode(app, fresh, codes[0]))).toBe('422 mfa_verification_failed')
    })
  })

  describe('invalid recovery code requests', () => {
    it('wrong, replaced and empty recovery codes are refused', async () => {
      const app = await buildTestApp()
      const person = await anAccountWithFactor(app)
      const { codes: old } = await makeCodes(app, person)
      await callHosted(app, `POST ${CODES}/regenerate`, person.session.access_token)
      const { access_token: token } = await signIn(app, person)
      const entered = [
        old[0],
        'x'.repeat(16),
        `${old[0]}\0`,
        "' or true --",
        '',
        ' ',
        null,
        7,
        'y'.repeat(101),
      ]
      const answers: string[] = []
      for (const code of entered) answers.push(errorCodeOf(await verifyCode(app, token, code)))
      expect(answers).toEqual([
        ...Array<string>(4).fill('422 mfa_verification_failed'),
        ...Array<string>(5).fill('400 validation_failed'),
      ])
    })

    it('recovery codes need another factor and a free name, and cannot be challenged or removed like an authenticator app', async () => {
      const app = await buildTestApp()
      const alone = await app.signIn(await app.anAccount('viewer'))
      expect(errorCodeOf(await callHosted(app, `POST ${CODES}`, alone))).toBe(
        '422 mfa_recovery_codes_sole_factor',
      )
      expect(errorCodeOf(await callHosted(app, `POST ${CODES}/regenerate`, alone))).toBe(
        '404 mfa_factor_not_found',
      )
      expect(errorCodeOf(await callHosted(app, `DELETE ${CODES}`, alone))).toBe('404 mfa_factor_not_found')
      const person = await anAccountWithFactor(app)
      const token = person.session.access_token
      const payload = { factor_type: 'totp', friendly_name: 'Recovery codes' }
      await callHosted(app, 'POST /factors', token, { payload })
      expect(errorCodeOf(await callHosted(app, `POST ${CODES}`, token))).toBe('422 mfa_factor_name_conflict')
      const named = { payload: { friendly_name: 'In the safe' } }
      const made = (await callHosted(app, `POST ${CODES}`, token, named)).json<Made>()
      expect(made.friendly_name).toBe('In the safe')
      expect(errorCodeOf(await callHosted(app, `POST /factors/${made.id}/challenge`, token))).toBe(
        '404 mfa_factor_not_found',
      )
      expect(errorCodeOf(await callHosted(app, `DELETE /factors/${made.id}`, token))).toBe(
        '404 mfa_factor_not_found',
      )
    })
  })

  describe('recovery code requests without permission', () => {
    it('recovery codes of another account are refused, and sessions that passed only one step cannot manage recovery codes', async () => {
      const app = await buildTestApp()
      const [person, other] = [await anAccountWithFactor(app), await anAccountWithFactor(app)]
      const { codes } = await makeCodes(app, person)
      await makeCodes(app, other)
      const { access_token: token } = await signIn(app, other)
      expect(errorCodeOf(await verifyCode(app, token, codes[0]))).toBe('422 mfa_verification_failed')
      const results: string[] = []
      for (const route of [`GET ${CODES}`, `POST ${CODES}`, `POST ${CODES}/regenerate`, `DELETE ${CODES}`])
        results.push(errorCodeOf(await callHosted(app, route, token)))
      expect(results).toEqual(Array<string>(4).fill('403 insufficient_aal'))
      expect(await remainingOf(app, person.session.access_token)).toBe(10)
    })

    it('T32 recovery codes are blocked after 20 wrong codes from an address, but the authenticator app still works', async () => {
      const app = await buildTestApp()
      const person = await anAccountWithFactor(app)
      const { codes } = await makeCodes(app, person)
      const { access_token: token } = await signIn(app, person)
      const guesses = Array.from({ length: 30 }, (_, index) => `${'23456789'[index % 8]}`.repeat(16))
      const results: string[] = []
      for (const guess of guesses) results.push(errorCodeOf(await verifyCode(app, token, guess)))
      const judged = results.filter((each) => each === '422 mfa_verification_failed')
      console.info(`T32 recovery codes judged ${judged.length} of ${guesses.length}`)
      expect(judged).toHaveLength(20)
      const locked = await verifyCode(app, token, codes[0])
      expect(errorCodeOf(locked)).toBe('429 mfa_recovery_codes_locked')
      expect(Number(locked.headers['retry-after'])).toBeGreaterThan(0)
      expect(errorCodeOf(await verifyCode(app, token, codes[0], '203.0.113.9'))).toBe('200')
      const again = await signIn(app, person)
      await passSecondStep(app, again.access_token, person)
    })
  })
})
