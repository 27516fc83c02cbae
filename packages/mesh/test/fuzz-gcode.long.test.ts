import { expect, it } from 'vitest'
import { fuzzGcode } from './fuzz-gcode.ts'

const RUNS = 200_000

it(`${RUNS} damaged sliced files cause no crash, and take less than 2 s each`, {
  timeout: 3_600_000,
}, async () => {
  const { faults, accepted, slowestMs } = await fuzzGcode(RUNS, 1)
  console.log(
    `damaged sliced files wrong ${faults.length} of ${RUNS}, ${accepted} accepted, slowest ${Math.round(slowestMs)} ms`,
  )
  expect(faults).toEqual([])
})
