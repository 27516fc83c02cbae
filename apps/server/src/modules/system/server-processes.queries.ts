import type { ServerProcess } from '@pegasus/contracts/system'
import type { Queryable } from '../../platform/database/database.ts'
import type { Row } from '../../platform/database/column-types.ts'
import type { Fragment } from '../../platform/database/search-patterns.ts'

/** A server without a heartbeat for this many seconds is treated as ended. */
export const ENDED_AFTER_SECONDS = 45

/**
 * Returns the SQL condition for running servers. It uses the clock of the database, because the clocks of the machines
 * can differ.
 */
const isRunning = (sql: Queryable): Fragment =>
  sql`seen_at >= now() - make_interval(secs => ${ENDED_AFTER_SECONDS})`

/** Adds the row of a server. If the row exists, stores a heartbeat. */
export async function writeServer(
  sql: Queryable,
  server: Pick<Row<'server_processes'>, 'id' | 'role' | 'host' | 'version' | 'store_id' | 'store'> & {
    startedAt: Date
  },
): Promise<void> {
  await sql`
    insert into server_processes (id, role, host, version, store_id, store, started_at, seen_at)
    values (${server.id}, ${server.role}, ${server.host}, ${server.version}, ${server.store_id}, ${server.store},
      ${server.startedAt}, now())
    on conflict (id) do update set seen_at = excluded.seen_at`
}

export async function deleteServer(sql: Queryable, id: string): Promise<void> {
  await sql`delete from server_processes where id = ${id}`
}

/** Deletes the rows of servers that have ended without deleting them. */
export async function deleteEndedServers(sql: Queryable): Promise<void> {
  await sql`delete from server_processes where not (${isRunning(sql)})`
}

/** Lists the running servers, the oldest first. */
export const listServers = (sql: Queryable): Promise<ServerProcess[]> =>
  sql<ServerProcess[]>`
    select id, role, host, version, store, started_at, seen_at
    from server_processes where ${isRunning(sql)} order by started_at, id`

/** Finds a running server that stores its files in another folder or bucket. Returns null if there is none. */
export async function findOtherStore(
  sql: Queryable,
  storeId: string,
): Promise<{ host: string; store: string } | null> {
  const [row] = await sql<{ host: string; store: string }[]>`
    select host, store from server_processes
    where store_id <> ${storeId} and ${isRunning(sql)} order by seen_at desc limit 1`
  return row ?? null
}
