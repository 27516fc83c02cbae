import { CUSTOMER_EMAILS, CUSTOMER_ITEMS } from '@pegasus/contracts/orders/customers'
import type { ShippingAddress } from '@pegasus/contracts/orders/order-body'
import type { Queryable } from '../../../platform/database/database.ts'

export interface CustomerRow {
  name: string | null
  emails: string[]
  shipping_address: Partial<ShippingAddress> | null
  orders: number
  open_orders: number
  cancelled_orders: number
  total_minor: number
  /** Number of the orders that `total_minor` adds up. */
  counted_orders: number
  first_order_at: string | null
  last_order_at: string | null
  items: {
    inventory_item_id: string | null
    sku: string
    name: string
    quantity: number
    orders: number
  }[]
}

/** Returns the SQL condition that an order belongs to the customer with this name, ignoring case. */
export const isOfCustomer = (sql: Queryable, name: string) => sql`lower(o.customer_name) = lower(${name})`

/** Adds up the orders of a customer. All figures are 0 without orders. */
export async function readCustomer(
  sql: Queryable,
  { name, currency }: { name: string; currency: string },
): Promise<CustomerRow> {
  const [row] = await sql<[CustomerRow]>`
    with own as materialized (
      select o.id, o.customer_name, o.customer_email, o.shipping_address, o.status, o.total_minor, o.currency,
             o.placed_at
      from orders o where o.deleted_at is null and ${isOfCustomer(sql, name)}
    ),
    mails as (
      select (array_agg(customer_email order by placed_at desc))[1] as mail, max(placed_at) as last_at from own
      where customer_email <> '' group by lower(customer_email) order by last_at desc limit ${CUSTOMER_EMAILS}
    ),
    ordered as (
      select min(l.item_id::text) as inventory_item_id, min(l.sku) as sku, max(l.name) as name,
             sum(l.quantity)::float8 as quantity, count(distinct l.order_id)::int as orders
      from order_lines l join own on own.id = l.order_id
      where own.status <> 'cancelled' and l.set_line_id is null
      group by coalesce(l.item_id::text, lower(l.sku)) order by quantity desc, sku limit ${CUSTOMER_ITEMS}
    )
    select (select customer_name from own order by placed_at desc, id desc limit 1) as name,
           (select coalesce(json_agg(mail order by last_at desc), '[]') from mails) as emails,
           (select shipping_address from own where shipping_address is not null
            order by placed_at desc, id desc limit 1) as shipping_address,
           count(*)::int as orders,
           (count(*) filter (where status not in ('completed', 'cancelled')))::int as open_orders,
           (count(*) filter (where status = 'cancelled'))::int as cancelled_orders,
           coalesce(sum(total_minor) filter (where status <> 'cancelled' and currency = ${currency}), 0)::float8
             as total_minor,
           (count(*) filter (where status <> 'cancelled' and currency = ${currency}))::int as counted_orders,
           min(placed_at) as first_order_at, max(placed_at) as last_order_at,
           (select coalesce(json_agg(json_build_object(
              'inventory_item_id', inventory_item_id, 'sku', sku, 'name', name, 'quantity', quantity, 'orders', orders
            ) order by quantity desc, sku), '[]') from ordered) as items
    from own`
  return row
}
