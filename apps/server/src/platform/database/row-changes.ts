import type { Clock } from '../clock.ts'
import { DAY_MS, addMs } from '../clock.ts'
import { firstRow } from './first-row.ts'
import type { Queryable } from './database.ts'
import type { Fragment } from './search-patterns.ts'

/** What a statement sees: the snapshot that PostgreSQL took for it, and the start of that server. */
export interface Moment {
  server: string
  snapshot: string
}

/** Columns of a statement that finds rows: its moment, and which rows were changed since an earlier one. */
export interface ChangedRows extends Moment {
  /** Null if that cannot be told: there is no earlier moment, the server was started again, or there are too many. */
  changed: readonly string[] | null
}

/** More changes are not told one by one. */
const MAX_CHANGES = 2000
/** Nobody asks for changes since an earlier moment. Far more than `known-rows.ts` remembers, because clocks may jump. */
const KEPT_MS = DAY_MS

/** The columns of `ChangedRows`. Which changes are noted, the triggers of the tables say (migration 0088). */
export const changedSince = (sql: Queryable, since: Moment | null): Fragment => sql`
  pg_postmaster_start_time()::text as server, pg_current_snapshot()::text as snapshot,
  case when pg_postmaster_start_time()::text = ${since?.server ?? ''} then (
    select case when count(*) <= ${sql.literal(MAX_CHANGES)} then coalesce(json_agg(row_id), '[]') end from (
      select row_id from row_changes
      where xid >= pg_snapshot_xmin(${since?.snapshot ?? null}::pg_snapshot)
        and not pg_visible_in_snapshot(xid, ${since?.snapshot ?? null}::pg_snapshot)
      limit ${sql.literal(MAX_CHANGES + 1)}
    ) noted
  ) end as changed`

/** Deletes the notes of changes that nobody asks for any more. Returns how many. */
export async function deleteOldRowChanges(sql: Queryable, clock: Clock): Promise<number> {
  const row = await firstRow(sql<{ deleted: number }[]>`
    with old as (delete from row_changes where at < ${addMs(clock.now(), -KEPT_MS)} returning 1)
    select count(*)::int as deleted from old`)
  return row?.deleted ?? 0
}
