import type { InventoryItem } from '@pegasus/contracts/inventory/items'
import { type Order, pieceLines } from '@pegasus/contracts/orders/orders'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { CardState } from '@/components/card-state.tsx'
import { StatusBadge } from '@/components/ui/display/badge.tsx'
import { Card } from '@/components/ui/display/card.tsx'
import { formatCount, formatDate, formatTotal } from '@/lib/format/format.ts'
import { ordersOfItemQuery } from '../inventory.queries.ts'
import { t } from '@/lib/i18n/messages.ts'

interface OrdersCardProps {
  item: InventoryItem
  orderAddress: (id: string) => string
}

/** The orders that contain an item, newest first. */
export function OrdersCard({ item, orderAddress }: OrdersCardProps) {
  const orders = useQuery(ordersOfItemQuery(item.id))
  const { items = [], total = 0, isTotalCapped = false } = orders.data ?? {}
  return (
    <Card
      title={t('In orders')}
      aside={
        total > 0
          ? t('{total} {total2, plural, one {order} other {orders}}', {
              total: formatTotal({ total, isTotalCapped }),
              total2: total,
            })
          : null
      }
    >
      <CardState
        error={t('The orders could not be loaded.')}
        loading={t('The orders: loading')}
        query={orders}
      />
      {orders.data && items.length === 0 ? (
        <p className="px-4 py-3 text-ink-3">{t('No orders contain this item.')}</p>
      ) : null}
      <ul className="max-h-96 divide-y divide-line overflow-y-auto">
        {items.map((order) => (
          <OrderOfItem key={order.id} order={order} itemId={item.id} to={orderAddress(order.id)} />
        ))}
      </ul>
      {total > items.length ? (
        <p className="border-t border-line px-4 py-2.5 text-caption text-ink-3">
          {t('The latest {items} are shown.', { items: formatCount(items.length) })}
        </p>
      ) : null}
    </Card>
  )
}

function OrderOfItem({ order, itemId, to }: { order: Order; itemId: string; to: string }) {
  const lines = pieceLines(order.items).filter((line) => line.inventory_item_id === itemId)
  const pieces = lines.reduce((sum, { quantity }) => sum + quantity, 0)
  const missing = lines.reduce((sum, line) => sum + line.missing_quantity, 0)
  return (
    <li className="relative flex min-h-14 items-center gap-3 px-4 py-2 hover:bg-hover">
      <div className="min-w-0 flex-1">
        <Link to={to} className="block truncate font-medium after:absolute after:inset-0">
          <bdi className="block truncate">{order.order_number}</bdi>
        </Link>
        <p className="truncate text-caption text-ink-3">
          <bdi>{order.customer_name}</bdi> · {formatDate(order.placed_at)}
        </p>
      </div>
      <span className="shrink-0 text-end">
        {t('{pieces, plural, one {# piece} other {# pieces}}', { pieces })}
        {missing > 0 ? (
          <span className="block text-caption text-ink-3">
            {t('{missing} missing', { missing: formatCount(missing) })}
          </span>
        ) : null}
      </span>
      <StatusBadge status={order.status} />
    </li>
  )
}
