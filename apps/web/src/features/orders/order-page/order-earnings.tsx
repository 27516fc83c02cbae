import { type Order, pieceLines } from '@pegasus/contracts/orders/orders'
import type { OrderEarnings as Earnings } from '@pegasus/contracts/orders/sales'
import { isEmployeeOrHigher } from '@pegasus/contracts/roles'
import { useQuery } from '@tanstack/react-query'
import { formatCount, formatMoney, formatNumberOf } from '@/lib/format/format.ts'
import { useCurrentUser } from '@/lib/session/session.ts'
import { orderEarningsQuery } from '../orders.queries.ts'

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
        <dt>Margin</dt>
        <dd>{data.margin === null ? 'Not known yet' : formatMoney(data.margin)}</dd>
      </dl>
      {notesOf(data, order).map((note) => (
        <p key={note} className="text-caption text-ink-3">
          {note}
        </p>
      ))}
    </div>
  )
}

const areOrIs = (count: number): string => (count === 1 ? 'is' : 'are')

/** Returns the calculation of the margin, and the pieces that are not part of it. */
function notesOf(earned: Earnings, { items }: Order): string[] {
  const { revenue, fees, cost, pieces, returns, pieces_without_cost: unknown, pieces_to_ship: left } = earned
  const shipped = `${formatNumberOf(pieces, 'piece')} shipped${returns > 0 ? `, ${formatCount(returns)} returned` : ''}`
  const sum = [
    `${formatMoney(revenue)} for ${shipped}`,
    ...(fees > 0 ? [`${formatMoney(fees)} fees`] : []),
    ...(cost > 0 ? [`${formatMoney(cost)} cost of these pieces`] : []),
  ].join(' − ')
  const ended = pieceLines(items).reduce((total, line) => total + line.not_shipped_quantity, 0)
  return [
    ...(unknown > 0 ? [`The cost of ${formatNumberOf(unknown, 'shipped piece')} is not known.`] : [sum]),
    ...(left > 0
      ? [`${formatNumberOf(left, 'piece')} ${areOrIs(left)} still to be shipped and not counted yet.`]
      : []),
    ...(ended > 0
      ? [`${formatNumberOf(ended, 'piece')} will not be shipped and ${areOrIs(ended)} not counted.`]
      : []),
  ]
}
