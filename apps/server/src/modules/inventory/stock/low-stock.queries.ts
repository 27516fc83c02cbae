import type { Row } from '../../../platform/database/column-types.ts'
import type { Queryable } from '../../../platform/database/database.ts'

/** An item that has come down to its reorder point, or below it, from above. `quantity` and `reorder_point` are of that moment. */
export interface LowStockCrossing
  extends Row<'low_stock_crossings', 'item_id' | 'quantity' | 'reorder_point' | 'crossed_at'>,
    Row<'items', 'name' | 'sku'> {
  /** Whether it is low still: it may have been refilled before anybody was told. */
  is_low: boolean
}

/**
 * Takes what has become low since the last time, the oldest first, for whoever tells people of it: each crossing is
 * taken once, by one process, and comes back if the transaction fails. What is new is worth a look after any event of an
 * `inventory_item`.
 */
export const claimLowStockCrossings = (tx: Queryable, limit = 100): Promise<LowStockCrossing[]> =>
  tx<LowStockCrossing[]>`
    with taken as (
      delete from low_stock_crossings where id in (
        select id from low_stock_crossings order by id limit ${limit} for update skip locked
      ) returning *
    )
    select t.item_id, i.name, i.sku, t.quantity, t.reorder_point, t.crossed_at,
           i.deleted_at is null and i.quantity <= i.reorder_point as is_low
    from taken t join items i on i.id = t.item_id
    order by t.id`
