import type { Order } from '@pegasus/contracts/orders/orders'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { Button } from '@/components/ui/actions/button.tsx'
import { StatusBadge } from '@/components/ui/display/badge.tsx'
import { Card } from '@/components/ui/display/card.tsx'
import { useIsPhone } from '@/lib/browser/use-is-phone.ts'
import { formatDue } from '@/lib/format/format.ts'
import { orderStock } from '../order-page/line-stock.ts'
import { dueOrdersQuery, overdueCountQuery } from '../orders.queries.ts'
import { t } from '@/lib/i18n/messages.ts'

const SHOWN = 3

interface DueOrdersProps {
  /** Address of the list of all due orders. */
  listAddress: string
  addressOf: (id: string) => string
  nowMs: number
}

/**
 * Shows the orders that must leave today, overdue orders first: in a card, or on a phone as a link for the line with the
 * count. Renders nothing if no order is due.
 */
export function DueOrders({ listAddress, addressOf, nowMs }: DueOrdersProps) {
  const { data } = useQuery(dueOrdersQuery())
  const orders = data?.items ?? []
  const total = data?.total ?? 0
  const isOverdueOnly = total > orders.length && orders.every((order) => order.is_overdue)
  const { data: counted } = useQuery({ ...overdueCountQuery(), enabled: isOverdueOnly })
  const [isOpen, setIsOpen] = useState(false)
  const isPhone = useIsPhone()
  if (orders.length === 0) return null
  // The server sends the most overdue orders first. The loaded orders therefore contain all overdue orders, unless all
  // loaded orders are overdue.
  const loaded = orders.filter((order) => order.is_overdue).length
  const overdue = isOverdueOnly ? Math.max(loaded, counted?.total ?? 0) : loaded
  const summary = [
    overdue > 0 ? t('{overdue} overdue', { overdue }) : null,
    total > overdue ? t('{orders} due today', { orders: total - overdue }) : null,
  ].filter(Boolean)
  if (isPhone)
    return (
      <>
        {' · '}
        <Link to={listAddress} className={`link font-semibold ${overdue > 0 ? 'text-red-ink' : ''}`}>
          {summary.join(', ')}
        </Link>
      </>
    )
  const rest = total - orders.length
  const shown = isOpen ? orders : orders.slice(0, SHOWN)
  return (
    <Card title={t('To ship today')} aside={summary.join(', ')} className="mb-3">
      <ul className="divide-y divide-line">
        {shown.map((order) => (
          <DueOrder key={order.id} order={order} to={addressOf(order.id)} nowMs={nowMs} />
        ))}
      </ul>
      {orders.length > shown.length ? (
        <div className="border-t border-line px-2 py-1">
          <Button variant="ghost" size="sm" onClick={() => setIsOpen(true)}>
            {t('Show {orders, plural, one {# more order} other {# more orders}}', {
              orders: orders.length - shown.length,
            })}
          </Button>
        </div>
      ) : rest > 0 ? (
        <div className="border-t border-line px-4 py-2">
          <Link to={listAddress} className="text-label text-accent-ink hover:underline">
            {t('Show all {total, plural, one {# order} other {# orders}}', { total })}
          </Link>
        </div>
      ) : null}
    </Card>
  )
}

function DueOrder({ order, to, nowMs }: { order: Order; to: string; nowMs: number }) {
  const stock = orderStock(order)
  return (
    <li className="relative flex min-h-11 items-center gap-3 px-4 py-2">
      <span className="min-w-0 flex-1">
        <Link
          to={to}
          className="block truncate font-medium code after:absolute after:inset-0 hover:underline"
        >
          {order.order_number}
        </Link>
        <bdi className="block truncate text-label text-ink-2" title={order.customer_name}>
          {order.customer_name}
        </bdi>
      </span>
      {stock ? (
        <span className={`text-label phone:hidden ${stock.isShort ? 'text-yellow-ink' : 'text-ink-3'}`}>
          {stock.text}
        </span>
      ) : null}
      {order.is_overdue ? (
        <StatusBadge status="overdue" tone="red">
          {t('Overdue')}
        </StatusBadge>
      ) : null}
      <span className="text-label whitespace-nowrap text-ink-2">
        {order.due_at ? formatDue(order.due_at, nowMs) : null}
      </span>
    </li>
  )
}
