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
 * How quantity and reservations change when pieces are removed. Free pieces are removed first, and reserved ones only
 * on request: with an order those of that order, otherwise those without an order. Scrap may also reduce reserved
 * pieces. Throws MOVEMENT_INVALID or STOCK_NOT_FREE.
 */
export function deltasOf(
  { delta, kind, from_reserved: isFromReserved }: AdjustStockBody,
  item: StockOfItem,
  /** The reservations, and how many of them this removal may use. */
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
  // Scrap keeps the reservation, so that people see the missing pieces.
  return { delta, reservedDelta: fromReserved === 0 ? 0 : -fromReserved }
}
