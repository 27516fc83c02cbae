import { useSearchParams } from 'react-router'
import { OrderList } from './order-list.tsx'
import { OrderPage, type OrderPageProps } from './order-page.tsx'
import { withOrder } from './orders-address.ts'

type OrdersRoomProps = Pick<OrderPageProps, 'itemAddress' | 'printAddress'>

/** Orders: the list, or the order in the address. */
export function OrdersPage({ itemAddress, printAddress }: OrdersRoomProps) {
  const [params] = useSearchParams()
  const id = params.get('order')
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
