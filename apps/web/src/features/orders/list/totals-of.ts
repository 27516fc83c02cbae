import type { Order } from '@pegasus/contracts/orders/orders'
import { formatMoneyIn } from '@/lib/format/format.ts'

/** Adds up the totals of orders. Orders in several currencies have one sum for each, such as `€12.00 + $3.00`. */
export const totalsOf = (orders: readonly Pick<Order, 'currency' | 'total_amount'>[]): string =>
  [...Map.groupBy(orders, ({ currency }) => currency)]
    .map(([currency, own]) =>
      formatMoneyIn(
        own.reduce((sum, order) => sum + order.total_amount, 0),
        currency,
      ),
    )
    .join(' + ')
