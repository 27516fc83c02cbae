import { describe, expect, it } from 'vitest'
import { PASSWORD, type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'
import {
  type AccountWithFactor,
  anAccountWithFactor,
  callHosted,
  codeOf,
  reauthenticate,
  errorCodeOf,
  wrongCodeOf,
} from '../../../../test/support/accounts/second-factor.ts'
import { DAY_MS, MINUTE_MS } from '../../../platform/clock.ts'

/** Sends a code from an IP address, in the session of an access token. Returns the response. */
async function guess(
  app: TestApp,
  { person, token, ip, code }: { person: AccountWithFactor; token: string; ip: string; code: string },
) {
  const asked = await callHosted(app, `POST /factors/${person.factorId}/challenge`, token, { ip })
  const payload = { challenge_id: asked.json<{ id: string }>().id, code }
  return callHosted(app, `POST /factors/${person.factorId}/verify`, token, { payload, ip })
}

/** Sends 15 wrong codes from each of ten IP addresses. Returns how many of the codes were checked. */
async function guessFromEverywhere(
  app: TestApp,
  person: AccountWithFactor,
  network = '198.51.100',
): Promise<number> {
  const token = await app.signIn(person.username, PASSWORD)
  const code = wrongCodeOf(person.secret, app.clock)
  let judged = 0
  for (let host = 1; host <= 10; host += 1)
    for (let number = 0; number < 15; number += 1) {
      const result = errorCodeOf(await guess(app, { person, token, ip: `${network}.${host}`, code }))
      expect(result).toMatch(/^(422 mfa_verification_failed|429 over_request_rate_limit)$/)
      judged += Number(result.startsWith('422'))
    }
  return judged
}

describe('wrong codes from many addresses', () => {
  it('T32 T34 at most 100 wrong codes per day are checked for all addresses together, and known addresses are not blocked', async () => {
    const app = await buildTestApp()
    const person = await anAccountWithFactor(app)
    const judged = await guessFromEverywhere(app, person)
    console.info(`T32 wrong codes judged ${judged} of 150 from 10 addresses`)
    expect(judged).toBe(100)

    const right = () => codeOf(person.secret, app.clock)
    const fresh = await app.signIn(person.username, PASSWORD)
    const full = await guess(app, { person, token: fresh, ip: '203.0.113.77', code: right() })
    expect(errorCodeOf(full)).toBe('429 over_request_rate_limit')
    expect(Number(full.headers['retry-after'])).toBeGreaterThan(DAY_MS / 1000 - 60)

    // The limit does not apply to known IP addresses, or to sessions that have passed the second step.
    const known = await guess(app, { person, token: fresh, ip: '127.0.0.1', code: right() })
    app.clock.advance(30_000)
    const proved = await reauthenticate(app, known.json<{ access_token: string }>().access_token, {
      code: right(),
    })
    const statuses = [known.statusCode, proved.statusCode]
    console.info(
      `T34 owners locked out by a guesser elsewhere ${statuses.filter((s) => s !== 200).length} of 2`,
    )
    expect(statuses).toEqual([200, 200])

    app.clock.advance(DAY_MS + MINUTE_MS)
    const later = await app.signIn(person.username, PASSWORD)
    const free = await guess(app, { person, token: later, ip: '203.0.113.77', code: right() })
    expect(free.statusCode).toBe(200)
  })

  it('the hourly cleanup deletes wrong second-factor codes only when they no longer count towards the daily limit', async () => {
    const app = await buildTestApp()
    const person = await anAccountWithFactor(app)
    await guessFromEverywhere(app, person)
    app.clock.advance(60 * MINUTE_MS)
    await app.auth.purge()
    expect(await guessFromEverywhere(app, person, '198.51.101')).toBe(0)
    app.clock.advance(DAY_MS)
    await app.auth.purge()
    const [row] = await app.database.sql<[{ n: number }]>`select count(*)::int as n from sign_in_failures`
    expect(row.n).toBe(0)
  })

  it('a reset of the second factor by an administrator deletes the known IP addresses of the account', async () => {
    const app = await buildTestApp()
    const person = await anAccountWithFactor(app)
    const [row] = await app.database.sql<[{ id: string }]>`
      select id from accounts where username = ${person.username}`
    const known = async () => {
      const rows = await app.database.sql`
        select address from known_addresses where account_id = ${row.id} order by address`
      return rows.map(({ address }) => address)
    }
    expect(await known()).toEqual(['127.0.0.1', 'mail/127.0.0.1'])
    const reset = await app.http.inject({
      method: 'DELETE',
      url: `/api/auth/users/${row.id}/factors`,
      headers: await app.as('admin'),
    })
    expect(reset.statusCode).toBe(204)
    expect(await known()).toEqual([])
  })
})
