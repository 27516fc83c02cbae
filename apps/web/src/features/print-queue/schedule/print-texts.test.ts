import type { PlannedPrint } from '@pegasus/contracts/print-queue/schedule'
import { expect, it } from 'vitest'
import { formatTime } from '@/lib/format/format.ts'
import { plannedTime, timesOf } from './print-texts.ts'

const NOW = new Date(2026, 10, 29, 12)
const at = (day: number, hour: number) => new Date(2026, 10, day, hour).toISOString()

const times = (start: string, end: string, isGuess = false) =>
  timesOf({ starts_at: start, ends_at: end, is_guess: isGuess } as PlannedPrint, NOW.getTime())

it('the times of a print that runs today do not include the day', () => {
  expect(plannedTime(at(29, 14), NOW.getTime())).toBe(formatTime(at(29, 14)))
  expect(times(at(29, 14), at(29, 16))).toBe(`${formatTime(at(29, 14))} to ${formatTime(at(29, 16))}`)
})

it('the times of a print on another day include the day once', () => {
  const start = plannedTime(at(30, 8), NOW.getTime())
  expect(start).toContain('30')
  expect(start).toContain(formatTime(at(30, 8)))
  expect(times(at(30, 8), at(30, 10), true)).toBe(`${start} to about ${formatTime(at(30, 10))}`)
})

it('the end of a print that runs past midnight includes its day', () => {
  const end = plannedTime(at(30, 4), NOW.getTime())
  expect(end).toContain('30')
  expect(times(at(29, 22), at(30, 4))).toBe(`${formatTime(at(29, 22))} to ${end}`)
  // A print that has run since yesterday ends today.
  expect(times(at(28, 22), at(29, 14))).toMatch(/28.* to .*29/)
})
