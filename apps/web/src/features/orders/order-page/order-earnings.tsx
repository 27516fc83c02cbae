import { type Order, pieceLines } from '@pegasus/contracts/orders/orders'
import type { OrderEarnings as Earnings } from '@pegasus/contracts/orders/sales'
import { isEmployeeOrHigher } from '@pegasus/contracts/roles'
import { useQuery } from '@tanstack/react-query'
import { formatMoney } from '@/lib/format/format.ts'
import { useCurrentUser } from '@/lib/session/session.ts'
import { orderEarningsQuery } from '../orders.queries.ts'
import { t } from '@/lib/i18n/messages.ts'

/**
 * Shows what the shipped pieces of an order earned, after the fees and their cost. Renders nothing before the first
 * shipment.
 */
export function OrderEarnings({ order }: { order: Order }) {
  const canSee = isEmployeeOrHigher(useCurrentUser().role) && order.shipments.length > 0
  const { data } = useQuery({ ...orderEarningsQuery(order.id), enabled: canSee })
  if (!canSee || !data) return null
  return (
    <div className="border-t border-line px-4 py-3">
      <dl className="flex justify-between font-semibold">
        <dt>{t('Margin')}</dt>
        <dd>{data.margin === null ? t('Not known yet') : formatMoney(data.margin)}</dd>
      </dl>
      {notesOf(data, order).map((note) => (
        <p key={note} className="text-caption text-ink-3">
          {note}
        </p>
      ))}
    </div>
  )
}

/** Returns the calculation of the margin, and the pieces that are not part of it. */
function notesOf(earned: Earnings, { items }: Order): string[] {
  const { revenue, fees, cost, pieces, returns, pieces_without_cost: unknown, pieces_to_ship: left } = earned
  const shipped = t(
    '{pieces, plural, one {# piece} other {# pieces}} shipped{returns, plural, =0 {} one {, # returned} other {, # returned}}',
    { pieces, returns },
  )
  const sum = [
    t('{revenue} for {shipped}', { revenue: formatMoney(revenue), shipped }),
    ...(fees > 0 ? [t('{fees} fees', { fees: formatMoney(fees) })] : []),
    ...(cost > 0 ? [t('{cost} cost of these pieces', { cost: formatMoney(cost) })] : []),
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
