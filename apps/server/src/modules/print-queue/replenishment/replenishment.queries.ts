import type { Row } from '../../../platform/database/column-types.ts'
import { MAX_PROPOSALS } from '@pegasus/contracts/print-queue/replenishment'
import type { Queryable } from '../../../platform/database/database.ts'
import type { Fragment } from '../../../platform/database/search-patterns.ts'
import { isDismissed } from './proposals.queries.ts'

/** An item whose free pieces are at or below its reorder point, with the numbers of pieces that decide what to print. */
export interface LowItemRow
  extends Row<'printed_items', 'id' | 'name' | 'sku' | 'reorder_point' | 'max_stock' | 'stl_file_id'> {
  color_hex: string | null
  has_picture: boolean
  picture_version: string | null
  /** Available pieces minus those that open orders still need. */
  on_shelf: number
  /** Queued pieces that no order needs. */
  queued: number
  /** The number of pieces to which the item is refilled. */
  target: number
  /** Pieces that are neither on the shelf nor queued. */
  missing: number
}

/**
 * SQL condition that the item `i` of `printed_items` has a model and is low: its available pieces are at or below its
 * reorder point. Reserved pieces do not count, because they will leave the stock.
 */
export const isLow = (sql: Queryable): Fragment => sql`
  (i.deleted_at is null and i.available_quantity <= i.reorder_point and i.stl_file_id is not null)`

/**
 * SQL query for the replenishment of the item `i` of `printed_items`:
 * - `on_shelf`: the available pieces that no open order needs.
 * - `queued`: the pieces that unfinished jobs will add to the stock. Pieces that the order of a job lacks are left out. If
 *   the running plates of a job print more pieces than the job still needs, all their pieces count.
 * - `target`: the maximum stock. Without one, it is one piece above the reorder point, so that the item is no longer low.
 * - `missing`: the pieces to print to reach the target.
 */
export const stockPlan = (sql: Queryable): Fragment => sql`
  select s.on_shelf, s.queued, s.target, greatest(0, s.target - s.on_shelf - s.queued)::int as missing
  from (
    select greatest(0, i.available_quantity - coalesce(
             (select n.quantity from needed_items n where n.item_id = i.id), 0))::int as on_shelf,
           greatest(coalesce(i.max_stock, 0), i.reorder_point + 1)::int as target,
           coalesce((
             select sum(greatest(0, coming.pieces - coalesce(short.quantity, 0)))
             from (
               select j.order_id, sum(greatest(0, j.quantity - j.good_quantity, running.pieces)) as pieces
               from print_jobs j
               left join lateral (
                 select sum(p.pieces) as pieces from job_plates p
                 where p.print_job_id = j.id and p.state in ('sending', 'printing', 'paused', 'printed')
               ) running on true
               where j.item_id = i.id and j.deleted_at is null and j.status in ('pending', 'in_progress', 'on_hold')
               group by j.order_id
             ) coming
             left join short_items short on short.order_id = coming.order_id and short.item_id = i.id
           ), 0)::int as queued
    offset 0
  ) s`

/** Lists the items that `isLow` describes with their `stockPlan`, sorted by name. */
export const listLowItems = (sql: Queryable, ids: readonly string[] | null): Promise<LowItemRow[]> =>
  sql<LowItemRow[]>`
    select i.id, i.name, i.sku, i.reorder_point, i.max_stock, i.stl_file_id, '#' || i.color_hex as color_hex,
           coalesce(v.has_picture and m.deleted_at is null, false) as has_picture, v.picture_version,
           s.on_shelf, s.queued, s.target, s.missing
    from printed_items i
    cross join lateral (${stockPlan(sql)}) s
    left join library_models m on m.id = i.stl_file_id
    left join library_versions v on v.id = m.current_version_id
    where ${isLow(sql)} and (${ids && [...ids]}::uuid[] is null or i.id = any(${ids && [...ids]}::uuid[]))
    order by i.name, i.id
    limit ${sql.literal(MAX_PROPOSALS)}`

/** Returns the number of items that a run of the replenishment would propose now. */
export async function countToPropose(sql: Queryable, now: Date): Promise<number> {
  const missing = sql`(select s.missing from (${stockPlan(sql)}) s)`
  // For an item without a job, at least one piece is missing. So only the items with jobs have to be calculated.
  const [row] = await sql<[{ items: number }]>`
    select count(*)::int as items from printed_items i
    where ${isLow(sql)}
      and (i.id not in (select d.item_id from print_demand d where d.item_id is not null) or ${missing} > 0)
      and not ${isDismissed(sql, { itemId: sql`i.id`, missing, now })}`
  return row.items
}

/** Takes a lock so that only one plan is made at a time, because each plan must see the jobs of the previous plan. */
export async function lockReplenishment(tx: Queryable): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended('replenishment', 0))`
}
