import type { TaskQueue } from '@pegasus/contracts/system'
import type { Queryable } from '../../platform/database/database.ts'
import { isUsedByOtherDatabase } from '../../platform/storage/store-uses.queries.ts'
import { countUnsentMails, listQueues } from './system.queries.ts'

interface StateCount {
  state: string
  count: number
}

/** The metrics that the database provides. */
export interface OperatingFigures {
  database_bytes: number
  queues: TaskQueue[]
  printers: StateCount[]
  jobs: StateCount[]
  deliveries: StateCount[]
  mails: number
  security_events: number
  /** Whether another database has used the file storage in the last hour. */
  storage_is_shared: boolean
  /** The time of the last backup in seconds since 1970. Null if there is no backup. */
  last_backup: number | null
}

export async function readOperatingFigures(sql: Queryable): Promise<OperatingFigures> {
  const [queues, printers, jobs, deliveries, mails, isShared, [row]] = await Promise.all([
    listQueues(sql),
    sql<StateCount[]>`
      select state, count(*)::int as count from printers where deleted_at is null group by state`,
    sql<StateCount[]>`
      select status as state, count(*)::int as count from print_jobs
      where deleted_at is null and status in ('pending', 'in_progress', 'on_hold') group by status`,
    sql<StateCount[]>`
      select state, count(*)::int as count from channel_deliveries where state <> 'delivered' group by state`,
    countUnsentMails(sql),
    isUsedByOtherDatabase(sql),
    sql<[{ database_bytes: number; last_backup: number | null; security_events: number }]>`
      select pg_database_size(current_database())::float8 as database_bytes,
        (select extract(epoch from max(began_at))::float8 from backup_runs where state = 'done') as last_backup,
        (select count(*)::int from security_log_queue) as security_events`,
  ])
  return { queues, printers, jobs, deliveries, mails, storage_is_shared: isShared, ...row }
}
