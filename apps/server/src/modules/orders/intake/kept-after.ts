import { toMinor } from '@pegasus/contracts/money'
import type { TransactionSql } from '../../../platform/database/database.ts'

/** The money that a shop keeps of refunded pieces, as it was after one of its refunds. */
export interface KeptAfter {
  /** When the shop refunded, as ISO text in UTC. */
  at: string
  amount: number
}

/**
 * Reads the kept money after each refund of an order, earliest first. The amounts never fall: if a later refund lowers
 * the kept money, the amounts after the earlier refunds are lowered to it. Returns an empty list if any refund lacks
 * its time or amount, because the money could otherwise count on the day of another refund.
 */
export function readKeptAfter(value: unknown): KeptAfter[] {
  const entries: Readonly<Record<string, unknown>>[] = Array.isArray(value) ? value : []
  const refunds = entries.map(({ at, amount }) => ({
    at: typeof at === 'string' ? Date.parse(at) : Number.NaN,
    amount: typeof amount === 'number' ? amount : Number.NaN,
  }))
  if (refunds.some(({ at, amount }) => Number.isNaN(at) || Number.isNaN(amount))) return []
  const sorted = refunds.toSorted((a, b) => a.at - b.at)
  return sorted.map(({ at }, index) => ({
    at: new Date(at).toISOString(),
    amount: Math.max(0, Math.min(...sorted.slice(index).map(({ amount }) => amount))),
  }))
}

/**
 * Saves the kept money after each refund, in minor units. At the end of the transaction, the database uses these times
 * as the dates of the order's kept money. An empty list changes nothing. A later change of the kept money by other
 * means deletes the list.
 */
export async function saveKeptAfter(
  tx: TransactionSql,
  orderId: string,
  refunds: readonly KeptAfter[],
  currency: string,
): Promise<void> {
  if (refunds.length === 0) return
  const kept = refunds.map(({ at, amount }) => ({ at, minor: toMinor(amount, currency) }))
  if (kept.some(({ minor }) => minor === null)) return
  await tx`
    update orders set kept_after = ${tx.json(kept)}
    where id = ${orderId} and kept_minor is not null and kept_after is distinct from ${tx.json(kept)}`
}
