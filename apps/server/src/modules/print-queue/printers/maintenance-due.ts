import { DAY_MS, HOUR_MS } from '../../../platform/clock.ts'
import type { MaintenanceRhythm } from './printers.queries.ts'

/** Minutes that a printer has printed in all. */
interface Wear {
  printedMinutes: number
  now: Date
}

/** The progress of a maintenance plan. */
export interface MaintenanceProgress {
  /** Hours of printing until it is due, negative afterwards; null for a plan by days only. */
  hoursLeft: number | null
  /** The day it is due: by days, or as estimated from the hours printed since it was last done. Null if unknown. */
  dueAt: Date | null
  isDue: boolean
}

/** When a plan is due: by hours of printing, by days, or by whichever comes first. */
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
    // A printer that hardly prints would be due in the year 40,000.
    dueAt: Number.isFinite(first) && first < now.getTime() + 3650 * DAY_MS ? new Date(first) : null,
    isDue: (hoursLeft !== null && hoursLeft <= 0) || (byDays !== null && byDays <= now.getTime()),
  }
}
