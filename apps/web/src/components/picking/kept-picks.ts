import { type Order, pieceLines } from '@pegasus/contracts/orders/orders'
import { readAccountEntry, writeAccountEntry } from '@/lib/session/account-entry.ts'
import { type Picked, lastShipmentOf, leftOf, pickable, shippedAfter } from './picked.ts'

// This browser keeps the picks that are under way, so that closing the dialog or the page loses none of them.

/**
 * Maximum number of orders whose picks are kept. If there are more, the pick whose last change is oldest is dropped.
 */
const MOST_ORDERS = 20

/**
 * The picked pieces of an order, and the number of its latest shipment when they were counted (0 if there was none).
 */
export interface Pick {
  picked: Picked
  lastShipment: number
}

interface KeptPick extends Pick {
  orderId: string
}

const isRecord = (value: unknown): value is object => typeof value === 'object' && value !== null

function readPicks(): KeptPick[] {
  const kept = readAccountEntry('picks')
  return Array.isArray(kept) ? (kept as KeptPick[]).filter((pick) => isRecord(pick?.picked)) : []
}

/** Keeps the counts of an order. Counts of zero end its pick. */
export function keepPick(orderId: string, { picked, lastShipment }: Pick): void {
  const others = readPicks().filter((pick) => pick.orderId !== orderId)
  const isUnderWay = Object.values(picked).some((count) => count > 0)
  const kept = { orderId, picked, lastShipment }
  writeAccountEntry('picks', isUnderWay ? [kept, ...others].slice(0, MOST_ORDERS) : others)
}

/**
 * Subtracts the pieces that were shipped since the last count from the kept pick of an order. The subtraction is
 * permanent: if the shipment is undone, its pieces go back into stock and must be picked again.
 */
export function subtractShipped(order: Order): void {
  const kept = readPicks().find((pick) => pick.orderId === order.id)
  if (kept && isCount(kept.lastShipment) && lastShipmentOf(order) > kept.lastShipment)
    keepPick(order.id, { picked: stillPicked(order, kept), lastShipment: lastShipmentOf(order) })
}

/**
 * Returns the kept pick of an order, or null if there is none. If it no longer fits the order, because a line is gone
 * or has fewer pieces, `isDropped` is true and nothing counts as picked.
 */
export function findPick(order: Order): (Pick & { isDropped: boolean }) | null {
  const kept = readPicks().find((pick) => pick.orderId === order.id)
  if (!kept) return null
  const { picked, lastShipment } = kept
  const left = new Map(pieceLines(order.items).map((line) => [line.id, leftOf(line)]))
  const isFitting = (): boolean => {
    const since = shippedAfter(order, lastShipment)
    return Object.entries(picked).every(
      ([id, count]) => count === 0 || (isCount(count) && count <= (left.get(id) ?? 0) + (since[id] ?? 0)),
    )
  }
  return isCount(lastShipment) && isFitting()
    ? { picked, lastShipment, isDropped: false }
    : { picked: {}, lastShipment: lastShipmentOf(order), isDropped: true }
}

const isCount = (count: unknown): boolean => Number.isInteger(count) && (count as number) >= 0

/**
 * Returns the picked pieces of each line that are still to be shipped. Pieces that were shipped since the last count
 * are subtracted, because nobody can tell them from the picked pieces, and no piece may be shipped twice.
 */
export function stillPicked(order: Order, { picked, lastShipment }: Pick): Picked {
  const since = shippedAfter(order, lastShipment)
  return Object.fromEntries(
    pickable(order).map((line) => [
      line.id,
      Math.min(Math.max(0, (picked[line.id] ?? 0) - (since[line.id] ?? 0)), leftOf(line)),
    ]),
  )
}
