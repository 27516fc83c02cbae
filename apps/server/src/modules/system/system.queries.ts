import type { TaskQueue } from '@pegasus/contracts/system'
import type { Queryable } from '../../platform/database/database.ts'

interface DatabaseFacts {
  version: string
  size_bytes: number
  connections: number
  migration: string
}

export async function readDatabaseFacts(sql: Queryable): Promise<DatabaseFacts> {
  const [row] = await sql<[DatabaseFacts]>`
    select split_part(current_setting('server_version'), ' ', 1) as version,
      pg_database_size(current_database()) as size_bytes,
      (select count(*)::int from pg_stat_activity where datname = current_database()) as connections,
      (select max(name) from schema_migrations) as migration`
  return row
}

/**
 * Counts the background tasks of each kind. Leaves out the `.failed` queues and the internal queues of the library
 * pg-boss.
 */
export const listQueues = (sql: Queryable): Promise<TaskQueue[]> =>
  sql<TaskQueue[]>`
    select q.name,
      count(j.id) filter (where j.state in ('created', 'retry'))::int as waiting,
      count(j.id) filter (where j.state = 'active')::int as running,
      count(j.id) filter (where j.state = 'failed')::int as failed
    from pgboss.queue q left join pgboss.job j on j.name = q.name
    where q.name not like '%.failed' and q.name not like '\\_\\_pgboss\\_\\_%'
    group by q.name order by q.name`

export async function countUnsentMails(sql: Queryable): Promise<number> {
  const [row] = await sql<[{ mails: number }]>`select count(*)::int as mails from outbox_mails`
  return row.mails
}
