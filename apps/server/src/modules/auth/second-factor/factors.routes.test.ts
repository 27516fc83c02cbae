import type { HostedSession } from '@pegasus/contracts/auth/hosted-auth'
import { describe, expect, it } from 'vitest'
import { PASSWORD, type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'
import { fragmentOf, lastLinkTo } from '../../../../test/support/accounts/mails.ts'
import { type OfficialClient, officialClient } from '../../../../test/support/accounts/official-client.ts'
import {
  anAccountWithFactor,
  answerChallenge,
  callHosted,
  claimsOf,
  codeOf,
  enroll,
  factorsOf,
  getMe,
  passSecondStep,
  reauthenticate,
  signInHosted,
  errorCodeOf,
  wrongCodeOf,
} from '../../../../test/support/accounts/second-factor.ts'
import { MINUTE_MS, SECOND_MS } from '../../../platform/clock.ts'

/** Signs in and returns the official client. */
async function signedInClient(app: TestApp, username: string) {
  const client = await officialClient(app)
  const email = `${username}@example.com`
  const { data, error } = await client.signInWithPassword({ email, password: PASSWORD })
  if (error) throw error
  return { client, session: data.session }
}

const levelOf = async (client: OfficialClient) => {
  const { data } = await client.mfa.getAuthenticatorAssuranceLevel()
  return [data?.currentLevel, data?.nextLevel]
}

const refresh = (app: TestApp, refreshToken: string) =>
  app.http.inject({
    method: 'POST',
    url: '/auth/v1/token?grant_type=refresh_token',
    headers: { 'x-supabase-api-version': '2024-01-01' },
    payload: { refresh_token: refreshToken },
  })

describe('authenticator apps as second factors', () => {
  describe('valid authenticator app requests', () => {
    it('an authenticator app is enrolled and verified with the official client, and required from then on', async () => {
      const app = await buildTestApp()
      const username = await app.anAccount('staff')
      const { client, session } = await signedInClient(app, username)
      const enrolled = await client.mfa.enroll({ factorType: 'totp', friendlyName: 'Phone', issuer: 'Shop' })
      expect(enrolled.error).toBeNull()
      const { id: factorId = '', totp } = enrolled.data ?? {}
      expect(totp?.qr_code).toMatch(/^data:image\/svg\+xml;utf-8,<svg [^#%]+<\/svg>$/)
      expect(totp?.uri).toContain(`otpauth://totp/Shop:${username}%40example.com?issuer=Shop`)
      expect(new URL(totp?.uri ?? '').searchParams.get('secret')).toBe(totp?.secret)
      expect((await client.mfa.listFactors()).data).toMatchObject({
        all: [{ id: factorId, status: 'unverified', friendly_name: 'Phone', factor_type: 'totp' }],
        totp: [],
      })
      expect(await levelOf(client)).toEqual(['aal1', 'aal1'])
      const secret = totp?.secret ?? ''
      const verified = await client.mfa.challengeAndVerify({ factorId, code: codeOf(secret, app.clock) })
      expect(verified.error).toBeNull()
      expect(verified.data?.user.factors).toMatchObject([{ id: factorId, status: 'verified' }])
      expect(await levelOf(client)).toEqual(['aal2', 'aal2'])
      expect((await client.mfa.listFactors()).data?.totp).toHaveLength(1)
      const [before, after] = [session?.access_token ?? '', verified.data?.access_token ?? ''].map(claimsOf)
      expect(after?.session_id).toBe(before?.session_id)
      expect(after?.amr.map(({ method }) => method)).toEqual(['totp', 'password'])
      const refreshed = await client.refreshSession()
      expect(claimsOf(refreshed.data.session?.access_token ?? '').aal).toBe('aal2')
      const me = await getMe(app, refreshed.data.session?.access_token ?? '')
      expect(me.json()).toMatchObject({ username, second_factor: true })

      app.clock.advance(30 * SECOND_MS)
      const { client: later } = await signedInClient(app, username)
      expect(await levelOf(later)).toEqual(['aal1', 'aal2'])
      const first = (await later.getSession()).data.session?.access_token ?? ''
      const refused = await getMe(app, first)
      expect([refused.statusCode, refused.json()]).toEqual([
        403,
        { detail: expect.stringContaining('authenticator'), code: 'insufficient_aal' },
      ])
      const asked = await later.mfa.challenge({ factorId })
      expect(asked.data).toMatchObject({ type: 'totp' })
      const goodFor = (asked.data?.expires_at ?? 0) - Math.floor(app.clock.now().getTime() / 1000)
      expect(goodFor).toBe(300)
      const code = codeOf(secret, app.clock)
      const done = await later.mfa.verify({ factorId, challengeId: asked.data?.id ?? '', code })
      expect(done.error).toBeNull()
      expect((await getMe(app, done.data?.access_token ?? '')).statusCode).toBe(200)
      expect((await factorsOf(app, done.data?.access_token ?? ''))[0]?.last_challenged_at).not.toBeNull()
      expect((await later.signOut()).error).toBeNull()
    })

    it('POST /auth/login says that a second factor is required, and its token grants no access before the second step', async () => {
      const app = await buildTestApp()
      const { username } = await anAccountWithFactor(app)
      const payload = { username, password: PASSWORD }
      const answer = await app.http.inject({ method: 'POST', url: '/auth/login', payload })
      const { access_token: token, user } = answer.json<{
        access_token: string
        user: { second_factor: boolean }
      }>()
      expect(user.second_factor).toBe(true)
      expect(errorCodeOf(await getMe(app, token))).toBe('403 insufficient_aal')
      expect(errorCodeOf(await callHosted(app, 'POST /logout', token))).toBe('204')
    })

    it('the second step ends other sessions that have not passed it, and gives earlier tokens no further access', async () => {
      const app = await buildTestApp()
      const person = await anAccountWithFactor(app)
      const [here, there] = [await signInHosted(app, person.email), await signInHosted(app, person.email)]
      const raised = await passSecondStep(app, here.access_token, person)
      expect(raised.refresh_token).not.toBe(here.refresh_token)
      // The earlier token belongs to the same session, but has only the rights from before the second step.
      expect(errorCodeOf(await getMe(app, here.access_token))).toBe('403 insufficient_aal')
      expect(errorCodeOf(await callHosted(app, 'GET /user', there.access_token))).toBe(
        '403 session_not_found',
      )
      expect((await getMe(app, raised.access_token)).statusCode).toBe(200)
      expect((await getMe(app, person.session.access_token)).statusCode).toBe(200)
      expect(errorCodeOf(await refresh(app, there.refresh_token))).toBe('400 refresh_token_not_found')

      const again = await signInHosted(app, person.email)
      const answer = await answerChallenge(app, again.access_token, person)
      expect(errorCodeOf(await refresh(app, again.refresh_token))).toBe('400 refresh_token_not_found')
      const kept = answer.json<HostedSession>()
      expect((await getMe(app, kept.access_token)).statusCode).toBe(200)
      app.clock.advance(11 * SECOND_MS)
      expect(errorCodeOf(await refresh(app, again.refresh_token))).toBe('400 refresh_token_already_used')
      expect(errorCodeOf(await callHosted(app, 'GET /user', kept.access_token))).toBe('403 session_not_found')
    })

    it('a passed second step stays valid when the session is refreshed, on any replica', async () => {
      const app = await buildTestApp()
      const { session } = await anAccountWithFactor(app)
      const other = await app.replica()
      const refreshed = (await refresh(other, session.refresh_token)).json<HostedSession>()
      expect(claimsOf(refreshed.access_token)).toMatchObject({ aal: 'aal2' })
      expect((await getMe(app, refreshed.access_token)).statusCode).toBe(200)
    })

    it('after the authenticator app is removed, its sessions lose the second step and no code is required', async () => {
      const app = await buildTestApp()
      const person = await anAccountWithFactor(app)
      const other = await passSecondStep(app, (await signInHosted(app, person.email)).access_token, person)
      const removed = await callHosted(app, `DELETE /factors/${person.factorId}`, person.session.access_token)
      expect([removed.statusCode, removed.json()]).toEqual([200, { id: person.factorId }])
      expect(await factorsOf(app, other.access_token)).toEqual([])
      expect((await getMe(app, other.access_token)).json()).toMatchObject({ second_factor: false })
      const refreshed = (await refresh(app, other.refresh_token)).json<HostedSession>()
      expect(claimsOf(refreshed.access_token)).toMatchObject({
        aal: 'aal1',
        amr: [{ method: 'password' }],
      })
      const { access_token: fresh } = await signInHosted(app, person.email)
      expect((await getMe(app, fresh)).statusCode).toBe(200)
    })

    it('a second authenticator app can be added, and is required once the first app is removed', async () => {
      const app = await buildTestApp()
      const person = await anAccountWithFactor(app)
      const second = await enroll(app, person.session.access_token, 'Tablet')
      const both = await passSecondStep(app, person.session.access_token, second)
      const byFirst = await passSecondStep(app, (await signInHosted(app, person.email)).access_token, person)
      expect(
        errorCodeOf(await callHosted(app, `DELETE /factors/${person.factorId}`, both.access_token)),
      ).toBe('200')
      // This session has also passed the second step with the second app, so it stays at `aal2`. The other session has
      // used only the first app, so it falls back to `aal1`.
      expect((await getMe(app, both.access_token)).statusCode).toBe(200)
      expect(errorCodeOf(await getMe(app, byFirst.access_token))).toBe('403 insufficient_aal')
      const raised = await passSecondStep(app, byFirst.access_token, second)
      expect((await getMe(app, raised.access_token)).statusCode).toBe(200)
    })

    it('a person can reauthenticate for sensitive changes with the code of an authenticator app, but only once per code', async () => {
      const app = await buildTestApp()
      const person = await anAccountWithFactor(app)
      const token = person.session.access_token
      app.clock.advance(16 * MINUTE_MS)
      const late = await callHosted(app, 'POST /factors', token, { payload: { factor_type: 'totp' } })
      expect(errorCodeOf(late)).toBe('403 reauthentication_required')
      const code = codeOf(person.secret, app.clock)
      const wrong = wrongCodeOf(person.secret, app.clock)
      expect(errorCodeOf(await reauthenticate(app, token, { code: wrong }))).toBe('422 factor_code_wrong')
      expect(errorCodeOf(await reauthenticate(app, token, { code }))).toBe('200')
      expect(errorCodeOf(await reauthenticate(app, token, { code }))).toBe('422 factor_code_wrong')
      expect((await enroll(app, token, 'Tablet')).secret).toHaveLength(32)
    })

    it('the second step is required before a recovery link can set a new password', async () => {
      const app = await buildTestApp()
      const person = await anAccountWithFactor(app)
      const payload = { email: person.email }
      await app.http.inject({ method: 'POST', url: '/auth/v1/recover', payload })
      const { location } = (await app.http.inject((await lastLinkTo(app, person.email)).url)).headers
      const token = fragmentOf(location).access_token ?? ''
      const choose = (accessToken: string) =>
        callHosted(app, 'PUT /user', accessToken, { payload: { password: 'entirely new words' } })
      expect(errorCodeOf(await choose(token))).toBe('401 insufficient_aal')
      expect(errorCodeOf(await getMe(app, token))).toBe('403 insufficient_aal')
      const raised = await passSecondStep(app, token, person)
      expect(errorCodeOf(await choose(raised.access_token))).toBe('200')
      expect(await app.signIn(person.username, 'entirely new words')).toBeTruthy()
    })

    it('the second step is required before changing a password that an administrator set', async () => {
      const app = await buildTestApp()
      const person = await anAccountWithFactor(app)
      await app.database.sql`
        update accounts set must_change_password = true where username = ${person.username}`
      const token = await app.signIn(person.username)
      expect(errorCodeOf(await getMe(app, token))).toBe('403 insufficient_aal')
      const raised = await passSecondStep(app, token, person)
      expect((await getMe(app, raised.access_token)).json()).toMatchObject({ password_change_required: true })
    })

    it('the second step accepts only codes from 30 seconds before to 30 seconds after the current time', async () => {
      const app = await buildTestApp()
      const person = await anAccountWithFactor(app)
      const results: string[] = []
      for (const steps of [-2, 2, -1, 1]) {
        const { access_token: token } = await signInHosted(app, person.email)
        const code = codeOf(person.secret, app.clock, steps)
        results.push(errorCodeOf(await answerChallenge(app, token, person, { code })))
        app.clock.advance(60 * SECOND_MS)
      }
      expect(results).toEqual(['422 mfa_verification_failed', '422 mfa_verification_failed', '200', '200'])
    })
  })
})
