import { type Order, pieceLines } from '@pegasus/contracts/orders/orders'
import type { OrderEarnings as Earnings } from '@pegasus/contracts/orders/sales'
import { isEmployeeOrHigher } from '@pegasus/contracts/roles'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { formatMoneyIn } from '@/lib/format/format.ts'
import { useCurrentUser } from '@/lib/session/session.ts'
import { unknownCostsAddress } from '../orders-address.ts'
import { orderEarningsQuery } from '../orders.queries.ts'
import { t } from '@/lib/i18n/messages.ts'

/**
 * Shows the earnings of an order: its shipped pieces, and the money kept from refunded pieces, minus fees and cost.
 * Renders nothing before there are any.
 */
export function OrderEarnings({ order }: { order: Order }) {
  const hasEarnings = order.shipments.length > 0 || (order.kept_amount ?? 0) > 0
  const canSee = isEmployeeOrHigher(useCurrentUser().role) && hasEarnings
  const { data } = useQuery({ ...orderEarningsQuery(order.id), enabled: canSee })
  if (!canSee || !data) return null
  return (
    <div className="border-t border-line px-4 py-3">
      <dl className="flex justify-between font-semibold">
        <dt>{t('Margin')}</dt>
        <dd>{data.margin === null ? t('Not known yet') : formatMoneyIn(data.margin, data.currency)}</dd>
      </dl>
      {notesOf(data, order).map((note) => (
        <p key={note} className="text-caption text-ink-3">
          {note}
        </p>
      ))}
      {data.pieces_without_cost > 0 ? (
        <p className="text-caption">
          <Link to={unknownCostsAddress} className="link">
            {t('Show pieces without a cost')}
          </Link>
        </p>
      ) : null}
    </div>
  )
}

/** Returns the calculation of the margin, and the pieces and parcels that are not part of it. */
function notesOf(earned: Earnings, { items }: Order): string[] {
  const money = (amount: number) => formatMoneyIn(amount, earned.currency)
  const { revenue, kept, fees, cost, postage, pieces, returns, shipping_income: shipping } = earned
  const { pieces_without_cost: unknown, parcels_without_postage: unpaid, pieces_to_ship: left } = earned
  const shipped = t(
    '{pieces, plural, one {# piece} other {# pieces}} shipped{returns, plural, =0 {} one {, # returned} other {, # returned}}',
    { pieces, returns },
  )
  const income = [
    ...(pieces > 0 || kept === 0
      ? [t('{revenue} for {shipped}', { revenue: money(revenue - kept), shipped })]
      : []),
    ...(kept > 0 ? [t('{kept} kept from refunds', { kept: money(kept) })] : []),
    ...(shipping > 0 ? [t('{shipping} shipping', { shipping: money(shipping) })] : []),
  ].join(' + ')
  const sum = [
    income,
    ...(fees > 0 ? [t('{fees} fees', { fees: money(fees) })] : []),
    ...(postage > 0 ? [t('{postage} postage', { postage: money(postage) })] : []),
    ...(cost > 0 ? [t('{cost} cost of these pieces', { cost: money(cost) })] : []),
  ].join(' − ')
  const ended = pieceLines(items).reduce((total, line) => total + line.not_shipped_quantity, 0)
  return [
    ...(unknown > 0
      ? [
          t('The cost of {unknown, plural, one {# shipped piece} other {# shipped pieces}} is not known.', {
            unknown,
          }),
        ]
      : [sum]),
    ...(unpaid > 0
      ? [
          t(
            'The postage of {unpaid, plural, one {# shipment} other {# shipments}} is not entered, so neither it nor its shipping is counted.',
            { unpaid },
          ),
        ]
      : []),
    ...(left > 0
      ? [
          t(
            '{left, plural, one {# piece is} other {# pieces are}} still to be shipped and not counted yet.',
            { left },
          ),
        ]
      : []),
    ...(ended > 0
      ? [
          t(
            '{ended, plural, one {# piece will not be shipped and is} other {# pieces will not be shipped and are}} not counted.',
            { ended },
          ),
        ]
      : []),
  ]
}
