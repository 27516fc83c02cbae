import type { HeldItemStatus, ItemStatus } from '../statuses.ts'

/** Returns whether an item is at or below its reorder point, regardless of its status. */
export const isLowStock = (item: { quantity: number; reorder_point: number }): boolean =>
  item.quantity <= item.reorder_point

/**
 * Returns the status that a person set, otherwise the status that follows from the quantity. The database
 * column uses the same rule.
 */
export function itemStatus(item: {
  quantity: number
  reorder_point: number
  held: HeldItemStatus | null
}): ItemStatus {
  if (item.held) return item.held
  if (item.quantity === 0) return 'Out of Stock'
  return isLowStock(item) ? 'Low Stock' : 'In Stock'
}
