import type { Order } from '@pegasus/contracts/orders/orders'
import { isEmployeeOrHigher } from '@pegasus/contracts/roles'
import { useQuery } from '@tanstack/react-query'
import { formatMoney, formatNumberOf } from '@/lib/format/format.ts'
import { useCurrentUser } from '@/lib/session/session.ts'
import { orderEarningsQuery } from '../orders.queries.ts'

/**
 * Shows what an order earned, after fees, shipping and the cost of its pieces. Renders nothing before the first
 * shipment.
 */
export function OrderEarnings({ order }: { order: Order }) {
  const canSee = isEmployeeOrHigher(useCurrentUser().role) && order.shipments.length > 0
  const { data } = useQuery({ ...orderEarningsQuery(order.id), enabled: canSee })
  if (!canSee || !data) return null
  const { tax, shipping, fees, cost, margin, pieces_without_cost: unknown } = data
  const taken = [
    [tax, 'tax'],
    [shipping, 'shipping'],
    [fees, 'fees'],
    [cost, 'cost of the pieces'],
  ] as const
  const deductions = taken
    .filter(([amount]) => amount > 0)
    .map(([amount, name]) => `${formatMoney(amount)} ${name}`)
  return (
    <div className="border-t border-line px-4 py-3">
      <dl className="flex justify-between font-semibold">
        <dt>Margin</dt>
        <dd>{margin === null ? 'Not known yet' : formatMoney(margin)}</dd>
      </dl>
      <p className="text-caption text-ink-3">
        {margin === null
          ? `${formatNumberOf(unknown, 'piece')} ${unknown === 1 ? 'is' : 'are'} not shipped, or without a known cost.`
          : `${formatMoney(data.total)} total${deductions.map((part) => ` − ${part}`).join('')}`}
      </p>
    </div>
  )
}
