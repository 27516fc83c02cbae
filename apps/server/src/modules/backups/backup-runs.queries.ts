import type { BackupRun, BackupSchedule } from '@pegasus/contracts/backups'
import { v7 as uuidv7 } from 'uuid'
import type { Row } from '../../platform/database/column-types.ts'
import type { Queryable } from '../../platform/database/database.ts'

/** Hours from a failed backup to the next attempt, unless the schedule has a shorter interval. */
const RETRY_HOURS = 1

export type ScheduleRow = Row<'backup_schedule', 'every_hours' | 'keep' | 'changed_at' | 'told_late_at'>

const columns = (sql: Queryable) =>
  sql`id, cause, state, began_at, ended_at, name, rows, files, size_bytes, failure`

export const listRuns = (sql: Queryable, most: number): Promise<BackupRun[]> =>
  sql<BackupRun[]>`select ${columns(sql)} from backup_runs order by began_at desc, id desc limit ${most}`

export async function findLastGood(sql: Queryable): Promise<BackupRun | null> {
  const [run] = await sql<BackupRun[]>`
    select ${columns(sql)} from backup_runs where state = 'done' order by began_at desc, id desc limit 1`
  return run ?? null
}

export const listRunning = (sql: Queryable): Promise<BackupRun[]> =>
  sql<BackupRun[]>`select ${columns(sql)} from backup_runs where state = 'running'`

/**
 * Adds the finished run of an `npm run backup` command. The run does not delay the schedule, because the command may
 * have written into another folder.
 */
export async function insertCommandRun(
  sql: Queryable,
  run: Pick<BackupRun, 'name' | 'rows' | 'files' | 'size_bytes'> & { beganAt: Date; endedAt: Date },
): Promise<void> {
  await sql`
    insert into backup_runs (id, cause, state, began_at, ended_at, name, rows, files, size_bytes)
    values (${uuidv7()}, 'command', 'done', ${run.beganAt}, ${run.endedAt}, ${run.name}, ${run.rows}, ${run.files},
      ${run.size_bytes})`
}

/** Begins a run and returns it. Returns null if another run is in progress. */
export async function beginRun(
  tx: Queryable,
  { cause, now }: { cause: BackupRun['cause']; now: Date },
): Promise<BackupRun | null> {
  const [run] = await tx<BackupRun[]>`
    insert into backup_runs (id, cause, state, began_at) values (${uuidv7()}, ${cause}, 'running', ${now})
    on conflict ((true)) where state = 'running' do nothing
    returning ${columns(tx)}`
  return run ?? null
}

export async function finishRun(
  sql: Queryable,
  { id, now, ...made }: Pick<BackupRun, 'id' | 'name' | 'rows' | 'files' | 'size_bytes'> & { now: Date },
): Promise<void> {
  await sql`
    update backup_runs set state = 'done', ended_at = ${now}, name = ${made.name}, rows = ${made.rows},
      files = ${made.files}, size_bytes = ${made.size_bytes}
    where id = ${id} and state = 'running'`
}

export async function failRun(
  sql: Queryable,
  { id, failure, now }: { id: string; failure: string; now: Date },
): Promise<void> {
  await sql`
    update backup_runs set state = 'failed', ended_at = ${now}, failure = ${failure}
    where id = ${id} and state = 'running'`
}

/** Deletes runs that ended before this time, so that the table stays short. */
export async function deleteOldRuns(sql: Queryable, before: Date): Promise<void> {
  await sql`delete from backup_runs where ended_at < ${before}`
}

export async function readSchedule(sql: Queryable): Promise<ScheduleRow> {
  const [row] = await sql<[ScheduleRow]>`
    select every_hours, keep, changed_at, told_late_at from backup_schedule`
  return row
}

export async function lockSchedule(tx: Queryable): Promise<ScheduleRow> {
  const [row] = await tx<[ScheduleRow]>`
    select every_hours, keep, changed_at, told_late_at from backup_schedule for update`
  return row
}

export async function saveSchedule(
  tx: Queryable,
  { every_hours: everyHours, keep }: BackupSchedule,
  now: Date,
): Promise<void> {
  await tx`
    update backup_schedule set every_hours = ${everyHours}, keep = ${keep}, changed_at = ${now}, told_late_at = null`
}

/**
 * Returns when the next scheduled backup is due. If there was no backup yet, this is the time when somebody set the
 * schedule. Returns null if there is no schedule.
 */
export async function findNextDue(sql: Queryable): Promise<string | null> {
  const [row] = await sql<[{ due_at: string | null }]>`
    select case
      when s.every_hours is null then null
      when r.began_at is null then s.changed_at
      when r.state = 'failed' then r.began_at + make_interval(hours => least(s.every_hours, ${sql.literal(RETRY_HOURS)}))
      else r.began_at + make_interval(hours => s.every_hours)
    end as due_at
    from backup_schedule s
    left join lateral (
      select began_at, state from backup_runs where cause <> 'command' order by began_at desc, id desc limit 1) r on true`
  return row.due_at
}

/** A problem with backups that administrators should know about. */
export interface BackupAlert {
  /** The failed run. Null if the problem is a late backup. */
  run_id: string | null
  reason: string
}

/** Claims the failed runs that have not caused an alert yet. */
export const claimFailedRuns = (tx: Queryable, now: Date): Promise<BackupAlert[]> =>
  tx<BackupAlert[]>`
    update backup_runs set told_at = ${now} where state = 'failed' and told_at is null
    returning id as run_id, failure as reason`

export async function recordLateAlert(tx: Queryable, now: Date): Promise<void> {
  await tx`update backup_schedule set told_late_at = ${now}`
}
