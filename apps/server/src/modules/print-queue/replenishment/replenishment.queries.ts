import type { Row } from '../../../platform/database/column-types.ts'
import { MAX_PROPOSALS } from '@pegasus/contracts/print-queue/replenishment'
import type { Queryable } from '../../../platform/database/database.ts'

/**
 * An item whose free pieces are at or below its reorder point, with these pieces and the pieces that are queued for
 * stock.
 */
export interface LowItemRow
  extends Row<'printed_items', 'id' | 'name' | 'sku' | 'reorder_point' | 'max_stock' | 'stl_file_id'> {
  color_hex: string | null
  has_picture: boolean
  picture_version: string | null
  /** Free pieces minus those that open orders still need. */
  on_shelf: number
  queued: number
}

/**
 * Lists the items that have a model and whose free pieces are at or below the reorder point. Reserved pieces still lie
 * in stock, but will leave it. Jobs of an order do not count as queued, because their pieces belong to the order.
 * Pieces that open orders need do not count as free.
 */
export const listLowItems = (sql: Queryable, ids: readonly string[] | null): Promise<LowItemRow[]> =>
  sql<LowItemRow[]>`
    select i.id, i.name, i.sku, i.reorder_point, i.max_stock, i.stl_file_id, '#' || i.color_hex as color_hex,
           coalesce(v.has_picture and m.deleted_at is null, false) as has_picture, v.picture_version,
           greatest(0, i.available_quantity - coalesce(n.quantity, 0))::int as on_shelf,
           coalesce(q.pieces, 0)::int as queued
    from printed_items i
    left join needed_items n on n.item_id = i.id
    left join library_models m on m.id = i.stl_file_id
    left join library_versions v on v.id = m.current_version_id
    left join lateral (
      select sum(greatest(0, j.quantity - j.good_quantity)) as pieces from print_jobs j
      where j.item_id = i.id and j.order_id is null and j.deleted_at is null
        and j.status in ('pending', 'in_progress', 'on_hold')
    ) q on true
    where i.deleted_at is null and i.available_quantity <= i.reorder_point and i.stl_file_id is not null
      and (${ids && [...ids]}::uuid[] is null or i.id = any(${ids && [...ids]}::uuid[]))
    order by i.name, i.id
    limit ${sql.literal(MAX_PROPOSALS)}`

/** Makes plans run one at a time, because each plan must see the jobs that the previous plan queued. */
export async function lockReplenishment(tx: Queryable): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended('replenishment', 0))`
}
