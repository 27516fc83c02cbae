import { describe, expect, it } from 'vitest'
import { aKey, keyHeader } from '../../../test/support/accounts/api-keys.ts'
import { type TestApp, buildTestApp } from '../../../test/support/build-test-app.ts'
import { makeKey, readKey, withCheck } from './key-format.ts'

const SAMPLES = 10_000
const MAX_CORRELATION = 0.05
const SECRET_LENGTH = 43

/** Returns the correlation of two series, from -1 to 1. 0 means that they are unrelated. */
function correlation(xs: readonly number[], ys: readonly number[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [meanX, meanY] = [mean(xs), mean(ys)]
  let [together, ofX, ofY] = [0, 0, 0]
  for (const [i, x] of xs.entries()) {
    const [dx, dy] = [x - meanX, (ys[i] ?? 0) - meanY]
    together += dx * dy
    ofX += dx * dx
    ofY += dy * dy
  }
  return together / Math.sqrt(ofX * ofY)
}

const ranksOf = (values: readonly number[]): number[] => {
  const order = values.map((_, index) => index).toSorted((a, b) => (values[a] ?? 0) - (values[b] ?? 0))
  const ranks: number[] = []
  for (const [rank, index] of order.entries()) ranks[index] = rank
  return ranks
}

/**
 * Returns a key with a valid check and the id of `key`. Only the first `matching` characters of its secret are correct.
 */
function guessOf(key: string, matching: number): string {
  const [mark = '', id = '', secret = ''] = key.split('_')
  const other = makeKey().key.split('_')[2] ?? ''
  const wrong = secret[matching] === 'x' ? 'y' : 'x'
  return withCheck(`${mark}_${id}_${secret.slice(0, matching)}${wrong}${other.slice(matching + 1)}`)
}

async function timeOf(app: TestApp, key: string): Promise<number> {
  const startedAt = performance.now()
  const { statusCode } = await app.http.inject({ url: '/api/integration/stock', headers: keyHeader(key) })
  const durationMs = performance.now() - startedAt
  expect(statusCode).toBe(401)
  return durationMs
}

describe('the response time for wrong API keys', () => {
  it('the response time does not reveal how much of an API key is right', async () => {
    const app = await buildTestApp()
    const { key } = await aKey(app)
    for (let i = 0; i < 500; i += 1) await timeOf(app, guessOf(key, 0))
    const lengths: number[] = []
    const times: number[] = []
    for (let i = 0; i < SAMPLES; i += 1) {
      const matching = Math.floor(Math.random() * SECRET_LENGTH)
      const guess = guessOf(key, matching)
      expect(readKey(guess)).not.toBeNull()
      lengths.push(matching)
      times.push(await timeOf(app, guess))
    }
    // Compare ranks instead of times, because a single pause of the machine would distort the correlation of the times.
    const r = correlation(ranksOf(lengths), ranksOf(times))
    console.info(`T44 correlation ${r.toFixed(4)} of at most ${MAX_CORRELATION}, ${SAMPLES} samples`)
    expect(Math.abs(r)).toBeLessThan(MAX_CORRELATION)
  })
})
