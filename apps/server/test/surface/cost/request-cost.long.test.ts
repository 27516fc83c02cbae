import { expect, it } from 'vitest'
import { buildTestApp } from '../../support/build-test-app.ts'
import { isTooExpensive, reportOf, walkEndpoints } from './walk.ts'

it('with thousands of rows in the database, no endpoint blocks the main thread for long, regardless of the caller', async () => {
  const app = await buildTestApp({
    variables: { API_KEY_REQUESTS_PER_MINUTE: '1000000' },
    checksJson: false,
  })
  const costs = await walkEndpoints(app, 2000)
  const [worst] = costs
  console.info(
    `main thread: at most ${worst?.cpuMs.toFixed(0)} ms of CPU for a request (${worst?.route}, ${worst?.input}), ${costs.length} endpoints\n${reportOf(costs)}`,
  )
  expect(costs.filter(isTooExpensive)).toEqual([])
  expect(costs.filter(({ fault }) => fault !== null)).toEqual([])
})
