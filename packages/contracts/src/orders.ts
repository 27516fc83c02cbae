import * as z from 'zod/mini'
import { pageQuery, searchText, timestamp, optionalId } from './fields.ts'
import { declareEndpoints } from './endpoint.ts'
import { ORDER_STATUSES } from './statuses.ts'

const { get, post } = declareEndpoints('orders', { notFound: 'ORDER_NOT_FOUND' })

/** A line of an order, compared with our stock. `inventory_item_id` is null while no item has the SKU. */
export const orderLine = z.object({
  id: z.uuid(),
  sku: z.string(),
  name: z.string(),
  quantity: z.number(),
  unit_price: z.number(),
  inventory_item_id: z.nullable(z.uuid()),
  /** Free pieces of that item now. */
  available_quantity: z.nullable(z.number()),
  /**
   * Pieces that the stock does not cover, after the lines above have taken theirs. Null for an unknown SKU, 0 for a
   * finished order.
   */
  short_by: z.nullable(z.number()),
  /** Colour of that item: `#RRGGBB`, or `#RRGGBBAA` with opacity. */
  color_hex: z.nullable(z.string()),
  stl_thumbnail_path: z.nullable(z.string()),
})

export const order = z.object({
  id: z.uuid(),
  order_number: z.string(),
  customer_name: z.string(),
  status: z.enum(ORDER_STATUSES),
  /** In `currency`. */
  total_amount: z.number(),
  currency: z.string(),
  placed_at: timestamp,
  due_at: z.nullable(timestamp),
  items: z.array(orderLine),
  source: z.string(),
  external_id: z.nullable(z.string()),
  notes: z.nullable(z.string()),
  created_at: timestamp,
  updated_at: timestamp,
})
export type Order = z.output<typeof order>

export const listOrders = get('/api/orders', 'signed-in', {
  summary: 'Orders with their lines, newest first',
  query: z.object({
    ...pageQuery,
    /** Each word must occur in the order number, the customer or the shop's own id. */
    search: searchText,
    status: z.optional(z.enum(ORDER_STATUSES, 'status is not one of the statuses of an order')),
    /** Orders with a line of this item. */
    inventory_item_id: optionalId('inventory_item_id'),
  }),
  returns: z.array(order),
})

export const getOrder = get('/api/orders/:id', 'signed-in', {
  summary: 'One order',
  returns: order,
})

/** Result of fetching orders from the main site. */
const orderSync = z.object({
  /** `not_offered`: the site answers but offers no orders. */
  outcome: z.enum(['synced', 'not_configured', 'not_offered']),
  /** The same as a sentence for people. */
  detail: z.string(),
  created: z.number(),
  updated: z.number(),
  unchanged: z.number(),
  /** Orders that could not be imported, and why. The others are imported. */
  failed: z.array(z.object({ order_number: z.nullable(z.string()), detail: z.string() })),
})
export type OrderSync = z.output<typeof orderSync>

export const syncOrders = post('/api/orders/sync', 'staff', {
  summary: 'Fetch orders from the main site',
  returns: orderSync,
  errors: ['MAIN_SITE_FAILED'],
})
