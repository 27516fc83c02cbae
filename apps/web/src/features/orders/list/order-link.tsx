import type { Order } from '@pegasus/contracts/orders/orders'
import { Link } from 'react-router'

/** The number of an order, as a link that covers the surrounding row. */
export const OrderLink = ({ order, to }: { order: Order; to: string }) => (
  <Link
    to={to}
    // The focus ring surrounds the row. Around the number alone, it would cut the line below.
    className="block truncate font-medium code after:absolute after:inset-0 hover:underline focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
  >
    {order.order_number}
  </Link>
)
