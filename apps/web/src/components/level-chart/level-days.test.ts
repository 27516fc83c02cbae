import { expect, it } from 'vitest'
import { chartDays, lastDays, levelByDay, sumByDay } from './level-days.ts'

const NOW = new Date(2026, 10, 25, 9).getTime()
const at = (day: number, hour = 10) => new Date(2026, 10, day, hour).toISOString()
const DAYS = lastDays(4, NOW)

it('lastDays returns the last days, with today at the end', () =>
  expect(DAYS).toEqual(['2026-11-22', '2026-11-23', '2026-11-24', '2026-11-25']))

it('chartDays leaves out the days before the item or spool existed', () => {
  expect(chartDays(NOW, at(24))).toEqual(['2026-11-24', '2026-11-25'])
  expect(chartDays(NOW, at(1))).toHaveLength(25)
  expect(chartDays(NOW, new Date(2026, 0, 1).toISOString())).toHaveLength(30)
  expect(chartDays(NOW, null)).toHaveLength(30)
})

it('levelByDay returns the last level of each day, and the starting level for days before the oldest entry', () => {
  const entries = [
    { at: at(24, 18), after: 70, delta: -20 },
    { at: at(24, 8), after: 90, delta: -10 },
  ]
  expect(levelByDay(entries, DAYS)).toEqual([100, 100, 70, 70])
  expect(levelByDay([], DAYS)).toEqual([0, 0, 0, 0])
})

it('sumByDay adds up the amounts of each day', () => {
  const amounts = [
    { at: at(23), amount: 2 },
    { at: at(23, 20), amount: 3 },
    { at: at(1), amount: 9 },
  ]
  expect(sumByDay(amounts, DAYS)).toEqual([0, 5, 0, 0])
})
