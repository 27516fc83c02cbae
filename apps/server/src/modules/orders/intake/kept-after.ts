import { toMinor } from '@pegasus/contracts/money'
import type { TransactionSql } from '../../../platform/database/database.ts'

/** The money that a shop had kept of refunded pieces after one of its refunds. */
export interface KeptAfter {
  /** When the shop refunded, as ISO text in UTC. */
  at: string
  amount: number
}

/**
 * Reads the kept money after each refund of an order, earliest first. Amounts rise: if a later refund lowers the kept
 * money, the earlier ones have kept only the rest. Returns an empty list if a refund has no time or no amount, because the
 * money could then get the day of another refund.
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
 * Saves the kept money after each refund, in minor units. The database dates the kept money of the order by it at the end
 * of the transaction. An empty list changes nothing. Another change of the kept money forgets the list.
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
