import type { Queryable } from '../database/database.ts'

/** A period in which servers with this database used a folder or bucket. */
export interface StoreUse {
  beganAt: Date
  seenAt: Date
}

/** Returns whether servers of this database have used the store before. */
export async function isKnownStore(sql: Queryable, storeId: string): Promise<boolean> {
  const [row] = await sql<[{ found: boolean }]>`
    select exists (select from file_store_uses where store_id = ${storeId}) as found`
  return row.found
}

/** Records a use that begins at the given time, or now. */
export async function insertStoreUse(
  sql: Queryable,
  use: { id: string; storeId: string; beganAt?: Date; seenAt?: Date },
): Promise<void> {
  await sql`
    insert into file_store_uses (id, store_id, began_at, seen_at)
    values (${use.id}, ${use.storeId}, coalesce(${use.beganAt ?? null}::timestamptz, now()),
            coalesce(${use.seenAt ?? null}::timestamptz, now()))`
}

/** Records that a use continues. Returns false if its row is missing, or was last updated too long ago. */
export async function extendStoreUse(sql: Queryable, id: string, maxPauseSeconds: number): Promise<boolean> {
  const extended = await sql`
    update file_store_uses set seen_at = now()
    where id = ${id} and seen_at > now() - make_interval(secs => ${maxPauseSeconds})
    returning 1`
  return extended.length > 0
}

/** Returns a use, or null if this database does not know it. */
export async function readStoreUse(sql: Queryable, id: string): Promise<StoreUse | null> {
  const [row] = await sql<{ began_at: string; seen_at: string }[]>`
    select began_at, seen_at from file_store_uses where id::text = ${id}`
  return row ? asStoreUse(row) : null
}

/** Records that a server of another database uses the store now. */
export async function markOtherDatabase(sql: Queryable, id: string): Promise<void> {
  await sql`update file_store_uses set other_seen_at = now() where id = ${id}`
}

/** Returns whether a server of another database has used the store in the last hour. */
export async function isUsedByOtherDatabase(sql: Queryable): Promise<boolean> {
  const [row] = await sql<[{ found: boolean }]>`
    select exists (select from file_store_uses where other_seen_at > now() - interval '1 hour') as found`
  return row.found
}

/** Deletes the uses of a store that ended more than this many days ago. */
export async function deleteOldStoreUses(sql: Queryable, storeId: string, days: number): Promise<void> {
  await sql`
    delete from file_store_uses where store_id = ${storeId} and seen_at < now() - make_interval(days => ${days})`
}

/** Lists all uses, the oldest first. */
export async function listStoreUses(sql: Queryable): Promise<StoreUse[]> {
  const rows = await sql<{ began_at: string; seen_at: string }[]>`
    select began_at, seen_at from file_store_uses order by began_at`
  return rows.map(asStoreUse)
}

const asStoreUse = (row: { began_at: string; seen_at: string }): StoreUse => ({
  beganAt: new Date(row.began_at),
  seenAt: new Date(row.seen_at),
})
