import { UNDONE_REASON } from '@pegasus/contracts/inventory/stock-movements'
import type { AuditContext } from '../../../platform/actor.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { findMovement, findProduction, lockItem, readLater } from './movements.queries.ts'
import { pieces } from './quantity-text.ts'
import { moveStock } from './stock.service.ts'

/**
 * Removes the pieces of a plate from the stock again. Returns null after success, otherwise the reason why that is
 * impossible. Does nothing for a plate whose pieces never came into stock.
 */
export async function undoProduction(
  tx: Queryable,
  { printJobId, plateId }: { printJobId: string; plateId: string },
  by: AuditContext,
): Promise<string | null> {
  const id = await findProduction(tx, plateId)
  const movement = id === null ? null : await findMovement(tx, id)
  if (!movement || movement.undone_by_id !== null) return null
  const { item_id: itemId, delta } = movement
  const item = await lockItem(tx, itemId)
  if (!item) return 'The item of this print is in the trash.'
  const { counted_at: countedAt } = await readLater(tx, movement)
  if (countedAt !== null)
    return `The item was counted later, on ${countedAt.slice(0, 10)}. That count stays valid, so the pieces of this print cannot be taken out of stock.`
  const free = Math.max(0, item.quantity - item.reserved_quantity)
  if (free < delta)
    return `Only ${pieces(free)} free, so the ${delta} of this print cannot be taken out of stock again.`
  await moveStock(
    tx,
    {
      itemId,
      kind: 'adjust',
      delta: -delta,
      reason: UNDONE_REASON,
      printJobId,
      plateId,
      undoesId: movement.id,
    },
    by,
  )
  return null
}
