import type { Order } from '@pegasus/contracts/orders/orders'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { StatusBadge } from '@/components/ui/display/badge.tsx'
import { Card } from '@/components/ui/display/card.tsx'
import { formatDate, formatMoneyIn } from '@/lib/format/format.ts'
import { OrderLink } from '../list/order-link.tsx'
import { OrderPictures } from '../list/order-pictures.tsx'
import { customerAddress, orderAddress } from '../orders-address.ts'
import { customerOrdersQuery } from '../orders.queries.ts'
import { t } from '@/lib/i18n/messages.ts'

const SHOWN = 5

/** Lists the latest other orders of the same customer. Renders nothing if there are none. */
export function CustomerOrdersCard({ order }: { order: Order }) {
  const { data } = useQuery({
    // Request one more than is shown, because the order itself is left out.
    ...customerOrdersQuery(order.customer_name, SHOWN + 1),
    enabled: order.customer_name !== '',
  })
  const others = (data?.items ?? []).filter(({ id }) => id !== order.id)
  if (others.length === 0) return null
  return (
    <Card
      title={t('Other orders of this customer')}
      aside={
        <Link to={customerAddress(order.customer_name)} className="link">
          {t('All orders')}
        </Link>
      }
    >
      <ul className="divide-y divide-line">
        {others.slice(0, SHOWN).map((other) => (
          <li key={other.id} className="relative flex min-h-14 items-center gap-3 px-4 py-1.5 hover:bg-hover">
            <OrderPictures order={other} size="size-10" max={1} />
            <div className="min-w-0 flex-1">
              <OrderLink order={other} to={orderAddress(other.id)} />
              <p className="text-caption text-ink-3">{formatDate(other.placed_at)}</p>
            </div>
            {/* On a phone, the amount is above the status, so that the whole number of the order has room. */}
            <div className="flex items-center gap-3 phone:flex-col-reverse phone:items-end phone:gap-1">
              <StatusBadge status={other.status} />
              <span className="min-w-20 text-end font-semibold">
                {formatMoneyIn(other.total_amount, other.currency)}
              </span>
            </div>
          </li>
        ))}
      </ul>
    </Card>
  )
}
