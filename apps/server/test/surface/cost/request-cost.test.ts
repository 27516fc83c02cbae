import { expect, it } from 'vitest'
import { buildTestApp } from '../../support/build-test-app.ts'
import { isTooExpensive, walkEndpoints } from './walk.ts'

/**
 * The short test run multiplies the limit by this factor, because on a busy machine the same work takes several times
 * the CPU time. The long test run uses the exact limit.
 */
const SLACK = 4

it('no endpoint blocks the main thread for long, even with its most expensive parameters', {
  timeout: 300_000,
}, async () => {
  const app = await buildTestApp({
    variables: { API_KEY_REQUESTS_PER_MINUTE: '1000000' },
    checksJson: false,
  })
  const costs = await walkEndpoints(app, { rows: 100, isFull: false })
  const [worst] = costs
  console.info(
    `main thread: at most ${worst?.cpuMs.toFixed(0)} ms of CPU for a request (${worst?.route}, ${worst?.input}), ${costs.length} endpoints`,
  )
  expect(costs.filter((cost) => isTooExpensive(cost, SLACK))).toEqual([])
  expect(costs.filter(({ fault }) => fault !== null)).toEqual([])
})
