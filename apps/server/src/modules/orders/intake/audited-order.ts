import type { OrderRow } from '../orders.queries.ts'

/** Returns the fields of an order that the audit stores. */
export const auditedOrder = (order: OrderRow) => ({
  order_number: order.order_number,
  customer_name: order.customer_name,
  customer_email: order.customer_email,
  shipping_address: order.shipping_address,
  status: order.status,
  total_minor: order.total_minor,
  shipping_minor: order.shipping_minor,
  surcharge_minor: order.surcharge_minor,
  tax_minor: order.tax_minor,
  discount_minor: order.discount_minor,
  fee_minor: order.fee_minor,
  currency: order.currency,
  placed_at: order.placed_at,
  due_at: order.due_at,
  external_id: order.external_id,
  notes: order.notes,
  items: order.lines
    .filter(({ set_line_id: set }) => set === null)
    .map(({ sku, name, quantity, unit_price_minor: price, refunded_quantity: refunded }) => ({
      sku,
      name,
      quantity,
      unit_price_minor: price,
      ...(refunded > 0 && { refunded_quantity: refunded }),
    })),
})
