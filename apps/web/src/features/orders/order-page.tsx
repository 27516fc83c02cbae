import type { Order } from '@pegasus/contracts/orders'
import { useQuery } from '@tanstack/react-query'
import { ArrowLeft, SearchX } from 'lucide-react'
import { Link } from 'react-router'
import { StatusBadge } from '@/components/ui/display/badge.tsx'
import { buttonClass } from '@/components/ui/actions/button.tsx'
import { Card } from '@/components/ui/display/card.tsx'
import { EmptyState } from '@/components/ui/feedback/empty-state.tsx'
import { ErrorState } from '@/components/ui/feedback/error-state.tsx'
import { Skeleton, SkeletonGroup } from '@/components/ui/feedback/skeleton.tsx'
import { ApiError } from '@/lib/http/api-error.ts'
import { formatDateTime } from '@/lib/format/format.ts'
import { usePageTitle } from '@/lib/format/page-title.ts'
import { MainSiteOrders } from './main-site-orders.tsx'
import { OrderLines } from './order-lines.tsx'
import { orderQuery } from './orders.queries.ts'

/** A UUID that does not exist and a text that is none are both not there. */
const isMissing = (error: unknown): boolean => error instanceof ApiError && error.status === 404

export interface OrderPageProps {
  id: string
  /** The list as it was left. */
  backTo: string
  itemAddress: (id: string) => string
  /** Opens the dialog that queues a print. */
  printAddress: (of: { itemId: string; quantity: number; orderId: string }) => string
}

/** One order with its lines against the stock. */
export function OrderPage({ id, backTo, itemAddress, printAddress }: OrderPageProps) {
  const { data: order, isPending, isError, error, refetch, isFetching } = useQuery(orderQuery(id))
  usePageTitle(order?.order_number)
  return (
    <>
      <div className="mb-3.5 flex flex-wrap items-center gap-2">
        <Link to={backTo} className={`${buttonClass({ variant: 'ghost', size: 'sm' })} -ml-2`}>
          <ArrowLeft size={16} strokeWidth={1.75} aria-hidden />
          Orders
        </Link>
        {order ? (
          <>
            <h1 className="text-page font-[620] code">{order.order_number}</h1>
            <StatusBadge status={order.status} />
            <div className="ml-auto">
              <MainSiteOrders />
            </div>
          </>
        ) : null}
      </div>
      {isPending ? <Loading /> : null}
      {isError && isMissing(error) ? (
        <Card className="p-4">
          <EmptyState
            icon={<SearchX size={24} strokeWidth={1.6} aria-hidden />}
            title="Order not found"
            titleLevel={1}
            actions={
              <Link to={backTo} className={buttonClass()}>
                All orders
              </Link>
            }
          >
            There is no order at this address. It may have been removed.
          </EmptyState>
        </Card>
      ) : null}
      {isError && !isMissing(error) ? (
        <ErrorState
          message={order ? 'The order could not be refreshed.' : 'The order could not be loaded.'}
          detail={error.message}
          onRetry={() => void refetch()}
          isRetrying={isFetching}
          className="mb-4"
        />
      ) : null}
      {order ? (
        <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_372px]">
          <OrderLines order={order} itemAddress={itemAddress} printAddress={printAddress} />
          <Facts order={order} />
        </div>
      ) : null}
    </>
  )
}

const Facts = ({ order }: { order: Order }) => (
  <Card title="Order">
    <dl className="divide-y divide-line px-4">
      <Fact name="Customer">
        <bdi>{order.customer_name}</bdi>
      </Fact>
      <Fact name="Placed">{formatDateTime(order.placed_at)}</Fact>
      {order.due_at ? <Fact name="Due">{formatDateTime(order.due_at)}</Fact> : null}
      <Fact name="From">{SOURCES[order.source] ?? order.source}</Fact>
      {order.external_id ? (
        <Fact name="Number there">
          <span className="code">{order.external_id}</span>
        </Fact>
      ) : null}
      {order.notes ? (
        <Fact name="Notes">
          <bdi className="whitespace-pre-line">{order.notes}</bdi>
        </Fact>
      ) : null}
    </dl>
  </Card>
)

const SOURCES: Readonly<Record<string, string>> = {
  main_site: 'Main site',
  integration: 'Integration',
  manual: 'Entered by hand',
}

const Fact = ({ name, children }: { name: string; children: React.ReactNode }) => (
  <div className="flex gap-4 py-2.5">
    <dt className="w-28 shrink-0 text-ink-3">{name}</dt>
    <dd className="min-w-0 flex-1 wrap-anywhere">{children}</dd>
  </div>
)

const Loading = () => (
  <SkeletonGroup label="Loading the order" className="grid gap-4 lg:grid-cols-[minmax(0,1fr)_372px]">
    <div className="rounded-card border border-line bg-surface p-4">
      {Array.from({ length: 3 }, (_, index) => (
        <div key={index} className="flex items-center gap-3 py-1.5">
          <Skeleton className="size-14 rounded-control!" />
          <Skeleton className="h-3 w-2/5" />
          <Skeleton className="ml-auto h-3 w-16" />
        </div>
      ))}
    </div>
    <div className="rounded-card border border-line bg-surface p-4">
      <Skeleton className="h-3 w-2/3" />
      <Skeleton className="mt-4 h-3 w-1/2" />
      <Skeleton className="mt-4 h-3 w-3/5" />
    </div>
  </SkeletonGroup>
)
