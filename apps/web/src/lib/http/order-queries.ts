import { listOrders } from '@pegasus/contracts/orders/orders'
import { apiPageQuery } from './api-queries.ts'

/** The latest orders whose number or customer has these words. The key starts with that of all orders, whose changes refresh it. */
export const ordersFoundQuery = ({ search, limit }: { search: string; limit: number }) =>
  apiPageQuery(['orders', 'found', { search, limit }], listOrders, { query: { search, limit } })
