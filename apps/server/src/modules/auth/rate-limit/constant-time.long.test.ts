import { describe, expect, it } from 'vitest'
import { PASSWORD, type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'
import { MINUTE_MS } from '../../../platform/clock.ts'

const SAMPLES = 400
const MAX_AUC = 0.55
const MAX_MEDIAN_GAP_MS = 10

type Ask = (app: TestApp, email: string) => Promise<unknown>

const post =
  (url: string, fields: Record<string, unknown> = {}): Ask =>
  (app, email) =>
    app.http.inject({ method: 'POST', url, payload: { email, username: email, ...fields } })

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

/**
 * Returns how well the response time distinguishes two groups (the area under the ROC curve). 0.5 means not at all, and
 * 0 or 1 means completely.
 */
function areaUnderCurve(ones: readonly number[], others: readonly number[]): number {
  let wins = 0
  for (const one of ones) for (const other of others) wins += one > other ? 1 : one === other ? 0.5 : 0
  const area = wins / (ones.length * others.length)
  return Math.max(area, 1 - area)
}

/**
 * Measures requests for known and unknown addresses alternately. Waits two minutes between the pairs, so that no limit
 * applies.
 */
async function measure(app: TestApp, ask: Ask, known: readonly string[]): Promise<[number[], number[]]> {
  const times: [number[], number[]] = [[], []]
  const time = async (email: string): Promise<number> => {
    const startedAt = performance.now()
    await ask(app, email)
    return performance.now() - startedAt
  }
  for (const [index, email] of known.entries()) {
    // Measure in both orders equally often, so that warming up favors neither group.
    for (const isKnown of index % 2 === 0 ? [true, false] : [false, true])
      times[isKnown ? 0 : 1].push(await time(isKnown ? email : `nobody-${index}@example.com`))
    app.clock.advance(2 * MINUTE_MS)
  }
  return times
}

describe('T31 response times for known and unknown addresses', () => {
  it.each([
    ['sign-in', post('/auth/login', { password: 'a wrong password' })],
    ['reset', post('/auth/v1/recover')],
    ['sign-up', post('/auth/v1/signup', { password: PASSWORD })],
  ])('the response time of a %s does not reveal whether the address has an account', async (name, ask) => {
    const app = await buildTestApp({ hasRealHashing: true })
    const names: string[] = []
    for (let i = 0; i < SAMPLES; i += 1) names.push(`${await app.anAccount('viewer')}@example.com`)
    // Store a hash with the cost of a real server, because the hashes of test accounts are cheaper to check.
    await app.database.sql`
      update accounts set password_hash = (select password_hash from accounts where username = 'owner')`
    const [known, unknown] = await measure(app, ask, names)
    const auc = areaUnderCurve(known, unknown)
    const gapMs = Math.abs(median(known) - median(unknown))
    console.info(
      `T31 ${name}: AUC ${auc.toFixed(3)} of at most ${MAX_AUC}, medians ${gapMs.toFixed(1)} ms apart, ${SAMPLES} samples each`,
    )
    expect(auc).toBeLessThanOrEqual(MAX_AUC)
    expect(gapMs).toBeLessThanOrEqual(MAX_MEDIAN_GAP_MS)
  })
})
