import type { Row } from '../../../platform/database/column-types.ts'
import { claimRows } from '../../../platform/database/claim-rows.ts'
import type { Queryable } from '../../../platform/database/database.ts'

/**
 * A crossing: the quantity of an item has fallen to its reorder point or below. `quantity` and `reorder_point` are the
 * values at that time.
 */
export interface LowStockCrossing
  extends Row<'low_stock_crossings', 'item_id' | 'quantity' | 'reorder_point' | 'crossed_at'>,
    Row<'items', 'name' | 'sku'> {
  /** Whether the item is still low. It may have been refilled since then. */
  is_low: boolean
}

/**
 * Claims the crossings since the last run, oldest first. Each crossing is claimed once, by one process. If the
 * transaction fails, the crossing can be claimed again. Check for new crossings after each event about an
 * `inventory_item`.
 */
export const claimLowStockCrossings = (tx: Queryable, limit = 100): Promise<LowStockCrossing[]> =>
  tx<LowStockCrossing[]>`
    with taken as (${claimRows(tx, 'low_stock_crossings', limit)})
    select t.item_id, i.name, i.sku, t.quantity, t.reorder_point, t.crossed_at,
           i.deleted_at is null and i.quantity <= i.reorder_point as is_low
    from taken t join items i on i.id = t.item_id
    order by t.id`
