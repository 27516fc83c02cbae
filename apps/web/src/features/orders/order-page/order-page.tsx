import { isEmployeeOrHigher } from '@pegasus/contracts/roles'
import type { Order } from '@pegasus/contracts/orders/orders'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from 'react-router'
import { ProductionCard } from '@/components/production/production-card.tsx'
import { useOrderProduction } from '@/components/production/production.queries.ts'
import { Detail, DetailList } from '@/components/kit/detail-list.tsx'
import { EntityColumns, EntityPage, SkeletonCard } from '@/components/kit/entity-page.tsx'
import { StatusBadge } from '@/components/ui/display/badge.tsx'
import { Card } from '@/components/ui/display/card.tsx'
import { useNow } from '@/lib/browser/use-now.ts'
import { useShortcuts } from '@/lib/browser/use-shortcuts.ts'
import { formatDateTime, formatExpected } from '@/lib/format/format.ts'
import { useCurrentUser } from '@/lib/session/session.ts'
import { MainSiteOrders } from '../list/main-site-orders.tsx'
import { Address } from './address.tsx'
import { CustomerOrdersCard } from './customer-orders-card.tsx'
import { OrderActions } from './order-actions.tsx'
import { HistoryNote } from './history-note.tsx'
import { hasNextStep } from './next-step.ts'
import { OrderHistory } from './order-history.tsx'
import { isPrintedLate } from './line-stock.ts'
import { OrderLines } from './order-lines.tsx'
import { customerAddress, type OrderAddresses } from '../orders-address.ts'
import { sourceText } from '../order-sources.ts'
import { orderQuery } from '../orders.queries.ts'
import { PlanCard } from './plan/plan-card.tsx'
import { ShipmentsCard } from './shipments/shipments-card.tsx'
import { ShopProblem } from './shop-problem.tsx'
import { WaitingJobs } from './waiting-jobs.tsx'
import { t } from '@/lib/i18n/messages.ts'

interface OrderPageProps {
  id: string
  /** The page to go back to: the list with its filters, or the customer's page. */
  back: { to: string; name: string }
  addresses: OrderAddresses
}

/** The page of an order, in which each line is compared with the stock. */
export function OrderPage({ id, back, addresses }: OrderPageProps) {
  const production = useOrderProduction(id)
  const canChange = isEmployeeOrHigher(useCurrentUser().role)
  const navigate = useNavigate()
  useShortcuts({ Escape: () => void navigate(back.to) })
  return (
    <EntityPage
      query={useQuery(orderQuery(id))}
      list={{ ...back, one: 'order' }}
      name={(order) => order.order_number}
      title={(order) => <span className="code">{order.order_number}</span>}
      badges={(order) => (
        <>
          <StatusBadge status={order.status} />
          {order.is_overdue ? (
            <StatusBadge status="overdue" tone="red">
              {t('Overdue')}
            </StatusBadge>
          ) : null}
          {order.ready_to_pack && order.items.length > 0 ? (
            <StatusBadge status="ready" tone="green">
              {t('Ready to pack')}
            </StatusBadge>
          ) : null}
        </>
      )}
      actions={(order, leave) => (
        <>
          {order.source === 'manual' ? null : <MainSiteOrders className="phone:hidden" />}
          <OrderActions order={order} onRemove={leave} />
        </>
      )}
      hasButtons={(order) => canChange && hasNextStep(order)}
      skeleton={
        <EntityColumns>
          <SkeletonCard lines={3} lineHeight="h-14" />
          <SkeletonCard lines={3} />
        </EntityColumns>
      }
    >
      {(order) => (
        <>
          {order.shop_problem ? <ShopProblem notes={order.shop_problem} /> : null}
          <WaitingJobs order={order} />
          <HistoryNote order={order} />
          <EntityColumns className="lg:grid-rows-[auto_1fr]">
            <OrderLines order={order} addresses={addresses} />
            <div className="flex flex-col gap-4 lg:row-span-2">
              <PlanCard order={order} addresses={addresses} />
              <ShipmentsCard order={order} />
              <Facts order={order} />
              <ProductionCard {...production} />
            </div>
            <div className="flex flex-col gap-4">
              <OrderHistory order={order} addresses={addresses} />
              <CustomerOrdersCard order={order} />
            </div>
          </EntityColumns>
        </>
      )}
    </EntityPage>
  )
}

function Facts({ order }: { order: Order }) {
  const nowMs = useNow()
  const { expected_start: start } = order
  const expected = formatExpected(order, start === null || Date.parse(start) <= nowMs)
  return (
    <Card title={t('Order')}>
      <DetailList>
        <Detail name={t('Customer')}>
          {order.customer_name && (
            <Link to={customerAddress(order.customer_name)} className="link">
              <bdi>{order.customer_name}</bdi>
            </Link>
          )}
        </Detail>
        <Detail name={t('Email')}>
          {order.customer_email && (
            <a className="link" href={`mailto:${order.customer_email}`}>
              <bdi>{order.customer_email}</bdi>
            </a>
          )}
        </Detail>
        <Detail name={t('Ship to')}>
          {order.shipping_address && <Address address={order.shipping_address} />}
        </Detail>
        <Detail name={t('Placed')}>{formatDateTime(order.placed_at)}</Detail>
        <Detail name={t('Due')}>{order.due_at && formatDateTime(order.due_at)}</Detail>
        <Detail name={t('Printing')}>
          {expected && (
            <>
              {expected}
              {isPrintedLate(order) ? (
                <span className="block text-caption text-red-ink">{t('After the due date')}</span>
              ) : null}
            </>
          )}
        </Detail>
        <Detail name={t('From')}>{sourceText(order.source)}</Detail>
        <Detail name={t('Shop order number')}>
          {order.external_id && <span className="code">{order.external_id}</span>}
        </Detail>
        <Detail name={t('Notes')}>{order.notes}</Detail>
      </DetailList>
    </Card>
  )
}
