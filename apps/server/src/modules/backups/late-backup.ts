import type { BackupRun } from '@pegasus/contracts/backups'
import { HOUR_MS } from '../../platform/clock.ts'
import type { ScheduleRow } from './backup-runs.queries.ts'

/** A backup is late if there was no good backup for this number of intervals. */
const MISSED = 2

/**
 * Returns when the last good backup began, in milliseconds since 1970. If there is none, returns when the
 * schedule was set.
 */
const lastGoodMs = ({ changed_at: changedAt }: ScheduleRow, lastGood: BackupRun | null): number =>
  Date.parse(lastGood?.began_at ?? changedAt)

/** Returns whether there is a schedule, and the last good backup is older than two of its intervals. */
export function isBackupLate(schedule: ScheduleRow, lastGood: BackupRun | null, now: Date): boolean {
  if (schedule.every_hours === null) return false
  return now.getTime() - lastGoodMs(schedule, lastGood) > MISSED * schedule.every_hours * HOUR_MS
}

/** Returns whether people have already been alerted that this backup is late. */
export const isLateAlertSent = (schedule: ScheduleRow, lastGood: BackupRun | null): boolean =>
  schedule.told_late_at !== null && Date.parse(schedule.told_late_at) > lastGoodMs(schedule, lastGood)

/** Returns the text of the alert about a late backup. */
export function lateSentence(lastGood: BackupRun | null, now: Date): string {
  if (lastGood === null) return 'There is no good backup yet, although a schedule is set.'
  const hours = Math.floor((now.getTime() - Date.parse(lastGood.began_at)) / HOUR_MS)
  return `The last good backup is ${hours} hours old.`
}
