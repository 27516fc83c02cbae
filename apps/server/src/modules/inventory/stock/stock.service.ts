import { MAX_ITEM_QUANTITY } from '@pegasus/contracts/inventory/items'
import { LACKING_REASON, type MovementKind } from '@pegasus/contracts/inventory/stock-movements'
import { v7 as uuidv7 } from 'uuid'
import { type AuditContext, actorColumns } from '../../../platform/actor.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import { publish, publishAll } from '../../events/index.ts'
import {
  type CountedMovement,
  type StockOfItem,
  insertMovement,
  insertMovements,
  lockItem,
  lockItems,
} from './movements.queries.ts'
import { pieces } from './quantity-text.ts'
import { holdersOf } from './reservation-messages.ts'
import { listHolders, listOverdrawn, listReservations, lockFreeOrder } from './reservations.queries.ts'

export interface NewMovement {
  itemId: string
  kind: MovementKind
  /** Pieces added (positive) or removed (negative). */
  delta?: number
  /** Pieces reserved (positive) or released (negative). */
  reservedDelta?: number
  reason?: string | null
  /** The order or print job that caused the movement. Give at most one of them. */
  orderId?: string | null
  printJobId?: string | null
  /** The plate of that job on which the pieces were printed. Each plate adds its pieces to the stock once. */
  plateId?: string | null
  /**
   * The line of that order. Without it, the movement counts for the order's lines with this item, one after the other.
   */
  orderLineId?: string | null
  undoesId?: string | null
  /** For a move: the previous and the new location. */
  fromLocationId?: string | null
  toLocationId?: string | null
}

/** The id of a movement, and the resulting quantities. */
export interface Moved {
  id: string
  quantity: number
  reserved: number
}

/**
 * Throws an error that names the number of pieces if a movement is impossible. The database would also refuse the
 * movement, but without these numbers.
 */
function assertPossible(item: StockOfItem, delta: number, reservedDelta: number): void {
  const { quantity, reserved_quantity: reserved } = item
  const free = quantity + delta - reserved
  if (quantity + delta < 0)
    throw new AppError('STOCK_LIMIT', {
      text: `Only ${pieces(quantity)} in stock, so ${-delta} cannot be taken.`,
    })
  if (quantity + delta > MAX_ITEM_QUANTITY)
    throw new AppError('STOCK_LIMIT', {
      text: `An item can have at most 1,000,000,000 pieces. There are ${quantity} now, so ${delta} cannot be added.`,
    })
  if (reserved + reservedDelta < 0)
    throw new AppError('STOCK_NOT_RESERVED', {
      text: `Only ${pieces(reserved)} reserved, so ${-reservedDelta} cannot be released.`,
    })
  if (reservedDelta > 0 && free < reservedDelta)
    throw new AppError('STOCK_NOT_FREE', {
      text: `Only ${pieces(Math.max(free, 0))} free, so ${reservedDelta} cannot be reserved.`,
    })
}

/**
 * Throws STOCK_NOT_RESERVED if a movement released reservations of another order: releasing pieces of an order must
 * name that order, and without an order, only pieces that are reserved without an order can be released. `released`
 * contains the released pieces of each item. Call it after writing the movements, while the items are locked: the error
 * then rolls the movements back.
 */
async function assertOwnReservations(
  tx: Queryable,
  orderId: string | null,
  released: ReadonlyMap<string, number>,
): Promise<void> {
  if (released.size === 0) return
  const [overdrawn] = await listOverdrawn(tx, { itemIds: [...released.keys()], orderId })
  if (!overdrawn) return
  const taken = released.get(overdrawn.item_id) ?? 0
  const own = pieces(Math.max(overdrawn.reserved + taken, 0))
  if (orderId !== null)
    throw new AppError('STOCK_NOT_RESERVED', {
      text: `Only ${own} reserved for this order, so ${taken} cannot be released.`,
    })
  const orders = (await listReservations(tx, overdrawn.item_id)).filter((each) => each.order_id !== null)
  throw new AppError('STOCK_NOT_RESERVED', {
    text: `Only ${own} reserved without an order, so ${taken} cannot be released. Others are reserved: ${holdersOf(orders)}. Please name the order from which to release them.`,
  })
}

/**
 * Returns the row to write for a movement of a locked item. `item` is null for an item that is missing or in the trash,
 * which cannot have movements. Throws like `moveStock`.
 */
function rowOf(movement: NewMovement, item: StockOfItem | null, by: AuditContext) {
  const { itemId, kind, delta = 0, reservedDelta = 0 } = movement
  for (const count of [delta, reservedDelta])
    if (!Number.isInteger(count) || Math.abs(count) > MAX_ITEM_QUANTITY) throw new AppError('STOCK_LIMIT')
  if (!item) throw new AppError('ITEM_NOT_FOUND')
  assertPossible(item, delta, reservedDelta)
  return {
    id: uuidv7(),
    item_id: itemId,
    kind,
    delta,
    reserved_delta: reservedDelta,
    from_location_id: movement.fromLocationId ?? null,
    to_location_id: movement.toLocationId ?? null,
    reason: movement.reason ?? null,
    order_id: movement.orderId ?? null,
    order_line_id: movement.orderLineId ?? null,
    print_job_id: movement.printJobId ?? null,
    plate_id: movement.plateId ?? null,
    undoes_id: movement.undoesId ?? null,
    ...actorColumns(by.actor),
    created_at: by.now,
  }
}

/**
 * Writes a movement. Only this function and `moveStockOfOrder` can change a quantity. If fewer pieces are left than are
 * reserved, releases the difference. Returns the resulting quantities. Throws ITEM_NOT_FOUND, STOCK_LIMIT,
 * STOCK_NOT_RESERVED, STOCK_NOT_FREE, or MOVEMENT_INVALID, which comes from the database.
 */
export async function moveStock(tx: Queryable, movement: NewMovement, by: AuditContext): Promise<Moved> {
  const { itemId, kind, orderId = null, delta = 0, reservedDelta = 0 } = movement
  const row = rowOf(movement, await lockItem(tx, itemId), by)
  const after = await insertMovement(tx, row)
  if (reservedDelta < 0) await assertOwnReservations(tx, orderId, new Map([[itemId, -reservedDelta]]))
  await publish(tx, { type: 'updated', entity: 'inventory_item', id: itemId })
  const lacking = after.reserved - after.quantity
  // Counting the same number again releases pieces that the earlier count could not release.
  const isLess = (delta < 0 || kind === 'count') && lacking > 0
  const released = isLess ? await releaseLacking(tx, { itemId, lacking }, by) : 0
  return { id: row.id, ...after, reserved: after.reserved - released }
}

/**
 * Releases reserved pieces that are no longer in stock, so that no order relies on them: first the pieces without an
 * order, then the pieces of the orders that are due last. Skips an order that another transaction is changing, because
 * waiting for it while holding the item could cause a deadlock. Returns the number of released pieces.
 */
async function releaseLacking(
  tx: Queryable,
  { itemId, lacking }: { itemId: string; lacking: number },
  by: AuditContext,
): Promise<number> {
  let left = lacking
  for (const { order_id: orderId, quantity } of await listHolders(tx, itemId)) {
    if (left === 0) break
    if (orderId !== null && !(await lockFreeOrder(tx, orderId))) continue
    const taken = Math.min(left, quantity)
    left -= taken
    await moveStock(
      tx,
      { itemId, kind: 'release', reservedDelta: -taken, reason: LACKING_REASON, orderId },
      by,
    )
    if (orderId !== null) await publish(tx, { type: 'updated', entity: 'order', id: orderId })
  }
  return lacking - left
}

/**
 * Writes many movements of an order with a fixed number of statements. Each movement starts from the quantities that
 * the movements before it leave. Returns the ids of the movements, in the same sequence. Throws like `moveStock`.
 */
export async function moveStockOfOrder(
  tx: Queryable,
  orderId: string,
  movements: readonly Omit<NewMovement, 'orderId'>[],
  by: AuditContext,
): Promise<string[]> {
  if (movements.length === 0) return []
  const items = await lockItems(
    tx,
    movements.map(({ itemId }) => itemId),
  )
  const released = new Map<string, number>()
  const rows: CountedMovement[] = []
  for (const movement of movements) {
    const { itemId, delta = 0, reservedDelta = 0 } = movement
    const item = items.get(itemId) ?? null
    const row = rowOf({ ...movement, orderId }, item, by)
    const quantity = (item?.quantity ?? 0) + delta
    const reserved = (item?.reserved_quantity ?? 0) + reservedDelta
    if (item) items.set(itemId, { ...item, quantity, reserved_quantity: reserved })
    rows.push({ ...row, quantity_after: quantity, reserved_after: reserved })
    if (reservedDelta < 0) released.set(itemId, (released.get(itemId) ?? 0) - reservedDelta)
  }
  await insertMovements(tx, rows)
  await assertOwnReservations(tx, orderId, released)
  const ids = [...items.keys()]
  await publishAll(
    tx,
    ids.map((id) => ({ type: 'updated', entity: 'inventory_item', id })),
  )
  return rows.map(({ id }) => id)
}

/**
 * Records the result of a count. A count that confirms the quantity is a movement of 0. Throws ITEM_INVALID or
 * ITEM_NOT_FOUND.
 */
export async function countStock(
  tx: Queryable,
  count: { itemId: string; quantity: number; reason?: string | null },
  by: AuditContext,
): Promise<Moved> {
  const { itemId, quantity, reason = null } = count
  assertQuantity(quantity)
  const item = await lockItem(tx, itemId)
  if (!item) throw new AppError('ITEM_NOT_FOUND')
  return moveStock(tx, { itemId, kind: 'count', delta: quantity - item.quantity, reason }, by)
}

/** Throws ITEM_INVALID for an invalid quantity. */
export function assertQuantity(quantity: number): void {
  if (Number.isInteger(quantity) && quantity >= 0 && quantity <= MAX_ITEM_QUANTITY) return
  const message = `quantity must be a whole number from 0 to ${MAX_ITEM_QUANTITY}`
  throw new AppError('ITEM_INVALID', { text: message, errors: [{ path: 'quantity', message }] })
}
