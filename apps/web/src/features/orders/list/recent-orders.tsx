import type { Order } from '@pegasus/contracts/orders/orders'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { SummaryCard, SummaryRowSkeleton } from '@/components/kit/summary-card.tsx'
import { StatusBadge } from '@/components/ui/display/badge.tsx'
import { Skeleton } from '@/components/ui/feedback/skeleton.tsx'
import { formatAgo, formatDateTime, formatMoneyIn } from '@/lib/format/format.ts'
import { useNow } from '@/lib/browser/use-now.ts'
import { OrderPictures } from './order-pictures.tsx'
import { recentOrdersQuery } from '../orders.queries.ts'
import { t } from '@/lib/i18n/messages.ts'

const SHOWN = 5
const ROW =
  'grid min-h-[54px] grid-cols-[64px_minmax(0,1fr)_104px_minmax(84px,auto)] items-center gap-3 px-4 phone:min-h-[68px] phone:grid-cols-[auto_minmax(0,1fr)_auto] phone:px-3.5'
interface RecentOrdersProps {
  ordersAddress: string
  orderAddress: (id: string) => string
}

export const RecentOrders = ({ ordersAddress, orderAddress }: RecentOrdersProps) => (
  <SummaryCard
    title={t('Recent Orders')}
    link={{ to: ordersAddress, label: t('All orders') }}
    query={useQuery(recentOrdersQuery(SHOWN))}
    name={t('recent orders')}
    count={SHOWN}
    heightClass="min-h-[274px] phone:min-h-[344px]"
    skeletonRow={SKELETON_ROW}
    empty={{
      title: t('No orders yet'),
      text: t('Recent shop orders appear here, with their lines and status.'),
    }}
  >
    {(order) => <RecentOrder key={order.id} order={order} address={orderAddress(order.id)} />}
  </SummaryCard>
)

function RecentOrder({ order, address }: { order: Order; address: string }) {
  const nowMs = useNow()
  const status = <StatusBadge status={order.status} />
  const total = (
    <span className="font-semibold whitespace-nowrap">
      {formatMoneyIn(order.total_amount, order.currency)}
    </span>
  )
  return (
    <li>
      <Link to={address} className={`${ROW} -outline-offset-2 hover:bg-hover`}>
        <span className="phone:hidden">
          <OrderPictures order={order} size="size-10" />
        </span>
        <span className="sm:hidden">
          <OrderPictures order={order} size="size-12" max={1} />
        </span>
        <span className="min-w-0">
          <bdi className="block truncate font-medium" title={order.customer_name}>
            {order.customer_name}
          </bdi>
          <span className="block truncate text-caption text-ink-3" title={formatDateTime(order.placed_at)}>
            <span className="code">{order.order_number}</span> · {formatAgo(order.placed_at, nowMs)}
          </span>
        </span>
        <span className="phone:hidden">{status}</span>
        <span className="text-end phone:hidden">{total}</span>
        <span className="flex flex-col items-end gap-1 sm:hidden">
          {total}
          {status}
        </span>
      </Link>
    </li>
  )
}

const SKELETON_ROW = (
  <SummaryRowSkeleton className={ROW} pictureClass="size-10 phone:size-12">
    <Skeleton className="h-5 w-20" />
    <Skeleton className="ms-auto h-3 w-14 phone:hidden" />
  </SummaryRowSkeleton>
)
