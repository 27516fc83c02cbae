import { expect, it } from 'vitest'
import { runFuzz } from './run-fuzz.ts'

/** Number of models in ordinary test runs. `fuzz-models.long.test.ts` reads a million models. */
const RUNS = 500

it(`T69 ${RUNS} damaged models of all formats cause no crash`, { timeout: 120_000 }, async () => {
  const { faults, slowestMs, accepted } = await runFuzz(RUNS, 20_260_101)
  console.log(
    `T69 damaged models wrong ${faults.length} of ${RUNS}, ${accepted} accepted, slowest ${Math.round(slowestMs)} ms`,
  )
  expect(faults).toEqual([])
  // Some models must stay readable, because otherwise only the first check of each reader would be tested.
  expect(accepted).toBeGreaterThan(RUNS / 20)
})
