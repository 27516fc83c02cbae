import { useSearchParams } from 'react-router'
import { OrderList } from './list/order-list.tsx'
import { OrderPage, type OrderPageProps } from './order-page/order-page.tsx'
import { readSalesView, readSkuState, withOrder } from './orders-address.ts'
import { SalesPage } from './sales/sales-page.tsx'
import { SkuInbox } from './skus/sku-inbox.tsx'

interface OrdersRoomProps extends Pick<OrderPageProps, 'itemAddress' | 'printAddress'> {
  /** Opens the dialog for a new item. */
  newItemAddress: (of: { name: string; sku: string }) => string
}

/** Orders: the list, the SKU inbox, the sales report, or the order in the address. */
export function OrdersPage({ itemAddress, printAddress, newItemAddress }: OrdersRoomProps) {
  const [params] = useSearchParams()
  const id = params.get('order')
  const skus = readSkuState(params)
  if (!id && skus) return <SkuInbox state={skus} newItemAddress={newItemAddress} />
  const sales = readSalesView(params)
  if (!id && sales) return <SalesPage view={sales} />
  if (!id) return <OrderList />
  return (
    <OrderPage
      key={id}
      id={id}
      backTo={`?${withOrder(params, null)}`}
      itemAddress={itemAddress}
      printAddress={printAddress}
    />
  )
}
