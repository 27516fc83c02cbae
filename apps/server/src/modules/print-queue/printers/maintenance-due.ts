import { DAY_MS, HOUR_MS } from '../../../platform/clock.ts'
import type { MaintenanceRhythm } from './printers.queries.ts'

/** The total printing time of a printer at a given time. */
interface Wear {
  printedMinutes: number
  now: Date
}

/** The progress of a maintenance plan. */
export interface MaintenanceProgress {
  /**
   * Hours of printing until the maintenance is due. Negative when it is overdue. Null if the plan counts only
   * days.
   */
  hoursLeft: number | null
  /**
   * The time when the maintenance is due. For a plan by hours, it is estimated from the hours printed since
   * the last maintenance. Null if unknown.
   */
  dueAt: Date | null
  isDue: boolean
}

/** Returns when a plan is due: after hours of printing or after days, whichever comes first. */
export function maintenanceProgress(
  plan: Omit<MaintenanceRhythm, 'name'>,
  { printedMinutes, now }: Wear,
): MaintenanceProgress {
  const doneAt = new Date(plan.done_at).getTime()
  const printedHours = Math.max(0, printedMinutes - plan.done_at_minutes) / 60
  const hoursLeft = plan.every_hours === null ? null : plan.every_hours - printedHours
  const byDays = plan.every_days === null ? null : doneAt + plan.every_days * DAY_MS
  const elapsedHours = (now.getTime() - doneAt) / HOUR_MS
  const perHour = elapsedHours > 0 ? printedHours / elapsedHours : 0
  const byHours = hoursLeft === null || perHour <= 0 ? null : now.getTime() + (hoursLeft / perHour) * HOUR_MS
  const first = Math.min(byDays ?? Infinity, byHours ?? Infinity)
  return {
    hoursLeft: hoursLeft === null ? null : Math.round(hoursLeft * 10) / 10,
    // Drop estimates more than ten years ahead. Otherwise, the estimate for a printer that hardly prints
    // could be the year 40,000.
    dueAt: Number.isFinite(first) && first < now.getTime() + 3650 * DAY_MS ? new Date(first) : null,
    isDue: (hoursLeft !== null && hoursLeft <= 0) || (byDays !== null && byDays <= now.getTime()),
  }
}
