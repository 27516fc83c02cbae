import { useSearchParams } from 'react-router'
import { OrderList } from './order-list.tsx'
import { OrderPage } from './order-page.tsx'
import { withOrder } from './orders-address.ts'

/** Orders: the list, or the one that the address names. */
export function OrdersRoom() {
  const [params] = useSearchParams()
  const id = params.get('order')
  if (!id) return <OrderList />
  return <OrderPage key={id} id={id} backTo={`?${withOrder(params, null)}`} />
}
