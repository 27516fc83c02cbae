import type { Queryable } from '../database/database.ts'
import type { Fragment } from '../database/search-patterns.ts'

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

/** A use, with the time of the database at which its server last claimed the store. */
export interface ClaimedUse {
  useId: string
  /** As the database writes it. */
  claimedAt: string
}

/** Adds a use that began at the given time, or now. */
export async function insertStoreUse(
  sql: Queryable,
  use: { id: string; storeId: string; beganAt?: Date; seenAt?: Date },
): Promise<ClaimedUse> {
  const [row] = await sql<[ClaimedRow]>`
    insert into file_store_uses (id, store_id, began_at, seen_at, claimed_at)
    values (${use.id}, ${use.storeId}, coalesce(${use.beganAt ?? null}::timestamptz, now()),
            coalesce(${use.seenAt ?? null}::timestamptz, now()), now())
    returning id, claimed_at::text`
  return asClaimedUse(row)
}

/** Continues a use. Returns null if its row is missing, or was last extended more than this many seconds ago. */
export async function extendStoreUse(
  sql: Queryable,
  id: string,
  maxPauseSeconds: number,
): Promise<ClaimedUse | null> {
  const [row] = await sql<ClaimedRow[]>`
    update file_store_uses set seen_at = now(), claimed_at = now()
    where id = ${id} and seen_at > now() - make_interval(secs => ${maxPauseSeconds})
    returning id, claimed_at::text`
  return row ? asClaimedUse(row) : null
}

/** Claims the store without extending the use. Returns null if the row of the use is missing. */
export async function claimWithoutUse(sql: Queryable, id: string): Promise<ClaimedUse | null> {
  const [row] = await sql<ClaimedRow[]>`
    update file_store_uses set claimed_at = now() where id = ${id} returning id, claimed_at::text`
  return row ? asClaimedUse(row) : null
}

/**
 * Returns whether a server of this database made the claim. After a failover to another database server, the time of the
 * last claim may be missing in the database. Therefore a claim that is newer by up to a minute counts as its own.
 */
export async function isOwnUse(sql: Queryable, { useId, claimedAt }: ClaimedUse): Promise<boolean> {
  const [row] = await sql<[{ found: boolean }]>`
    select exists (
      select from file_store_uses
      where id::text = ${useId} and claimed_at >= ${claimedAt}::timestamptz - interval '1 minute'
    ) as found`
  return row.found
}

/**
 * Records that a server of another database uses the store now. The last minutes do not count as a use of this database,
 * because the other server may have stored files before it was found.
 */
export async function markOtherDatabase(sql: Queryable, use: { id: string; storeId: string }): Promise<void> {
  await sql`
    update file_store_uses
    set other_seen_at = case when id = ${use.id} then now() else other_seen_at end,
        seen_at = greatest(began_at, least(seen_at, now() - interval '3 minutes'))
    where store_id = ${use.storeId} and (id = ${use.id} or seen_at > now() - interval '3 minutes')`
}

/** The SQL condition that a server of another database has used the store in the last hour. */
export const usedByOtherDatabase = (sql: Queryable): Fragment =>
  sql`exists (select from file_store_uses where other_seen_at > now() - interval '1 hour')`

/** Returns whether a server of another database has used the store in the last hour. */
export async function isUsedByOtherDatabase(sql: Queryable): Promise<boolean> {
  const [row] = await sql<[{ found: boolean }]>`select ${usedByOtherDatabase(sql)} as found`
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
  return rows.map((row) => ({ beganAt: new Date(row.began_at), seenAt: new Date(row.seen_at) }))
}

interface ClaimedRow {
  id: string
  claimed_at: string
}

const asClaimedUse = (row: ClaimedRow): ClaimedUse => ({ useId: row.id, claimedAt: row.claimed_at })
