import type { Order } from '@pegasus/contracts/orders/orders'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { Button } from '@/components/ui/actions/button.tsx'
import { StatusBadge } from '@/components/ui/display/badge.tsx'
import { Card } from '@/components/ui/display/card.tsx'
import { formatDue, formatNumberOf } from '@/lib/format/format.ts'
import { orderStock } from '../order-page/line-stock.ts'
import { dueOrdersQuery } from '../orders.queries.ts'

const SHOWN = 3

interface DueOrdersProps {
  addressOf: (id: string) => string
  nowMs: number
}

/** What must leave today, overdue orders first. Nothing while no order is due. */
export function DueOrders({ addressOf, nowMs }: DueOrdersProps) {
  const { data: orders } = useQuery(dueOrdersQuery())
  const [isOpen, setIsOpen] = useState(false)
  if (!orders || orders.length === 0) return null
  const overdue = orders.filter((order) => order.is_overdue).length
  const told = [
    overdue > 0 ? `${overdue} overdue` : null,
    orders.length > overdue ? `${orders.length - overdue} due today` : null,
  ].filter(Boolean)
  const shown = isOpen ? orders : orders.slice(0, SHOWN)
  return (
    <Card title="To ship today" aside={told.join(', ')} className="mb-3">
      <ul className="divide-y divide-line">
        {shown.map((order) => (
          <DueOrder key={order.id} order={order} to={addressOf(order.id)} nowMs={nowMs} />
        ))}
      </ul>
      {orders.length > shown.length ? (
        <div className="border-t border-line px-2 py-1">
          <Button variant="ghost" size="sm" onClick={() => setIsOpen(true)}>
            Show {formatNumberOf(orders.length - shown.length, 'more order')}
          </Button>
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
        <bdi className="block truncate text-left text-label text-ink-2" title={order.customer_name}>
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
          Overdue
        </StatusBadge>
      ) : null}
      <span className="text-label whitespace-nowrap text-ink-2">
        {order.due_at ? formatDue(order.due_at, nowMs) : null}
      </span>
    </li>
  )
}
