import { expect, it } from 'vitest'
import { fuzzGcode } from './fuzz-gcode.ts'

/** A sample for every run; `fuzz-gcode.long.test.ts` reads many more. */
const RUNS = 400

it(`${RUNS} damaged sliced files crash nothing, and each refusal is a sentence`, {
  timeout: 60_000,
}, async () => {
  const { faults, accepted } = await fuzzGcode(RUNS, 20_260_101)
  expect(faults).toEqual([])
  // If nothing stayed readable, only the first check of each reader would be tested.
  expect(accepted).toBeGreaterThan(RUNS / 20)
})
