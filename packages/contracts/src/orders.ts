import * as z from 'zod/mini'
import { idParams, pageQuery, searchText, timestamp } from './common.ts'
import { defineEndpoint } from './endpoint.ts'
import { ORDER_STATUSES } from './statuses.ts'

/** A line of an order, against our stock. `inventory_item_id` is null while the SKU is not one of ours. */
export const orderLine = z.object({
  id: z.uuid(),
  sku: z.string(),
  name: z.string(),
  quantity: z.number(),
  unit_price: z.number(),
  inventory_item_id: z.nullable(z.uuid()),
  /** What is free of that item now. */
  available_quantity: z.nullable(z.number()),
  /** Of that item, `#RRGGBB`, or with opacity `#RRGGBBAA`. */
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

export const listOrders = defineEndpoint({
  method: 'GET',
  path: '/api/orders',
  summary: 'Orders with their lines, the latest placed first',
  tag: 'orders',
  access: 'signed-in',
  query: z.object({
    ...pageQuery,
    /** Each word must occur in the order number, the customer or the shop's own id. */
    search: searchText,
    status: z.optional(z.enum(ORDER_STATUSES, 'status is not one of the statuses of an order')),
  }),
  success: { status: 200, body: z.array(order) },
  errors: ['UNAUTHENTICATED', 'INVALID_INPUT'],
})

export const getOrder = defineEndpoint({
  method: 'GET',
  path: '/api/orders/:id',
  summary: 'One order',
  tag: 'orders',
  access: 'signed-in',
  params: idParams,
  success: { status: 200, body: order },
  errors: ['UNAUTHENTICATED', 'ORDER_NOT_FOUND'],
})
