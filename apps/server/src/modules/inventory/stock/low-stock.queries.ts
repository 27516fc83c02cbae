import type { Queryable } from '../../../platform/database/database.ts'

/** An item that has come down to its reorder point, or below it, from above. */
export interface LowStockCrossing {
  item_id: string
  name: string
  sku: string
  /** As they were at that moment. */
  quantity: number
  reorder_point: number
  crossed_at: string
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
