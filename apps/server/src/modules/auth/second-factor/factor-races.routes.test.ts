import type { HostedSession, HostedUser } from '@pegasus/contracts/auth/hosted-auth'
import { describe, expect, it } from 'vitest'
import { PASSWORD, type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'
import {
  type AccountWithFactor,
  anAccountWithFactor,
  answerChallenge,
  callHosted,
  challenge,
  codeOf,
  enroll,
  getMe,
  passSecondStep,
  errorCodeOf,
  wrongCodeOf,
} from '../../../../test/support/accounts/second-factor.ts'

const times = <T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)))

const signIn = (app: TestApp, { username }: AccountWithFactor) => app.signIn(username, PASSWORD)

describe('parallel second steps', () => {
  it('only one of ten parallel responses to the same second-factor challenge is accepted', async () => {
    const app = await buildTestApp()
    const person = await anAccountWithFactor(app)
    const ROUNDS = 4
    const winners: number[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      const token = await signIn(app, person)
      const asked = await challenge(app, token, person.factorId)
      const payload = { challenge_id: asked, code: codeOf(person.secret, app.clock) }
      const answers = await times(10, () =>
        callHosted(app, `POST /factors/${person.factorId}/verify`, token, { payload }),
      )
      const results = answers.map(errorCodeOf)
      winners.push(results.filter((each) => each === '200').length)
      expect(new Set(results)).toEqual(new Set(['200', '422 mfa_ip_address_mismatch']))
      app.clock.advance(30_000)
    }
    console.info(`second factor: winners of one challenge ${winners.join(', ')} in ${ROUNDS} rounds of 10`)
    expect(winners).toEqual(Array<number>(ROUNDS).fill(1))
  })

  it('a second-factor code is accepted in only one of five parallel sessions, on two processes', async () => {
    const app = await buildTestApp()
    const other = await app.replica()
    const person = await anAccountWithFactor(app)
    const code = codeOf(person.secret, app.clock)
    const tokens = await times(5, () => signIn(app, person))
    const asked = await Promise.all(tokens.map((token) => challenge(app, token, person.factorId)))
    const answers = await times(5, (index) =>
      callHosted(
        index % 2 === 0 ? app : other,
        `POST /factors/${person.factorId}/verify`,
        tokens[index] ?? '',
        {
          payload: { challenge_id: asked[index], code },
        },
      ),
    )
    const results = answers.map(errorCodeOf)
    console.info(
      `second factor: sessions that one code raised ${results.filter((each) => each === '200').length} of 5`,
    )
    expect(results.filter((each) => each === '200')).toHaveLength(1)
    // The accepted code has ended the other sessions, some of them before the server checked their code.
    expect(
      results.filter((each) => !/^(200|422 mfa_verification_failed|403 session_not_found)$/.test(each)),
    ).toEqual([])
  })

  it('a recovery code that is used in parallel sessions completes the second step of only one of them', async () => {
    const app = await buildTestApp()
    const person = await anAccountWithFactor(app)
    const token = person.session.access_token
    const made = await callHosted(app, 'POST /factors/recovery-codes', token)
    const [code = ''] = made.json<{ codes: string[] }>().codes
    const tokens = await times(6, () => signIn(app, person))
    const answers = await times(6, (index) =>
      callHosted(app, 'POST /factors/recovery-codes/verify', tokens[index] ?? '', { payload: { code } }),
    )
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
    const left = await callHosted(app, 'GET /factors/recovery-codes', token)
    expect(left.json()).toMatchObject({ remaining: 9 })
  })

  it('five parallel requests create one set of recovery codes', async () => {
    const app = await buildTestApp()
    const person = await anAccountWithFactor(app)
    const answers = await times(5, () =>
      callHosted(app, 'POST /factors/recovery-codes', person.session.access_token),
    )
    expect(answers.map(errorCodeOf).sort()).toEqual([
      '200',
      ...Array<string>(4).fill('422 mfa_verified_factor_exists'),
    ])
  })

  it('parallel enrollments of factors create at most ten factors, all with different names', async () => {
    const app = await buildTestApp()
    const token = await app.signIn(await app.anAccount('viewer'))
    const add = (name: string) =>
      callHosted(app, 'POST /factors', token, { payload: { factor_type: 'totp', friendly_name: name } })
    const same = (await times(4, () => add('Phone'))).map(errorCodeOf)
    expect(same.sort()).toEqual(['200', ...Array<string>(3).fill('422 mfa_factor_name_conflict')])
    const many = (await times(12, (index) => add(`Number ${index}`))).map(errorCodeOf)
    expect(many.filter((result) => result === '200')).toHaveLength(9)
  })

  it('parallel requests remove a factor once, and lower every session that passed its second step with this factor', async () => {
    const app = await buildTestApp()
    const ROUNDS = 4
    let ghosts = 0
    for (let round = 0; round < ROUNDS; round += 1) {
      const person = await anAccountWithFactor(app)
      const remaining = await enroll(app, person.session.access_token, 'Stays')
      const { access_token: owner } = await passSecondStep(app, person.session.access_token, remaining)
      const token = await signIn(app, person)
      const asked = await challenge(app, token, person.factorId)
      const payload = { challenge_id: asked, code: codeOf(person.secret, app.clock) }
      const [verified, ...removed] = await Promise.all([
        callHosted(app, `POST /factors/${person.factorId}/verify`, token, { payload }),
        ...[1, 2, 3].map(() => callHosted(app, `DELETE /factors/${person.factorId}`, owner)),
      ])
      expect(removed.map(errorCodeOf).sort()).toEqual([
        '200',
        '404 mfa_factor_not_found',
        '404 mfa_factor_not_found',
      ])
      // Two orders are possible. Either the code was accepted first, and the session fell back to `aal1` when the
      // factor was removed, or the code came too late.
      expect(['200', '404 mfa_factor_not_found']).toContain(errorCodeOf(verified))
      const after = verified.statusCode === 200 ? verified.json<HostedSession>().access_token : token
      if ((await getMe(app, after)).statusCode === 200) ghosts += 1
    }
    console.info(`second factor: sessions raised by a factor that is gone ${ghosts} of ${ROUNDS}`)
    expect(ghosts).toBe(0)
  })

  it('after the parallel removal of two factors, a sign-in needs a second step only if another factor remains', async () => {
    const app = await buildTestApp()
    const person = await anAccountWithFactor(app)
    const second = await enroll(app, person.session.access_token, 'Tablet')
    const { access_token: token } = await passSecondStep(app, person.session.access_token, second)
    const answers = await Promise.all(
      [person, second].map(({ factorId }) => callHosted(app, `DELETE /factors/${factorId}`, token)),
    )
    const results = answers.map(errorCodeOf).sort()
    // If the session's own factor was removed first, the session must prove the other factor before removing it.
    expect([
      ['200', '200'],
      ['200', '422 insufficient_aal'],
    ]).toContainEqual(results)
    const user = (await callHosted(app, 'GET /user', token)).json<HostedUser>()
    const isDue = errorCodeOf(await getMe(app, token)) === '403 insufficient_aal'
    expect(isDue).toBe((user.factors ?? []).length > 0)
  })

  it('a factor change needs the second step if another factor is verified while the change waits for a lock', async () => {
    const app = await buildTestApp()
    const { sql } = app.database
    const routes = ['POST /factors', 'POST /factors/recovery-codes', 'DELETE /factors/:id'] as const
    const results: string[] = []
    for (const route of routes) {
      const username = await app.anAccount('staff')
      const token = await app.signIn(username)
      const { factorId } = await enroll(app, token, 'Phone')
      const payload = { factor_type: 'totp', friendly_name: 'Late' }
      const late = await app.database.transaction(async (tx) => {
        await tx`select from accounts where username = ${username} for update`
        const call = callHosted(app, route.replace(':id', factorId), token, { payload })
        const countWaiting = async () => {
          const [row] = await sql<[{ n: number }]>`
            select count(*)::int as n from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock'`
          return row.n
        }
        await expect.poll(countWaiting, { timeout: 10_000 }).toBe(1)
        await tx`update factors set status = 'verified' where id = ${factorId}`
        return { call }
      })
      results.push(errorCodeOf(await late.call))
    }
    expect(results).toEqual(['403 insufficient_aal', '403 insufficient_aal', '422 insufficient_aal'])
  })

  it('T32 T34 at most 20 wrong second-factor codes from an IP address are checked, without blocking other addresses', async () => {
    const app = await buildTestApp()
    const person = await anAccountWithFactor(app)
    const token = await signIn(app, person)
    const wrong = wrongCodeOf(person.secret, app.clock)
    const asked = await challenge(app, token, person.factorId)
    const guess = () =>
      callHosted(app, `POST /factors/${person.factorId}/verify`, token, {
        payload: { challenge_id: asked, code: wrong },
      })
    const results = (await times(40, guess)).map(errorCodeOf)
    const judged = results.filter((each) => each === '422 mfa_verification_failed').length
    console.info(`T32 wrong codes judged ${judged} of ${results.length}`)
    expect(judged).toBeLessThanOrEqual(20)
    expect(
      results.filter((each) => !/^(422 mfa_verification_failed|429 over_request_rate_limit)$/.test(each)),
    ).toEqual([])
    for (let more = judged; more < 20; more += 1) await guess()
    const full = await answerChallenge(app, token, person)
    expect(errorCodeOf(full)).toBe('429 over_request_rate_limit')
    expect(Number(full.headers['retry-after'])).toBeGreaterThan(0)
    // Other wrong codes from the same address also count: those in a new session, and those in a reauthentication.
    const confirm = await app.http.inject({
      method: 'POST',
      url: '/api/auth/reauthenticate',
      headers: { authorization: `Bearer ${person.session.access_token}` },
      payload: { code: codeOf(person.secret, app.clock) },
    })
    expect(confirm.statusCode).toBe(429)
    const elsewhere = '203.0.113.50'
    const answer = await callHosted(app, `POST /factors/${person.factorId}/challenge`, token, {
      ip: elsewhere,
    })
    const payload = { challenge_id: answer.json<{ id: string }>().id, code: codeOf(person.secret, app.clock) }
    const there = await callHosted(app, `POST /factors/${person.factorId}/verify`, token, {
      payload,
      ip: elsewhere,
    })
    console.info(`T34 owners locked out by a guesser ${Number(there.statusCode !== 200)} of 1`)
    expect(errorCodeOf(there)).toBe('200')
  })

  it('right second-factor codes never count towards the limit of wrong codes', async () => {
    const app = await buildTestApp()
    const person = await anAccountWithFactor(app)
    for (let number = 0; number < 25; number += 1)
      await passSecondStep(app, await signIn(app, person), person)
    const [row] = await app.database.sql<[{ counted: number }]>`
      select count(*)::int as counted from sign_in_failures`
    expect(row.counted).toBe(0)
  })
})
