import type { Order } from '@pegasus/contracts/orders/orders'
import { formatMoneyIn } from '@/lib/format/format.ts'
import { t } from '@/lib/i18n/messages.ts'

/** Rounds an amount, because sums of decimal numbers have small errors. */
const rounded = (amount: number): number => Math.round(amount * 1000) / 1000

/**
 * Shows the parts of the total: lines, refunded pieces, shipping, surcharges, tax, discount, and any unexplained
 * difference. The part of the surcharges that was kept from refunds follows the total, and so do the fees, because the
 * shop pays them and the customer does not.
 */
export function OrderTotals({ order }: { order: Order }) {
  const refunded = rounded(
    order.items.reduce((sum, line) => sum + line.refunded_quantity * line.unit_price, 0),
  )
  const lines = rounded(order.items.reduce((sum, line) => sum + line.quantity * line.unit_price, 0))
  const {
    shipping_amount: shipping,
    surcharge_amount: surcharges,
    kept_amount: kept,
    tax_amount: tax,
    discount_amount: discount,
    fee_amount: fees,
    total_amount: total,
  } = order
  const other = rounded(
    total - lines + refunded - (shipping ?? 0) - (surcharges ?? 0) - (tax ?? 0) + (discount ?? 0),
  )
  const rows: (readonly [name: string, amount: number | null])[] = [
    [t('Refunded'), refunded === 0 ? null : -refunded],
    [t('Shipping'), shipping],
    [t('Surcharges'), surcharges],
    [t('Tax'), tax],
    [t('Discount'), discount === null ? null : -discount],
    // A person entered the amounts of a manual order, which has no shop.
    [
      order.source === 'manual' ? t('Not explained by the amounts above') : t('Not explained by the shop'),
      other === 0 || order.items.length === 0 ? null : other,
    ],
  ]
  const filled = rows.filter((row): row is [string, number] => row[1] !== null)
  return (
    <dl className="border-t border-line px-4 py-3">
      {filled.length > 0 ? <Row name={t('Lines')} amount={lines} currency={order.currency} /> : null}
      {filled.map(([name, amount]) => (
        <Row key={name} name={name} amount={amount} currency={order.currency} />
      ))}
      <div className="flex justify-between font-semibold">
        <dt>{t('Total')}</dt>
        <dd>{formatMoneyIn(total, order.currency)}</dd>
      </div>
      {kept ? <Row name={t('Kept from refunds')} amount={kept} currency={order.currency} /> : null}
      {fees ? <Row name={t('Fees, not part of the total')} amount={fees} currency={order.currency} /> : null}
    </dl>
  )
}

const Row = ({ name, amount, currency }: { name: string; amount: number; currency: string }) => (
  <div className="flex justify-between py-0.5 text-label text-ink-2">
    <dt>{name}</dt>
    <dd>{formatMoneyIn(amount, currency)}</dd>
  </div>
)
