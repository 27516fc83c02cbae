import type { Customer } from '@pegasus/contracts/orders/customers'
import { useQuery } from '@tanstack/react-query'
import { ReceiptText } from 'lucide-react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { Detail, DetailList } from '@/components/kit/detail-list.tsx'
import { EntityColumns, EntityPage, SkeletonCard } from '@/components/kit/entity-page.tsx'
import { ListStates, type ListTexts } from '@/components/kit/list-page.tsx'
import { Card } from '@/components/ui/display/card.tsx'
import { useNow } from '@/lib/browser/use-now.ts'
import { useShortcuts } from '@/lib/browser/use-shortcuts.ts'
import { formatCount, formatDate, formatMoney } from '@/lib/format/format.ts'
import { useList } from '@/lib/http/use-list.ts'
import { OrderRow, orderColumns } from './list/order-row.tsx'
import { Address } from './order-page/address.tsx'
import { type OrderAddresses, withOrder } from './orders-address.ts'
import { customerOrderListQuery, customerQuery } from './orders.queries.ts'
import { rich, t } from '@/lib/i18n/messages.ts'

const LIST_ADDRESS = '?tab=orders'

interface CustomerPageProps {
  name: string
  addresses: Pick<OrderAddresses, 'item'>
}

/** The page of a customer: the orders, the figures and the addresses that the orders show. */
export function CustomerPage({ name, addresses }: CustomerPageProps) {
  const navigate = useNavigate()
  useShortcuts({ Escape: () => void navigate(LIST_ADDRESS) })
  return (
    <EntityPage
      query={useQuery(customerQuery(name))}
      list={{ to: LIST_ADDRESS, name: t('Orders'), one: 'customer' }}
      name={(customer) => customer.name}
      notFound={{
        title: t('Customer not found'),
        text: t('No order has this customer. The name may have been changed.'),
      }}
      skeleton={
        <EntityColumns>
          <SkeletonCard lines={4} lineHeight="h-14" />
          <SkeletonCard lines={4} />
        </EntityColumns>
      }
    >
      {(customer) => (
        <>
          <Figures customer={customer} />
          <EntityColumns>
            <Orders name={name} />
            <div className="flex min-w-0 flex-col gap-4">
              <Facts customer={customer} />
              <OrderedItems customer={customer} addresses={addresses} />
            </div>
          </EntityColumns>
        </>
      )}
    </EntityPage>
  )
}

/** The figures of a customer in one strip, separated by thin lines. */
function Figures({ customer }: { customer: Customer }) {
  const { orders, open_orders: open, cancelled_orders: cancelled, total_amount: total } = customer
  const { counted_orders: counted, currency } = customer
  const isOfSeveral = counted < orders - cancelled
  const figures = [
    {
      label: t('Orders'),
      value: formatCount(orders),
      note: cancelled > 0 ? t('{cancelled} cancelled', { cancelled: formatCount(cancelled) }) : '',
    },
    {
      label: t('Open'),
      value: formatCount(open),
      note: open === 0 ? t('Nothing to ship') : t('To be shipped'),
    },
    {
      label: t('Revenue'),
      value: formatMoney(total),
      note: isOfSeveral
        ? t('Only orders in {currency}', { currency })
        : cancelled > 0
          ? t('Without cancelled orders')
          : '',
    },
    {
      label: t('Average order'),
      value: counted > 0 ? formatMoney(total / counted) : '–',
      note: counted > 0 ? t('of {counted, plural, one {# order} other {# orders}}', { counted }) : '',
    },
  ]
  return (
    <dl className="mb-4 grid grid-cols-2 gap-px overflow-hidden rounded-card border border-line bg-line md:grid-cols-4">
      {figures.map(({ label, value, note }) => (
        <div key={label} className="min-w-0 bg-surface px-4 py-3">
          <dt className="truncate text-label text-ink-2">{label}</dt>
          <dd className="mt-0.5">
            <span className="block truncate text-figure font-[580]" title={value}>
              {value}
            </span>
            <span className="mt-0.5 block min-h-4 truncate text-caption text-ink-3">{note}</span>
          </dd>
        </div>
      ))}
    </dl>
  )
}

const TEXTS: ListTexts = {
  name: t('The orders of this customer'),
  one: 'order',
  loading: t('Loading the orders'),
  noMatches: t('No orders found'),
}

function Orders({ name }: { name: string }) {
  const nowMs = useNow()
  const [params] = useSearchParams()
  const data = useList(customerOrderListQuery(name))
  // The customer stays in the URL, so that the back link on an order's page leads to this page.
  const addressOf = (id: string) => `?${withOrder(params, id)}`
  return (
    <section aria-label={t('Orders of this customer')} className="min-w-0">
      <ListStates
        data={data}
        texts={TEXTS}
        applied={[]}
        onClearAll={() => undefined}
        empty={{
          icon: ReceiptText,
          title: t('No orders'),
          text: t('The orders of this customer were deleted.'),
        }}
        rows={{
          name: 'orders-of-customer',
          label: t('Orders of this customer'),
          columns: orderColumns(addressOf, nowMs).filter(({ id }) => id !== 'customer'),
          rowHeight: 68,
          phoneRow: (order) => <OrderRow order={order} to={addressOf(order.id)} nowMs={nowMs} isOfCustomer />,
          phoneRowHeight: 92,
        }}
      />
    </section>
  )
}

const Facts = ({ customer }: { customer: Customer }) => (
  <Card title={t('Customer')}>
    <DetailList>
      <Detail name={t('Email')}>
        {customer.emails.length > 0 && (
          <>
            {customer.emails.map((email) => (
              <a key={email} className="link block" href={`mailto:${email}`}>
                <bdi>{email}</bdi>
              </a>
            ))}
          </>
        )}
      </Detail>
      <Detail name={t('Ships to')}>
        {customer.shipping_address && <Address address={customer.shipping_address} />}
      </Detail>
      <Detail name={t('First order')}>{formatDate(customer.first_order_at)}</Detail>
      <Detail name={t('Last order')}>{formatDate(customer.last_order_at)}</Detail>
    </DetailList>
  </Card>
)

function OrderedItems({
  customer: { items },
  addresses,
}: { customer: Customer } & Pick<CustomerPageProps, 'addresses'>) {
  if (items.length === 0) return null
  return (
    <Card title={t('Most ordered')}>
      <ul className="divide-y divide-line">
        {items.map(({ inventory_item_id: itemId, sku, name, quantity, orders }) => (
          <li key={`${itemId} ${sku}`} className="relative flex min-h-11 items-center gap-3 px-4 py-1.5">
            <div className="min-w-0 flex-1">
              {itemId ? (
                <Link
                  to={addresses.item(itemId)}
                  title={name}
                  className="block truncate font-medium after:absolute after:inset-0 hover:underline"
                >
                  <bdi className="block truncate">{name || sku}</bdi>
                </Link>
              ) : (
                <bdi className="block truncate font-medium">{name || sku}</bdi>
              )}
              <p className="truncate text-caption text-ink-3">
                {rich('{sku} · {orders, plural, one {# order} other {# orders}}', {
                  sku: <span className="code">{sku}</span>,
                  orders,
                })}
              </p>
            </div>
            <strong className="font-semibold">{formatCount(quantity)}</strong>
          </li>
        ))}
      </ul>
    </Card>
  )
}
