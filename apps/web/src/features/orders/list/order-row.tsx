import type { Order } from '@pegasus/contracts/orders/orders'
import { Link } from 'react-router'
import type { Column } from '@/components/data-table.tsx'
import { StatusBadge } from '@/components/ui/display/badge.tsx'
import { formatAgo, formatDateTime, formatMoneyIn, formatSoon } from '@/lib/format/format.ts'
import { isPrintedLate, orderStock } from '../order-page/line-stock.ts'
import { OrderLink } from './order-link.tsx'
import { OrderPictures } from './order-pictures.tsx'
import { t } from '@/lib/i18n/messages.ts'
import { STATUS_LABELS } from '@/lib/i18n/statuses.ts'

/** Describes the content of an order: `5 pieces of 2 items`, `No lines`. */
const contentOf = ({ items }: Order): string => {
  if (items.length === 0) return t('No lines')
  const pieces = items.reduce((sum, { quantity }) => sum + quantity, 0)
  return t(
    '{pieces, plural, one {# piece} other {# pieces}} of {items, plural, one {# item} other {# items}}',
    { pieces, items: items.length },
  )
}

export const orderColumns = (addressOf: (id: string) => string, nowMs: number): readonly Column<Order>[] => [
  {
    id: 'order',
    head: t('Order'),
    track: 'minmax(228px,1.3fr)',
    value: (order) => order.order_number,
    cell: (order) => (
      <div className="flex items-center gap-3">
        <span className="w-[84px] shrink-0">
          <OrderPictures order={order} size="size-12" />
        </span>
        <div className="min-w-0">
          <OrderLink order={order} to={addressOf(order.id)} />
          <span className="block truncate text-caption text-ink-3">{contentOf(order)}</span>
        </div>
      </div>
    ),
  },
  {
    id: 'customer',
    head: t('Customer'),
    track: 'minmax(0,1.6fr)',
    value: (order) => order.customer_name,
    cell: (order) => (
      <bdi className="block truncate" title={order.customer_name}>
        {order.customer_name}
      </bdi>
    ),
  },
  {
    id: 'status',
    head: t('Status'),
    track: '112px',
    value: ({ status }) => STATUS_LABELS[status],
    cell: (order) => <StatusBadge status={order.status} />,
  },
  {
    id: 'stock',
    head: t('Stock'),
    track: 'minmax(104px,0.6fr)',
    from: 840,
    value: (order) => orderStock(order)?.text ?? null,
    cell: (order) => <StockNote order={order} />,
  },
  {
    id: 'placed',
    head: t('Placed'),
    track: 'minmax(120px,0.7fr)',
    from: 980,
    value: (order) => order.placed_at,
    cell: (order) => (
      <span className="block truncate text-label text-ink-2" title={formatDateTime(order.placed_at)}>
        {formatAgo(order.placed_at, nowMs)}
      </span>
    ),
  },
  {
    id: 'total',
    head: t('Total'),
    track: '120px',
    from: 680,
    isNumber: true,
    value: (order) => order.total_amount,
    cell: (order) => (
      <span className="font-semibold wrap-anywhere">{formatMoneyIn(order.total_amount, order.currency)}</span>
    ),
  },
]

/**
 * Shows whether the stock covers the order, and when its prints are expected to end. Renders nothing for a
 * finished order.
 */
function StockNote({ order }: { order: Order }) {
  const stock = orderStock(order)
  if (!stock) return null
  const { expected_end: end } = order
  return (
    <>
      <span className={`block truncate text-label ${stock.isShort ? 'text-yellow-ink' : 'text-ink-3'}`}>
        {stock.text}
      </span>
      {end === null ? null : (
        <span
          className={`block truncate text-caption phone:hidden ${isPrintedLate(order) ? 'text-red-ink' : 'text-ink-3'}`}
          title={
            isPrintedLate(order)
              ? t('Printed {end}, after the due date', { end: formatDateTime(end) })
              : t('Printed {end}', { end: formatDateTime(end) })
          }
        >
          {isPrintedLate(order)
            ? t('printed {end}, late', { end: formatSoon(end) })
            : t('printed {end}', { end: formatSoon(end) })}
        </span>
      )}
    </>
  )
}

interface OrderRowProps {
  order: Order
  to: string
  nowMs: number
  /** Whether all rows belong to one customer, so that the number identifies the order. */
  isOfCustomer?: boolean
}

/** An order in the list on a phone. */
export const OrderRow = ({ order, to, nowMs, isOfCustomer = false }: OrderRowProps) => (
  <Link to={to} className="flex items-center gap-3 px-4 py-3 -outline-offset-2">
    <OrderPictures order={order} size="size-14" max={1} />
    <span className="min-w-0 flex-1">
      {isOfCustomer ? null : (
        <bdi className="block truncate font-medium" title={order.customer_name}>
          {order.customer_name}
        </bdi>
      )}
      <span className={`block truncate code ${isOfCustomer ? 'font-medium' : 'text-caption text-ink-3'}`}>
        {order.order_number}
      </span>
      <span className="block truncate text-caption text-ink-3">
        {order.is_overdue ? (
          <span className="font-medium text-red-ink">{t('Overdue')}</span>
        ) : (
          formatAgo(order.placed_at, nowMs)
        )}{' '}
        · {contentOf(order)}
      </span>
    </span>
    <span className="flex flex-col items-end gap-1">
      <span className="font-semibold whitespace-nowrap">
        {formatMoneyIn(order.total_amount, order.currency)}
      </span>
      <StatusBadge status={order.status} />
      <StockNote order={order} />
    </span>
  </Link>
)
