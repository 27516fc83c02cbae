import {
  type AdjustStockBody,
  type CountStockBody,
  type MovedItem,
  type MoveStockBody,
  type ReserveStockBody,
  UNDONE_REASON,
} from '@pegasus/contracts/inventory/stock-movements'
import { isFinishedOrder } from '@pegasus/contracts/statuses'
import type { AuditContext } from '../../../platform/actor.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database, Queryable } from '../../../platform/database/database.ts'
import { AppError, orThrow } from '../../../platform/errors/app-error.ts'
import { type IdempotentCaller, writeBodyOnce } from '../../../platform/http/idempotency.ts'
import { type Presentation, presentItem, presentMovement } from '../items/items.present.ts'
import { findItem } from '../items/items.queries.ts'
import { relocate } from '../items/apply-item-edit.ts'
import { findMovement, lockItem, type MovementRow, readLater, type StockOfItem } from './movements.queries.ts'
import { ensureLocation } from '../locations/ensure-location.ts'
import { holdLocation } from '../locations/locations.queries.ts'
import { listReservations, lockOrderOf, type ReservationRow, reservedFor } from './reservations.queries.ts'
import { type NewMovement, countStock, moveStock } from './stock.service.ts'
import { pieces } from './quantity-text.ts'
import { holdersOf } from './reservation-messages.ts'

const DIRECTIONS: Readonly<Partial<Record<AdjustStockBody['kind'], 1 | -1>>> = {
  receive: 1,
  produce: 1,
  return: 1,
  ship: -1,
  scrap: -1,
}

/**
 * Returns the changes of the quantity and the reserved quantity when pieces are removed. With `from_reserved`, first
 * removes reserved pieces: those of the named order, or those without an order if none is named. Otherwise, and for the
 * rest, removes free pieces. Only scrap and counts may remove more than that. Throws MOVEMENT_INVALID or
 * STOCK_NOT_FREE.
 */
function deltasOf(
  { delta, kind, from_reserved: isFromReserved }: AdjustStockBody,
  item: StockOfItem,
  /** The reservations of the item, and the number of reserved pieces that this removal may use. */
  reserved: { holders: readonly ReservationRow[]; own: number },
): { delta: number; reservedDelta: number } {
  const direction = DIRECTIONS[kind]
  if (direction !== undefined && Math.sign(delta) !== direction) {
    const message =
      direction === 1
        ? `delta must be positive, because ${kind} adds pieces`
        : `delta must be negative, because ${kind} removes pieces`
    throw new AppError('MOVEMENT_INVALID', { text: message, errors: [{ path: 'delta', message }] })
  }
  if (delta > 0) return { delta, reservedDelta: 0 }
  const taken = -delta
  const fromReserved = isFromReserved ? Math.min(taken, reserved.own, item.reserved_quantity) : 0
  const free = Math.max(item.quantity - item.reserved_quantity, 0)
  const isThere = taken <= item.quantity
  if (isThere && kind !== 'scrap' && kind !== 'count' && taken - fromReserved > free)
    throw new AppError('STOCK_NOT_FREE', {
      text: `Only ${pieces(free)} free, because ${item.reserved_quantity} of the ${item.quantity} in stock are reserved: ${holdersOf(reserved.holders)}. Release some first, or name the order whose reserved pieces you want to take.`,
    })
  // Scrap and counts may also remove reserved pieces. `moveStock` then releases the reservations that the remaining
  // pieces cannot cover.
  return { delta, reservedDelta: fromReserved === 0 ? 0 : -fromReserved }
}

/** The times of the item's last count and last move after a movement. Movements that were undone do not count. */
interface Later {
  counted_at: string | null
  moved_at: string | null
}

const day = (moment: string): string => moment.slice(0, 10)

/**
 * Returns the reason why a movement cannot be undone, for example because later movements depend on it. Returns null if
 * it can be undone.
 */
function reasonAgainst(movement: MovementRow, item: StockOfItem, later: Later): string | null {
  const { kind, delta, reserved_delta: reservedDelta } = movement
  if (movement.undoes_id !== null)
    return 'This movement is itself an undo. Please enter the change again instead.'
  if (movement.print_job_id !== null)
    return 'These pieces were recorded by a print job. Please correct the quantity with a count instead.'
  if (movement.order_line_id !== null && kind === 'return')
    return 'These pieces were returned for an order. Undo the return in the history of the order. If it offers no undo, correct the quantity with a count.'
  if (movement.order_line_id !== null && kind === 'ship')
    return 'These pieces belong to a shipment of an order. Please change the shipment on the page of the order.'
  if (kind === 'move')
    return later.moved_at !== null || item.location_id !== movement.to_location_id
      ? 'The item has been moved since then. Please move it back instead.'
      : null
  if (delta === 0 && reservedDelta === 0)
    return 'This count did not change the quantity, so there is nothing to undo.'
  if (delta !== 0 && later.counted_at !== null)
    return `The item was counted later, on ${day(later.counted_at)}. That count stays valid, so this movement cannot be undone.`
  return null
}

/** Throws MOVEMENT_ALREADY_UNDONE, or MOVEMENT_NOT_UNDOABLE with the reason. */
function assertUndoable(movement: MovementRow, item: StockOfItem, later: Later): void {
  if (movement.undone_by_id !== null) throw new AppError('MOVEMENT_ALREADY_UNDONE')
  const message = reasonAgainst(movement, item, later)
  if (message !== null) throw new AppError('MOVEMENT_NOT_UNDOABLE', { text: message })
}

/**
 * Changes of the stock by people. Each change writes a movement, and returns the item with that movement. Each method
 * throws ITEM_NOT_FOUND, and IDEMPOTENCY_KEY_REUSED if it takes an idempotency key.
 */
export interface StockMovements {
  /** Adds or removes pieces. Throws STOCK_LIMIT, STOCK_NOT_FREE, MOVEMENT_INVALID or ORDER_NOT_FOUND. */
  adjust(itemId: string, body: AdjustStockBody, by: IdempotentCaller): Promise<MovedItem>
  /**
   * Sets the quantity to the counted number of pieces. If fewer pieces are left than are reserved, releases the
   * difference. Throws STOCK_LIMIT.
   */
  count(itemId: string, body: CountStockBody, by: IdempotentCaller): Promise<MovedItem>
  /** Reserves pieces. Throws STOCK_NOT_FREE, ORDER_NOT_FOUND, or ORDER_STATE for a finished order. */
  reserve(itemId: string, body: ReserveStockBody, by: IdempotentCaller): Promise<MovedItem>
  /** Releases reserved pieces. Throws STOCK_NOT_RESERVED or ORDER_NOT_FOUND. */
  release(itemId: string, body: ReserveStockBody, by: IdempotentCaller): Promise<MovedItem>
  /** Moves an item to another location. Throws LOCATION_NOT_FOUND or LOCATION_INVALID. */
  move(itemId: string, body: MoveStockBody, by: IdempotentCaller): Promise<MovedItem>
  /**
   * Undoes a movement by adding a reverse movement. Throws MOVEMENT_NOT_FOUND, MOVEMENT_ALREADY_UNDONE,
   * MOVEMENT_NOT_UNDOABLE, or an error of the reverse movement.
   */
  undo(movementId: string, by: AuditContext): Promise<MovedItem>
}

interface MovingDeps extends Presentation {
  database: Database
  clock: Clock
}

/**
 * Locks the order for which pieces are to be reserved. Throws ORDER_NOT_FOUND for an order in the trash, and
 * ORDER_STATE for a finished order, which would never release the pieces.
 */
async function assertOrderOpen(tx: Queryable, orderId: string | null): Promise<void> {
  if (orderId === null) return
  const order = orThrow(await lockOrderOf(tx, orderId), 'ORDER_NOT_FOUND')
  if (isFinishedOrder(order.status))
    throw new AppError('ORDER_STATE', {
      text: `Order ${order.order_number} is ${order.status}, so nothing can be reserved for it.`,
    })
}

export function createStockMovements(deps: MovingDeps): StockMovements {
  const { database, clock } = deps

  const present = async (tx: Queryable, itemId: string, movementId: string): Promise<MovedItem> => {
    const [row, movement] = [await findItem(tx, itemId), await findMovement(tx, movementId)]
    if (!row || !movement) throw new Error('An item that was moved is not there.')
    return { ...presentItem(row, deps), movement: presentMovement(movement) }
  }

  /**
   * Runs `work` once for each idempotency key. `work` returns the id of a movement; the result is that
   * movement with its item.
   */
  const act = (
    asked: readonly [what: string, itemId: string, body: unknown],
    by: IdempotentCaller,
    work: (tx: Queryable, audit: AuditContext) => Promise<string>,
  ): Promise<MovedItem> =>
    writeBodyOnce({ database, clock }, by, asked, async (tx, { audit }) =>
      present(tx, asked[1], await work(tx, audit)),
    )

  const lock = async (tx: Queryable, itemId: string) => orThrow(await lockItem(tx, itemId), 'ITEM_NOT_FOUND')

  /**
   * Returns the reservations of an item, and the number of its pieces that are reserved for an order, or without an
   * order if `orderId` is null.
   */
  const reservedOf = async (
    tx: Queryable,
    item: StockOfItem,
    of: { itemId: string; orderId: string | null },
  ) =>
    item.reserved_quantity === 0
      ? { holders: [], own: 0 }
      : { holders: await listReservations(tx, of.itemId), own: Math.max(await reservedFor(tx, of), 0) }

  const placeOf = async (tx: Queryable, body: MoveStockBody, now: Date): Promise<string | null> => {
    if (!body.location_id)
      return ensureLocation(tx, { location: body.location ?? null, bin: body.bin_location ?? null }, now)
    const location = await holdLocation(tx, body.location_id)
    if (!location) throw new AppError('LOCATION_NOT_FOUND')
    return location.id
  }

  const moveBack = async (
    tx: Queryable,
    movement: MovementRow,
    locationId: string | null,
    by: AuditContext,
  ) => {
    const { item_id: id, from_location_id: from, id: undoesId } = movement
    if (from !== null && !(await holdLocation(tx, from)))
      throw new AppError('MOVEMENT_NOT_UNDOABLE', {
        text: `The previous location, ${movement.from_location}, no longer exists. Please move the item instead.`,
      })
    const item = { id, location_id: locationId }
    return relocate(tx, item, { locationId: from, reason: UNDONE_REASON, undoesId }, by)
  }

  return {
    adjust: (itemId, body, by) =>
      act(['adjust', itemId, body], by, async (tx, audit) => {
        const item = await lock(tx, itemId)
        const { kind, reason = null, order_id: orderId = null } = body
        const deltas = deltasOf(body, item, await reservedOf(tx, item, { itemId, orderId }))
        const movement = { itemId, kind, ...deltas, reason, orderId }
        return (await moveStock(tx, movement, audit)).id
      }),

    count: (itemId, body, by) =>
      act(['count', itemId, body], by, async (tx, audit) => {
        const count = { itemId, quantity: body.quantity, reason: body.reason ?? null }
        return (await countStock(tx, count, audit)).id
      }),

    reserve: (itemId, body, by) =>
      act(['reserve', itemId, body], by, async (tx, audit) => {
        const { quantity, reason = null, order_id: orderId = null } = body
        await assertOrderOpen(tx, orderId)
        const movement: NewMovement = { itemId, kind: 'reserve', reservedDelta: quantity, reason, orderId }
        return (await moveStock(tx, movement, audit)).id
      }),

    release: (itemId, body, by) =>
      act(['release', itemId, body], by, async (tx, audit) => {
        const { quantity, reason = null, order_id: orderId = null } = body
        const movement: NewMovement = { itemId, kind: 'release', reservedDelta: -quantity, reason, orderId }
        return (await moveStock(tx, movement, audit)).id
      }),

    move: (itemId, body, by) =>
      act(['move', itemId, body], by, async (tx, audit) => {
        const { location_id } = await lock(tx, itemId)
        const locationId = await placeOf(tx, body, audit.now)
        return relocate(tx, { id: itemId, location_id }, { locationId, reason: body.reason ?? null }, audit)
      }),

    undo: (movementId, by) =>
      database.transaction(async (tx) => {
        const found = await findMovement(tx, movementId)
        if (!found) throw new AppError('MOVEMENT_NOT_FOUND')
        if (found.reserved_delta < 0) await assertOrderOpen(tx, found.order_id)
        const item = await lock(tx, found.item_id)
        // Read the movement again, because somebody may have undone it while this transaction waited for the
        // item.
        const movement = (await findMovement(tx, movementId)) ?? found
        assertUndoable(movement, item, await readLater(tx, movement))
        const { item_id: itemId, kind, delta, reserved_delta: reservedDelta } = movement
        if (kind === 'move') return present(tx, itemId, await moveBack(tx, movement, item.location_id, by))
        const back = kind === 'reserve' ? 'release' : kind === 'release' ? 'reserve' : 'adjust'
        const { order_id: orderId, order_line_id: orderLineId } = movement
        const { id } = await moveStock(
          tx,
          {
            itemId,
            kind: back,
            delta: -delta,
            reservedDelta: -reservedDelta,
            reason: UNDONE_REASON,
            orderId,
            orderLineId,
            undoesId: movementId,
          },
          by,
        )
        return present(tx, itemId, id)
      }),
  }
}
