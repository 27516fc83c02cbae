import { useSearchParams } from 'react-router'
import { OrderList } from './list/order-list.tsx'
import { OrderPage } from './order-page/order-page.tsx'
import { CustomerPage } from './customer-page.tsx'
import {
  type OrderAddresses,
  readCustomer,
  readSalesView,
  readSkuState,
  withOrder,
} from './orders-address.ts'
import { SalesPage } from './sales/sales-page.tsx'
import { SkuInbox } from './skus/sku-inbox.tsx'
import { t } from '@/lib/i18n/messages.ts'

/** The orders tab: the list, the SKU inbox, the sales report, or the order or the customer in the URL. */
export function OrdersPage({ addresses }: { addresses: OrderAddresses }) {
  const [params] = useSearchParams()
  const id = params.get('order')
  const skus = readSkuState(params)
  if (!id && skus) return <SkuInbox state={skus} newItemAddress={addresses.newItem} />
  const sales = readSalesView(params)
  if (!id && sales) return <SalesPage view={sales} />
  const customer = readCustomer(params)
  if (!id && customer) return <CustomerPage key={customer} name={customer} addresses={addresses} />
  if (!id) return <OrderList newItemAddress={addresses.newItem({ name: '', sku: '' })} />
  return (
    <OrderPage
      key={id}
      id={id}
      back={{ to: `?${withOrder(params, null)}`, name: customer || t('Orders') }}
      addresses={addresses}
    />
  )
}
