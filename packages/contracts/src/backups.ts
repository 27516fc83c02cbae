import * as z from 'zod/mini'
import { declareEndpoints } from './endpoint.ts'
import { nullable, timestamp, wholeNumber } from './fields.ts'

const { get, post, put } = declareEndpoints('backups')

/** Maximum interval between two scheduled backups: 30 days. */
export const MAX_BACKUP_HOURS = 720
export const MAX_KEPT_BACKUPS = 365

export const backupRun = z.object({
  id: z.uuid(),
  /** `command` is `npm run backup`. */
  cause: z.enum(['person', 'schedule', 'command']),
  state: z.enum(['running', 'done', 'failed']),
  began_at: timestamp,
  ended_at: nullable.timestamp,
  /**
   * Name of the backup's own folder inside the backup folder. Null unless the backup is done, like `rows`,
   * `files` and `size_bytes`.
   */
  name: nullable.text,
  rows: nullable.number,
  files: nullable.number,
  /** Size of all data that a restore reads. Backups share unchanged files. */
  size_bytes: nullable.number,
  /** Why the backup failed, in words for the operator. */
  failure: nullable.text,
})
export type BackupRun = z.output<typeof backupRun>

const backupSchedule = z.object({
  /** Hours between two backups. Null means that the server makes no backups automatically. */
  every_hours: nullable.number,
  /** Number of backups that are kept. */
  keep: z.number(),
})
export type BackupSchedule = z.output<typeof backupSchedule>

const backupStatus = z.object({
  /** The folder for backups on the server. */
  folder: z.string(),
  is_encrypted: z.boolean(),
  schedule: backupSchedule,
  /** The time when the next scheduled backup is due. Null without a schedule. */
  next_at: nullable.timestamp,
  /** Whether the last good backup is older than two intervals of the schedule. */
  is_late: z.boolean(),
  last_good: z.nullable(backupRun),
  /** The last 20 backups, newest first. */
  runs: z.array(backupRun),
})
export type BackupStatus = z.output<typeof backupStatus>

export const getBackups = get('/api/backups', 'admin', {
  summary: 'The backups of this installation, and when the next one is due',
  returns: backupStatus,
})

export const startBackup = post('/api/backups', 'admin', {
  summary: 'Start a backup now; if a backup is already running, it is returned instead',
  success: { status: 202, body: backupRun },
  errors: ['MALFORMED_REQUEST', 'IDEMPOTENCY_KEY_REUSED'],
})

export const backupScheduleBody = z.object({
  every_hours: z.nullable(wholeNumber('every_hours', 1, MAX_BACKUP_HOURS)),
  keep: wholeNumber('keep', 1, MAX_KEPT_BACKUPS),
})

export const updateBackupSchedule = put('/api/backups/schedule', 'admin', {
  summary: 'Set how often backups are made, and how many are kept',
  body: backupScheduleBody,
  returns: backupSchedule,
})
