import type { Queryable } from '../../../platform/database/database.ts'
import { type KnownOrder, writeLineItem } from '../intake/order-intake.queries.ts'
import { findItemsOfSkus } from './find-items.ts'

/** Assigns items to lines whose SKU was unknown when they arrived. Returns whether there were such lines. */
export async function linkFoundItems(tx: Queryable, known: KnownOrder): Promise<boolean> {
  const unknown = known.lines.filter((line) => line.item_id === null && !line.is_ignored && !line.is_set)
  const items = await findItemsOfSkus(tx, unknown)
  for (const { id, sku } of unknown) {
    const itemId = items.get(sku)
    if (itemId) await writeLineItem(tx, id, itemId)
  }
  return items.size > 0
}
