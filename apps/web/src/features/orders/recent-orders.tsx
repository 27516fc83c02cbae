import type { Order } from '@pegasus/contracts/orders'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { StatusBadge } from '@/components/ui/display/badge.tsx'
import { Card } from '@/components/ui/display/card.tsx'
import { ErrorState } from '@/components/ui/feedback/error-state.tsx'
import { Skeleton, SkeletonGroup } from '@/components/ui/feedback/skeleton.tsx'
import { formatAgo, formatDateTime, formatMoney } from '@/lib/format/format.ts'
import { useNow } from '@/lib/browser/use-now.ts'
import { OrderPictures } from './order-pictures.tsx'
import { recentOrdersQuery } from './orders.queries.ts'

const SHOWN = 5
const ROW =
  'grid min-h-[54px] grid-cols-[64px_minmax(0,1fr)_104px_84px] items-center gap-3 px-4 phone:min-h-[68px] phone:grid-cols-[auto_minmax(0,1fr)_auto] phone:px-3.5'
/** As high as five rows, so that nothing below moves when they come. */
const HEIGHT = 'min-h-[274px] phone:min-h-[344px]'
const LIST = `${HEIGHT} divide-y divide-line`

interface RecentOrdersProps {
  ordersAddress: string
  orderAddress: (id: string) => string
}

export function RecentOrders({ ordersAddress, orderAddress }: RecentOrdersProps) {
  const { data, isPending, isError, error, refetch, isFetching } = useQuery(recentOrdersQuery(SHOWN))
  return (
    <Card
      title="Recent Orders"
      aside={
        <Link to={ordersAddress} className="link">
          All orders
        </Link>
      }
    >
      {isPending ? <Loading /> : null}
      {isError ? (
        <ErrorState
          message={
            data ? 'The recent orders could not be refreshed.' : 'The recent orders could not be loaded.'
          }
          detail={error.message}
          onRetry={() => void refetch()}
          isRetrying={isFetching}
          className="m-4"
        />
      ) : null}
      {data?.items.length === 0 ? (
        <div className={`${HEIGHT} grid place-content-center p-4 text-center`}>
          <p className="font-medium">No orders yet</p>
          <p className="mt-0.5 max-w-[44ch] text-label text-ink-3">
            The latest orders of the main site stand here, with what was bought and where they are.
          </p>
        </div>
      ) : null}
      {data && data.items.length > 0 ? (
        <ul className={LIST}>
          {data.items.map((order) => (
            <RecentOrder key={order.id} order={order} address={orderAddress(order.id)} />
          ))}
        </ul>
      ) : null}
    </Card>
  )
}

function RecentOrder({ order, address }: { order: Order; address: string }) {
  const nowMs = useNow()
  const status = <StatusBadge status={order.status} />
  const total = <span className="font-semibold whitespace-nowrap">{formatMoney(order.total_amount)}</span>
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
          <bdi className="block truncate text-left font-medium" title={order.customer_name}>
            {order.customer_name}
          </bdi>
          <span className="block truncate text-caption text-ink-3" title={formatDateTime(order.placed_at)}>
            <span className="code">{order.order_number}</span> · {formatAgo(order.placed_at, nowMs)}
          </span>
        </span>
        <span className="phone:hidden">{status}</span>
        <span className="text-right phone:hidden">{total}</span>
        <span className="flex flex-col items-end gap-1 sm:hidden">
          {total}
          {status}
        </span>
      </Link>
    </li>
  )
}

const Loading = () => (
  <SkeletonGroup label="Loading the recent orders" className={LIST}>
    {Array.from({ length: SHOWN }, (_, index) => (
      <div key={index} className={ROW}>
        <Skeleton className="size-10 rounded-control! phone:size-12" />
        <span>
          <Skeleton className="h-3 w-3/5" />
          <Skeleton className="mt-2 h-2.5 w-2/5" />
        </span>
        <Skeleton className="h-5 w-20" />
        <Skeleton className="ml-auto h-3 w-14 phone:hidden" />
      </div>
    ))}
  </SkeletonGroup>
)
