import { type Order, pieceLines } from '@pegasus/contracts/orders/orders'
import { readAccountEntry, writeAccountEntry } from '@/lib/session/account-entry.ts'
import { type Picked, leftOf, pickable } from './picked.ts'

// This browser keeps the picks that are under way, so that closing the dialog or the page loses none of them.

/**
 * Maximum number of orders whose picks are kept. If there are more, the pick that was changed longest ago is dropped.
 */
const MOST_ORDERS = 20

/** The picked pieces of an order, and how many pieces of each line were shipped when they were counted. */
export interface Pick {
  picked: Picked
  shipped: Picked
}

interface KeptPick extends Pick {
  orderId: string
}

const isRecord = (value: unknown): value is object => typeof value === 'object' && value !== null

function readPicks(): KeptPick[] {
  const kept = readAccountEntry('picks')
  return Array.isArray(kept) ? (kept as KeptPick[]).filter((pick) => isRecord(pick?.picked)) : []
}

/** Keeps the counts of an order. If all counts are zero, its pick is removed. */
export function keepPick(orderId: string, { picked, shipped }: Pick): void {
  const others = readPicks().filter((pick) => pick.orderId !== orderId)
  const isUnderWay = Object.values(picked).some((count) => count > 0)
  const kept = { orderId, picked, shipped }
  writeAccountEntry('picks', isUnderWay ? [kept, ...others].slice(0, MOST_ORDERS) : others)
}

interface ShippedPart {
  line_id: string
  quantity: number
}

/**
 * Subtracts pieces that this browser has shipped from the kept pick of their order. `order` is the order before the
 * shipment.
 */
export function subtractFromPick(order: Order, items: readonly ShippedPart[]): void {
  const kept = readPicks().find((pick) => pick.orderId === order.id)
  if (!kept || !isRecord(kept.shipped)) return
  const picked: Record<string, number> = { ...kept.picked }
  const shipped: Record<string, number> = { ...kept.shipped }
  for (const { line_id: id, quantity } of items.flatMap((item) => piecesOf(order, item))) {
    picked[id] = Math.max(0, (picked[id] ?? 0) - quantity)
    shipped[id] = (shipped[id] ?? 0) + quantity
  }
  keepPick(order.id, { picked, shipped })
}

/** A set is shipped as a whole, but picked piece by piece. */
const piecesOf = ({ items }: Order, item: ShippedPart): ShippedPart[] => {
  const set = items.find((line) => line.is_set && line.id === item.line_id)
  return set
    ? set.parts.map((part) => ({
        line_id: part.id,
        quantity: Math.min(item.quantity * part.pieces_per_set, leftOf(part)),
      }))
    : [item]
}

/**
 * Returns the kept pick of an order, or null if there is none. If it no longer fits the order, because a line is gone
 * or has fewer pieces, `isDropped` is true and no pieces are picked.
 */
export function findPick(order: Order): (Pick & { isDropped: boolean }) | null {
  const kept = readPicks().find((pick) => pick.orderId === order.id)
  if (!kept) return null
  const quantityById = new Map(pieceLines(order.items).map((line) => [line.id, line.quantity]))
  const isFitting =
    isRecord(kept.shipped) &&
    Object.entries(kept.picked).every(([id, count]) => {
      if (count === 0) return true
      const before = kept.shipped[id] ?? 0
      return [count, before].every(isCount) && count + before <= (quantityById.get(id) ?? 0)
    })
  return isFitting
    ? { picked: kept.picked, shipped: kept.shipped, isDropped: false }
    : { picked: {}, shipped: shippedByLine(order), isDropped: true }
}

const isCount = (count: number): boolean => Number.isInteger(count) && count >= 0

export const shippedByLine = (order: Order): Picked =>
  Object.fromEntries(pieceLines(order.items).map((line) => [line.id, line.shipped_quantity]))

/** Returns how many pieces of an order were shipped since a pick was counted. */
export const shippedSince = (order: Order, { shipped }: Pick): number =>
  pieceLines(order.items).reduce(
    (sum, line) => sum + Math.max(0, line.shipped_quantity - (shipped[line.id] ?? 0)),
    0,
  )

/**
 * Returns the picked pieces of each line that are still to be shipped. Pieces that were shipped after the pick was
 * counted are subtracted, because they may be the picked ones, and no piece may be shipped twice.
 */
export const stillPicked = (order: Order, { picked, shipped }: Pick): Picked =>
  Object.fromEntries(
    pickable(order).map((line) => {
      const since = Math.max(0, line.shipped_quantity - (shipped[line.id] ?? 0))
      return [line.id, Math.min(Math.max(0, (picked[line.id] ?? 0) - since), leftOf(line))]
    }),
  )

export const sumOfPicked = (picked: Picked): number =>
  Object.values(picked).reduce((sum, count) => sum + count, 0)
