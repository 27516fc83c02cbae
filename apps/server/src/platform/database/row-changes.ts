import type { Clock } from '../clock.ts'
import { DAY_MS, addMs } from '../clock.ts'
import { firstRow } from './first-row.ts'
import type { Queryable } from './database.ts'
import type { Fragment } from './search-patterns.ts'

/** Identifies the state of the database that a statement sees: its snapshot, and the start time of the server. */
export interface Moment {
  server: string
  snapshot: string
}

/**
 * The columns that `changedSince` adds to a statement: the snapshot of the statement, and the rows changed
 * since an earlier snapshot.
 */
export interface ChangedRows extends Moment {
  /**
   * The ids of the changed rows. Null if they cannot be listed, because there is no earlier snapshot, the
   * server was restarted, or there are too many changes.
   */
  changed: readonly string[] | null
}

/** The maximum number of changed rows that are listed. If there are more, `changed` is null. */
const MAX_CHANGES = 2000
/**
 * How long recorded changes are kept. No look-up needs older changes, because `known-rows.ts` remembers rows for only
 * ten minutes. The rest of the day is a safety margin in case a clock jumps.
 */
const KEPT_MS = DAY_MS

/**
 * Returns the columns of `ChangedRows`. The triggers of the tables (migration 0088) determine which changes
 * are recorded.
 */
export const changedSince = (sql: Queryable, since: Moment | null): Fragment => sql`
  pg_postmaster_start_time()::text as server, pg_current_snapshot()::text as snapshot,
  case when pg_postmaster_start_time()::text = ${since?.server ?? ''} then (
    select case when count(*) <= ${sql.literal(MAX_CHANGES)} then coalesce(json_agg(row_id), '[]') end from (
      -- The snapshot is in a subquery, so that one plan serves every snapshot. A plan for each would take as long as the
      -- list. The order by xid makes the index attractive, however many changes the planner expects.
      select row_id from row_changes
      where xid >= (select pg_snapshot_xmin(${since?.snapshot ?? null}::pg_snapshot))
        and not pg_visible_in_snapshot(xid, ${since?.snapshot ?? null}::pg_snapshot)
      order by xid
      limit ${sql.literal(MAX_CHANGES + 1)}
    ) noted
  ) end as changed`

/** Deletes recorded changes that no look-up needs. Returns their number. */
export async function deleteOldRowChanges(sql: Queryable, clock: Clock): Promise<number> {
  const row = await firstRow(sql<{ deleted: number }[]>`
    with old as (delete from row_changes where at < ${addMs(clock.now(), -KEPT_MS)} returning 1)
    select count(*)::int as deleted from old`)
  return row?.deleted ?? 0
}
