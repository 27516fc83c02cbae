import { DAY_MS } from '@/lib/format/durations.ts'
import { dayOf } from '@/lib/format/local-day.ts'

/** The number of days that a chart of a level shows. */
export const CHART_DAYS = 30

/** An entry of a ledger: the level after it, and the change that it made. */
export interface LevelEntry {
  at: string
  after: number
  delta: number
}

/** Returns the last `count` days in local time, oldest first. The last day is today. */
export const lastDays = (count: number, nowMs: number): string[] =>
  // The calculation uses noon, because a day on which the clocks change has 23 or 25 hours.
  Array.from({ length: count }, (_, index) => {
    const noon = new Date(nowMs).setHours(12, 0, 0, 0)
    return dayOf(new Date(noon - (count - 1 - index) * DAY_MS).toISOString())
  })

/** Returns the days of the chart, oldest first. Days before the subject existed, at `since`, are left out. */
export const chartDays = (nowMs: number, since: string | null): string[] => {
  const days = lastDays(CHART_DAYS, nowMs)
  return since === null ? days : days.filter((day) => day >= dayOf(since))
}

/**
 * Returns the level at the end of each day. For days before the oldest entry, this is the level before that
 * entry.
 */
export function levelByDay(newestFirst: readonly LevelEntry[], days: readonly string[]): number[] {
  const entries = newestFirst.map(({ at, after, delta }) => ({
    day: dayOf(at),
    after,
    before: after - delta,
  }))
  const oldest = entries.at(-1)?.before ?? 0
  return days.map((day) => entries.find((entry) => entry.day <= day)?.after ?? oldest)
}

/** Returns the sum of the amounts of each day. */
export function sumByDay(
  amounts: readonly { at: string; amount: number }[],
  days: readonly string[],
): number[] {
  const sums = new Map<string, number>()
  for (const { at, amount } of amounts) sums.set(dayOf(at), (sums.get(dayOf(at)) ?? 0) + amount)
  return days.map((day) => sums.get(day) ?? 0)
}
