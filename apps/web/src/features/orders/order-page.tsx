import type { Order } from '@pegasus/contracts/orders/orders'
import { useQuery } from '@tanstack/react-query'
import { Detail, DetailList } from '@/components/kit/detail-list.tsx'
import { EntityColumns, EntityPage, SkeletonCard } from '@/components/kit/entity-page.tsx'
import { StatusBadge } from '@/components/ui/display/badge.tsx'
import { Card } from '@/components/ui/display/card.tsx'
import { formatDateTime } from '@/lib/format/format.ts'
import { MainSiteOrders } from './main-site-orders.tsx'
import { OrderLines } from './order-lines.tsx'
import { orderQuery } from './orders.queries.ts'

export interface OrderPageProps {
  id: string
  /** The address of the list with its filters. */
  backTo: string
  itemAddress: (id: string) => string
  /** Opens the dialog that queues a print. */
  printAddress: (of: { itemId: string; quantity: number; orderId: string }) => string
}

/** One order with its lines, compared with the stock. */
export const OrderPage = ({ id, backTo, itemAddress, printAddress }: OrderPageProps) => (
  <EntityPage
    query={useQuery(orderQuery(id))}
    one="order"
    back={{ to: backTo, label: 'Orders' }}
    tabTitle={(order) => order.order_number}
    title={(order) => <span className="code">{order.order_number}</span>}
    badges={(order) => <StatusBadge status={order.status} />}
    actions={() => <MainSiteOrders />}
    notFound={{
      title: 'Order not found',
      text: 'There is no order at this address. It may have been removed.',
      backLabel: 'All orders',
    }}
    skeleton={
      <EntityColumns>
        <SkeletonCard lines={3} lineHeight="h-14" />
        <SkeletonCard lines={3} />
      </EntityColumns>
    }
  >
    {(order) => (
      <EntityColumns>
        <OrderLines order={order} itemAddress={itemAddress} printAddress={printAddress} />
        <Facts order={order} />
      </EntityColumns>
    )}
  </EntityPage>
)

const Facts = ({ order }: { order: Order }) => (
  <Card title="Order">
    <DetailList>
      <Detail name="Customer">{order.customer_name}</Detail>
      <Detail name="Placed">{formatDateTime(order.placed_at)}</Detail>
      <Detail name="Due">{order.due_at && formatDateTime(order.due_at)}</Detail>
      <Detail name="From">{SOURCES[order.source] ?? order.source}</Detail>
      <Detail name="Shop order number">
        {order.external_id && <span className="code">{order.external_id}</span>}
      </Detail>
      <Detail name="Notes">{order.notes}</Detail>
    </DetailList>
  </Card>
)

const SOURCES: Readonly<Record<string, string>> = {
  main_site: 'Main site',
  integration: 'Integration',
  manual: 'Entered by hand',
}
