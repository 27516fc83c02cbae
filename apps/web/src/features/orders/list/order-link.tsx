import type { Order } from '@pegasus/contracts/orders/orders'
import { Link } from 'react-router'

/** The number of an order, as a link that covers the surrounding row. */
export const OrderLink = ({ order, to }: { order: Order; to: string }) => (
  <Link to={to} className="block truncate font-medium code after:absolute after:inset-0 hover:underline">
    {order.order_number}
  </Link>
)
