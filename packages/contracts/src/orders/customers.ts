import * as z from 'zod/mini'
import { nullable, requiredText, timestamp } from '../fields.ts'
import { declareEndpoints } from '../endpoint.ts'
import { CUSTOMER_MAX_LENGTH, shippingAddress } from './order-body.ts'

const { get } = declareEndpoints('orders')

/** Maximum number of email addresses that are listed for one customer. */
export const CUSTOMER_EMAILS = 5
export const CUSTOMER_ITEMS = 10

/** A customer, as known from the orders. Customers have no record of their own. */
const customer = z.object({
  /** The name in the newest order. */
  name: z.string(),
  /** The email addresses, newest first. */
  emails: z.array(z.string()),
  /** The address of the newest order that has one. */
  shipping_address: z.nullable(shippingAddress),
  orders: z.number(),
  open_orders: z.number(),
  cancelled_orders: z.number(),
  /** Sum of the orders in `currency` that are not cancelled. */
  total_amount: z.number(),
  /** Number of the orders in `total_amount`. Orders in other currencies are not among them. */
  counted_orders: z.number(),
  currency: z.string(),
  first_order_at: timestamp,
  last_order_at: timestamp,
  /** The items that the customer ordered most, without cancelled orders. */
  items: z.array(
    z.object({
      /** Null if no item has the SKU. */
      inventory_item_id: nullable.id,
      sku: z.string(),
      name: z.string(),
      quantity: z.number(),
      orders: z.number(),
    }),
  ),
})
export type Customer = z.output<typeof customer>

export const getCustomer = get('/api/customers', 'signed-in', {
  summary: 'A customer by name, from all orders with that name; case is ignored',
  query: z.object({ name: requiredText(CUSTOMER_MAX_LENGTH, 'name') }),
  returns: customer,
  errors: ['CUSTOMER_NOT_FOUND'],
})
