import type { Queryable } from '../database/database.ts'
import type { Fragment } from '../database/search-patterns.ts'

/** After a longer pause, a new use begins. */
const MAX_PAUSE = '5 minutes'
/** Longer than a pause that a use can contain, and the difference of the clocks of the store and the database. */
const LOOK_BACK = '7 minutes'

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
): Promise<void> {
  await sql`
    insert into file_store_uses (id, store_id, began_at, seen_at)
    values (${use.id}, ${use.storeId}, coalesce(${use.beganAt ?? null}::timestamptz, now()),
            coalesce(${use.seenAt ?? null}::timestamptz, now()))`
}

/** Begins a use and claims the store. A use that begins beside another database is empty: it ends before its beginning. */
export async function beginClaimedUse(
  sql: Queryable,
  use: { id: string; storeId: string },
): Promise<ClaimedUse> {
  const [row] = await sql<[ClaimedRow]>`
    insert into file_store_uses (id, store_id, began_at, seen_at, claimed_at)
    values (${use.id}, ${use.storeId}, now(),
            case when ${usedByOtherDatabase(sql)} then now() - ${LOOK_BACK}::interval else now() end, now())
    returning id, claimed_at::text`
  return { useId: row.id, claimedAt: row.claimed_at }
}

/**
 * Claims the store, and extends the use if `mayExtend` and no other database uses the store. Returns null if a new use
 * must begin: the row is missing, or was last extended more than five minutes ago. In that case, the database may have
 * been replaced by an older copy while the server ran, and the time in between is no use.
 */
export async function claimAgain(
  sql: Queryable,
  id: string,
  { mayExtend }: { mayExtend: boolean },
): Promise<ClaimedUse | null> {
  const [row] = await sql<(ClaimedRow & { is_lapsed: boolean })[]>`
    update file_store_uses u
    set claimed_at = now(), seen_at = case when ${mayExtend}::boolean and not is_shared and not is_lapsed then now() else u.seen_at end
    from (
      select id, ${usedByOtherDatabase(sql)} as is_shared, seen_at < now() - ${MAX_PAUSE}::interval as is_lapsed
      from file_store_uses where id = ${id}
    ) present
    where u.id = present.id
    returning u.id, u.claimed_at::text, is_lapsed and not is_shared and ${mayExtend}::boolean as is_lapsed`
  return row === undefined || row.is_lapsed ? null : { useId: row.id, claimedAt: row.claimed_at }
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
 * because the other server may have stored files before it was found. A use that began in these minutes becomes empty.
 */
export async function markOtherDatabase(sql: Queryable, use: { id: string; storeId: string }): Promise<void> {
  await sql`
    update file_store_uses
    set other_seen_at = case when id = ${use.id} then now() else other_seen_at end,
        began_at = case when began_at > now() - ${LOOK_BACK}::interval or began_at > seen_at then now() else began_at end,
        seen_at = least(seen_at, now() - ${LOOK_BACK}::interval)
    where store_id = ${use.storeId} and (id = ${use.id} or seen_at > now() - ${LOOK_BACK}::interval)`
}

/** Removes the marks of other databases at all stores except this one. */
export async function forgetOtherStores(sql: Queryable, storeId: string): Promise<void> {
  await sql`
    update file_store_uses set other_seen_at = null where store_id <> ${storeId} and other_seen_at is not null`
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
