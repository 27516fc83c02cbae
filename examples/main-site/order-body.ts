import type { ShopOrder } from './shop-store.ts'

/**
 * Converts an order to the format of Pegasus Ops. It is the same in all three ways of sending orders: as an event, with
 * an API key, and in a list.
 */
export const orderBody = (order: ShopOrder, currency: string) => ({
  order_number: order.number,
  external_id: order.number,
  status: order.status,
  customer_name: order.customer,
  customer_email: order.email,
  shipping_address: {
    name: order.customer,
    line1: order.address.line1,
    postal_code: order.address.postalCode,
    city: order.address.city,
    country: order.address.country,
  },
  shipping_amount: order.shipping,
  total_amount: Number((order.quantity * order.unitPrice + order.shipping).toFixed(2)),
  currency,
  placed_at: order.placedAt,
  updated_at: order.changedAt,
  items: [{ sku: order.slug, name: order.name, quantity: order.quantity, unit_price: order.unitPrice }],
})
