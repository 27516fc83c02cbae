import { expect, it } from 'vitest'
import { fuzzGcode } from './fuzz-gcode.ts'

/** Number of files in ordinary test runs. `fuzz-gcode.long.test.ts` reads many more files. */
const RUNS = 400

it(`${RUNS} damaged sliced files cause no crash: each is read, or refused with a readable message`, {
  timeout: 60_000,
}, async () => {
  const { faults, accepted } = await fuzzGcode(RUNS, 20_260_101)
  expect(faults).toEqual([])
  // Some files must stay readable, because otherwise only the first check of each reader would be tested.
  expect(accepted).toBeGreaterThan(RUNS / 20)
})
