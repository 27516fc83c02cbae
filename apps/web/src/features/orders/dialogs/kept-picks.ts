import type { Order } from '@pegasus/contracts/orders/orders'
import { readAccountEntry, writeAccountEntry } from '@/lib/session/account-entry.ts'
import { type Picked, leftOf, pickable } from './picked.ts'

// This browser keeps the picks that are under way, so that closing the dialog or the page loses none of them.

/** Maximum number of orders whose picks are kept. The pick that changed first is dropped. */
const MOST_ORDERS = 20

interface KeptPick {
  orderId: string
  picked: Picked
}

function readPicks(): KeptPick[] {
  const kept = readAccountEntry('picks')
  return Array.isArray(kept) ? (kept as KeptPick[]).filter((pick) => typeof pick?.picked === 'object') : []
}

/** Keeps the counts of an order. Counts of zero end its pick. */
export function keepPick(orderId: string, picked: Picked): void {
  const others = readPicks().filter((pick) => pick.orderId !== orderId)
  const isUnderWay = Object.values(picked).some((count) => count > 0)
  writeAccountEntry('picks', isUnderWay ? [{ orderId, picked }, ...others].slice(0, MOST_ORDERS) : others)
}

export const forgetPick = (orderId: string): void => keepPick(orderId, {})

/**
 * Returns the kept counts of an order, or null if there are none. If they no longer fit the order, because a
 * line is gone or needs fewer pieces, they are dropped and `isDropped` is true.
 */
export function findPick(order: Order): { picked: Picked; isDropped: boolean } | null {
  const kept = readPicks().find((pick) => pick.orderId === order.id)
  if (!kept) return null
  const leftById = new Map(pickable(order).map((line) => [line.id, leftOf(line)]))
  const isFitting = Object.entries(kept.picked).every(
    ([id, count]) =>
      Number.isInteger(count) && count >= 0 && (count === 0 || count <= (leftById.get(id) ?? 0)),
  )
  return isFitting ? { picked: kept.picked, isDropped: false } : { picked: {}, isDropped: true }
}
