import type { ServerProcess } from '@pegasus/contracts/system'
import type { Queryable } from '../../platform/database/database.ts'
import type { Insert } from '../../platform/database/column-types.ts'
import { insertInto } from '../../platform/database/write-rows.ts'

/** Adds the row of a server, or writes its last sign of life again. */
export async function writeServer(sql: Queryable, row: Insert<'server_processes'>): Promise<void> {
  await sql`
    ${insertInto(sql, 'server_processes', row)} on conflict (id) do update set seen_at = excluded.seen_at`
}

export async function deleteServer(sql: Queryable, id: string): Promise<void> {
  await sql`delete from server_processes where id = ${id}`
}

/** Deletes the rows of servers that ended without removing their row. */
export async function deleteServersSeenBefore(sql: Queryable, before: Date): Promise<void> {
  await sql`delete from server_processes where seen_at < ${before}`
}

/** Lists the servers that were seen since a time, the oldest first. */
export const listServers = (sql: Queryable, since: Date): Promise<ServerProcess[]> =>
  sql<ServerProcess[]>`
    select id, role, host, version, store, started_at, seen_at
    from server_processes where seen_at >= ${since} order by started_at, id`

/** Finds a running server that stores its files in another folder or bucket. Returns null if there is none. */
export async function findOtherStore(
  sql: Queryable,
  { storeId, since }: { storeId: string; since: Date },
): Promise<{ host: string; store: string } | null> {
  const [row] = await sql<{ host: string; store: string }[]>`
    select host, store from server_processes
    where store_id <> ${storeId} and seen_at >= ${since} order by seen_at desc limit 1`
  return row ?? null
}
