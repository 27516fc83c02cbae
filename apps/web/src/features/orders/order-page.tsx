import type { Order } from '@pegasus/contracts/orders'
import { useQuery } from '@tanstack/react-query'
import { ArrowLeft, SearchX } from 'lucide-react'
import { Link } from 'react-router'
import { StatusBadge } from '@/components/ui/badge.tsx'
import { buttonClass } from '@/components/ui/button.tsx'
import { Card } from '@/components/ui/card.tsx'
import { EmptyState } from '@/components/ui/empty-state.tsx'
import { ErrorState } from '@/components/ui/error-state.tsx'
import { PartPicture } from '@/components/ui/part-picture.tsx'
import { Skeleton, SkeletonGroup } from '@/components/ui/skeleton.tsx'
import { ApiError } from '@/lib/api-error.ts'
import { formatCount, formatDateTime, formatMoney } from '@/lib/format.ts'
import { MainSiteOrders } from './main-site-orders.tsx'
import { orderQuery } from './orders.queries.ts'

/** A UUID that does not exist and a text that is none are both not there. */
const isMissing = (error: unknown): boolean => error instanceof ApiError && error.status === 404

/** One order with its lines against the stock. */
export function OrderPage({ id, backTo }: { id: string; backTo: string }) {
  const { data: order, isPending, isError, error, refetch, isFetching } = useQuery(orderQuery(id))
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
      {order ? <Details order={order} /> : null}
    </>
  )
}

const Details = ({ order }: { order: Order }) => (
  <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_372px]">
    <Card title="Lines" aside={order.items.length > 0 ? formatCount(order.items.length) : null}>
      {order.items.length === 0 ? (
        <p className="p-4 text-ink-2">This order came without lines.</p>
      ) : (
        <ul className="divide-y divide-line">
          {order.items.map((line) => (
            <Line key={line.id} line={line} />
          ))}
        </ul>
      )}
      <p className="flex justify-between border-t border-line px-4 py-3 font-semibold">
        Total <span>{formatMoney(order.total_amount)}</span>
      </p>
    </Card>
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
  </div>
)

const SOURCES: Readonly<Record<string, string>> = {
  main_site: 'Main site',
  integration: 'Integration',
  manual: 'Entered by hand',
}

function Line({ line }: { line: Order['items'][number] }) {
  const { sku, name, quantity, unit_price, inventory_item_id, available_quantity } = line
  return (
    <li className="flex min-h-[68px] items-center gap-3 px-4 py-1.5">
      <PartPicture src={line.stl_thumbnail_path} tint={line.color_hex} className="size-14" />
      <div className="min-w-0 flex-1">
        <bdi className="line-clamp-2 text-left font-medium" title={name}>
          {name || sku}
        </bdi>
        <span className="block truncate text-caption text-ink-3">
          {sku ? <span className="code">{sku} · </span> : null}
          {formatMoney(unit_price)} each
        </span>
        <Stock isKnown={inventory_item_id !== null} available={available_quantity} needed={quantity} />
      </div>
      <span className="text-ink-2">× {formatCount(quantity)}</span>
      <span className="min-w-20 text-right font-semibold">{formatMoney(quantity * unit_price)}</span>
    </li>
  )
}

/** Whether the line can be filled from what is free. */
function Stock({
  isKnown,
  available,
  needed,
}: {
  isKnown: boolean
  available: number | null
  needed: number
}) {
  if (!isKnown)
    return <span className="block truncate text-caption text-yellow-ink">No inventory item has this SKU</span>
  if (available === null) return null
  return (
    <span className={`block truncate text-caption ${available < needed ? 'text-yellow-ink' : 'text-ink-3'}`}>
      {formatCount(available)} free in stock
    </span>
  )
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
