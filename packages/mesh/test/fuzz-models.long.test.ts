import { expect, it } from 'vitest'
import { runFuzz } from './run-fuzz.ts'

const RUNS = 1_000_000
const SEEDS = 10

it(`T69 ${RUNS} damaged models cause no crash, and take less than 2 s each and 512 MB together`, {
  timeout: 3_600_000,
}, async () => {
  const totals = { faults: [] as string[], slowestMs: 0, peakRssMb: 0, accepted: 0 }
  for (let seed = 1; seed <= SEEDS; seed++) {
    const report = await runFuzz(RUNS / SEEDS, seed)
    totals.faults.push(...report.faults)
    totals.accepted += report.accepted
    totals.slowestMs = Math.max(totals.slowestMs, report.slowestMs)
    totals.peakRssMb = Math.max(totals.peakRssMb, report.peakRssMb)
  }
  const { faults, slowestMs, peakRssMb, accepted } = totals
  console.log(
    `T69 damaged models wrong ${faults.length} of ${RUNS}, ${accepted} accepted, slowest ${Math.round(slowestMs)} ms, memory at most ${peakRssMb} MB`,
  )
  expect(faults).toEqual([])
  expect(peakRssMb).toBeLessThanOrEqual(512)
})
