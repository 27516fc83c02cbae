import type { AdjustStockBody } from '@pegasus/contracts/inventory/stock-movements'
import { AppError } from '../../../platform/errors/app-error.ts'
import type { StockOfItem } from './movements.queries.ts'
import { pieces } from './quantity-text.ts'
import { holdersOf } from './reservation-messages.ts'
import type { ReservationRow } from './reservations.queries.ts'

const DIRECTIONS: Readonly<Partial<Record<AdjustStockBody['kind'], 1 | -1>>> = {
  receive: 1,
  return: 1,
  ship: -1,
  scrap: -1,
}

/**
 * How quantity and reservation change. What is promised to somebody is not taken by others: only free pieces are, unless
 * asked for from the reserved ones. An order takes its own of those; who names none, what was reserved without one. Scrap
 * is a fact that no promise undoes. Throws MOVEMENT_INVALID or STOCK_NOT_FREE.
 */
export function deltasOf(
  { delta, kind, from_reserved: isFromReserved }: AdjustStockBody,
  item: StockOfItem,
  /** Who holds what is reserved, and how much of that whoever takes may take. */
  reserved: { holders: readonly ReservationRow[]; own: number },
): { delta: number; reservedDelta: number } {
  const direction = DIRECTIONS[kind]
  if (direction !== undefined && Math.sign(delta) !== direction) {
    const say =
      direction === 1
        ? `${kind} brings pieces in: delta is positive`
        : `${kind} takes pieces out: delta is negative`
    throw new AppError('MOVEMENT_INVALID', { say, errors: [{ path: 'delta', message: say }] })
  }
  if (delta > 0) return { delta, reservedDelta: 0 }
  const taken = -delta
  const fromReserved = isFromReserved ? Math.min(taken, reserved.own, item.reserved_quantity) : 0
  const free = Math.max(item.quantity - item.reserved_quantity, 0)
  const isThere = taken <= item.quantity
  if (isThere && kind !== 'scrap' && taken - fromReserved > free)
    throw new AppError('STOCK_NOT_FREE', {
      say: `Only ${pieces(free)} free, since ${item.reserved_quantity} of the ${item.quantity} in stock are reserved: ${holdersOf(reserved.holders)}. Release some first, or say whose reserved ones to take.`,
    })
  // A reservation of what is scrapped stays, so that somebody sees what is missing.
  return { delta, reservedDelta: fromReserved === 0 ? 0 : -fromReserved }
}
