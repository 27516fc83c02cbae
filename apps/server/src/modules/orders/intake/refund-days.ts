import { toMinor } from '@pegasus/contracts/money'
import type { TransactionSql } from '../../../platform/database/database.ts'

/** An amount of an order as it was after one of the shop's refunds, such as the kept money or the discount. */
export interface AfterRefund {
  /** When the shop refunded, as ISO text in UTC. */
  at: string
  amount: number
}

/** The amounts of an order after each refund. A list is empty if the shop does not say when it refunded. */
export interface RefundDays {
  keptAfter: readonly AfterRefund[]
  /** The discount contains the money that was refunded without pieces. */
  discountAfter: readonly AfterRefund[]
}

/**
 * Reads an amount after each refund of an order, earliest first. The amounts never fall: if a later refund lowers the
 * amount, the amounts after the earlier refunds are lowered to it. Returns an empty list if any refund lacks its time or
 * amount, because the money could otherwise count on the day of another refund.
 */
export function readAfterRefunds(value: unknown): AfterRefund[] {
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

/** Returns the amounts in minor units, or null if the list is empty or an amount has too many decimals. */
function inMinorUnits(refunds: readonly AfterRefund[], currency: string) {
  const amounts = refunds.map(({ at, amount }) => ({ at, minor: toMinor(amount, currency) }))
  return amounts.length === 0 || amounts.some(({ minor }) => minor === null) ? null : amounts
}

/**
 * Saves the kept money and the discount after each refund. At the end of the transaction, the database uses these times
 * as the dates of the order's kept money, and of the money that was refunded without pieces. An empty list changes
 * nothing. A later change of the kept money or of the discount by other means deletes its list.
 */
export async function saveRefundDays(
  tx: TransactionSql,
  orderId: string,
  { keptAfter, discountAfter }: RefundDays,
  currency: string,
): Promise<void> {
  const kept = inMinorUnits(keptAfter, currency)
  if (kept)
    await tx`
      update orders set kept_after = ${tx.json(kept)}
      where id = ${orderId} and kept_minor is not null and kept_after is distinct from ${tx.json(kept)}`
  const discount = inMinorUnits(discountAfter, currency)
  if (discount)
    await tx`
      update orders set discount_after = ${tx.json(discount)}
      where id = ${orderId} and discount_minor is not null and discount_after is distinct from ${tx.json(discount)}`
}
