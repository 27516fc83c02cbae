import { expect, it } from 'vitest'
import { runFuzz } from './run-fuzz.ts'

/** A sample for every run; `fuzz-models.long.test.ts` reads a million. */
const RUNS = 500

it(`T69 ${RUNS} damaged models of all formats crash nothing`, { timeout: 120_000 }, async () => {
  const { faults, slowestMs, accepted } = await runFuzz(RUNS, 20_260_101)
  console.log(
    `T69 damaged models wrong ${faults.length} of ${RUNS}, ${accepted} accepted, slowest ${Math.round(slowestMs)} ms`,
  )
  expect(faults).toEqual([])
  // If nothing stayed readable, only the first check of each reader would be tested.
  expect(accepted).toBeGreaterThan(RUNS / 20)
})
