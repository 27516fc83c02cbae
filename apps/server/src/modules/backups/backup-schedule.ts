import type { BackupRun } from '@pegasus/contracts/backups'
import { HOUR_MS } from '../../platform/clock.ts'
import type { ScheduleRow } from './backup-runs.queries.ts'

/** A schedule that has missed this many of its backups is late. */
const MISSED = 2

/** When the last good backup was made; without one, when the schedule began. In ms since 1970. */
const lastGoodMs = ({ changed_at: changedAt }: ScheduleRow, lastGood: BackupRun | null): number =>
  Date.parse(lastGood?.began_at ?? changedAt)

/** Whether a schedule exists, and the last good backup is older than two of its pauses. */
export function isLate(schedule: ScheduleRow, lastGood: BackupRun | null, now: Date): boolean {
  if (schedule.every_hours === null) return false
  return now.getTime() - lastGoodMs(schedule, lastGood) > MISSED * schedule.every_hours * HOUR_MS
}

/** Whether people were told that this backup is late. */
export const wasTold = (schedule: ScheduleRow, lastGood: BackupRun | null): boolean =>
  schedule.told_late_at !== null && Date.parse(schedule.told_late_at) > lastGoodMs(schedule, lastGood)

/** The sentence of the alert about a late backup. */
export function lateSentence(lastGood: BackupRun | null, now: Date): string {
  if (lastGood === null) return 'There is no good backup yet, although a schedule is set.'
  const hours = Math.floor((now.getTime() - Date.parse(lastGood.began_at)) / HOUR_MS)
  return `The last good backup is ${hours} hours old.`
}
