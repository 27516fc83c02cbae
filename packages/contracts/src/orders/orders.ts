import * as z from 'zod/mini'
import { moment, nullable, optionalId, searchText, timestamp } from '../fields.ts'
import { declareEndpoints } from '../endpoint.ts'
import { ORDER_STATUSES } from '../statuses.ts'
import { shippingAddress } from './order-body.ts'

const { get, list, post } = declareEndpoints('orders', { notFound: 'ORDER_NOT_FOUND' })

/**
 * A line of an order with its account: ordered = shipped + reserved + allocated + coming from jobs + missing.
 * `inventory_item_id` is null for a set, and while no item has the SKU.
 */
const lineFields = z.object({
  id: z.uuid(),
  sku: z.string(),
  name: z.string(),
  quantity: z.number(),
  unit_price: z.number(),
  inventory_item_id: nullable.id,
  /** Whether somebody decided that we do not keep this SKU. The line then takes nothing from the stock. */
  is_ignored: z.boolean(),
  /** Free pieces of that item now, whoever gets them. */
  available_quantity: nullable.number,
  shipped_quantity: z.number(),
  /** Pieces of the item that are reserved for this line. */
  reserved_quantity: z.number(),
  /**
   * Free pieces that this line gets when they are shared among open orders: first due, first placed, first numbered.
   */
  allocated_quantity: z.number(),
  /** Pieces that unfinished print jobs of this line are still to bring. */
  queued_quantity: z.number(),
  returned_quantity: z.number(),
  /** Pieces that neither shipment, reservation nor free stock covers. 0 for a finished order. */
  short_by: z.number(),
  /** `short_by` minus the queued grams. */
  missing_quantity: z.number(),
  /** Colour of that item: `#RRGGBB`, or `#RRGGBBAA` with opacity. */
  color_hex: nullable.text,
  stl_thumbnail_path: nullable.text,
})

/** A piece of a set. */
export const setPart = z.extend(lineFields, { pieces_per_set: z.number() })
export type SetPart = z.output<typeof setPart>

/** A line as it was ordered. The account of a set counts whole sets; that of its pieces is in `parts`. */
export const orderLine = z.extend(lineFields, {
  /** Whether the SKU stands for several pieces, by a mapping. */
  is_set: z.boolean(),
  /** The pieces of a set: lines with items, which can be reserved, shipped and taken back one by one. */
  parts: z.array(setPart),
})

/** A parcel: the pieces that were shipped together. */
const shipment = z.object({
  id: z.uuid(),
  /** Counted for each order, from 1. */
  number: z.number(),
  carrier: nullable.text,
  tracking_number: nullable.text,
  tracking_url: nullable.text,
  items: z.array(z.object({ line_id: z.uuid(), quantity: z.number() })),
  /** When it was reported to the shop. */
  told_at: nullable.timestamp,
  /** Why the last report to the shop failed. It is repeated automatically. */
  tell_problem: nullable.text,
  created_at: timestamp,
})

export const order = z.object({
  id: z.uuid(),
  order_number: z.string(),
  customer_name: z.string(),
  customer_email: nullable.text,
  shipping_address: z.nullable(shippingAddress),
  status: z.enum(ORDER_STATUSES),
  /** In `currency`, like all amounts. */
  total_amount: z.number(),
  shipping_amount: nullable.number,
  tax_amount: nullable.number,
  discount_amount: nullable.number,
  fee_amount: nullable.number,
  currency: z.string(),
  placed_at: timestamp,
  due_at: nullable.timestamp,
  /** Whether it is not finished at its due time. */
  is_overdue: z.boolean(),
  /** Whether it is open and no line is short. */
  ready_to_pack: z.boolean(),
  /** When the planner expects its print jobs to start and to end; the end is null while a piece has no job or no printer. */
  expected_start: nullable.timestamp,
  expected_end: nullable.timestamp,
  items: z.array(orderLine),
  /** Without those that were taken back. */
  shipments: z.array(shipment),
  source: z.string(),
  external_id: nullable.text,
  notes: nullable.text,
  /** Why a change of the shop could not be taken, such as other lines of an order that was shipped. */
  shop_problem: nullable.text,
  created_at: timestamp,
  updated_at: timestamp,
  revision: z.number(),
})
export type Order = z.output<typeof order>
export type OrderLine = Order['items'][number]

/** The lines that have items: each part of a set, and each line that is no set. */
export const pieceLines = (items: readonly OrderLine[]): (OrderLine | SetPart)[] =>
  items.flatMap<OrderLine | SetPart>((line) => (line.is_set ? line.parts : [line]))

/** Whether free stock and reservations cover an open order. */
export const ORDER_STOCKS = ['ready', 'short'] as const
export type OrderStock = (typeof ORDER_STOCKS)[number]

/** Where orders come from, for people. A shop's own name is not in this list. */
export const ORDER_SOURCES: Readonly<Record<string, string>> = {
  main_site: 'Main site',
  integration: 'Integration',
  manual: 'Entered by hand',
}

export const listOrders = list('/api/orders', 'signed-in', {
  summary: 'Orders with their lines, newest first',
  filter: {
    /** Each word must occur in the order number, the customer or the shop's own id. */
    search: searchText,
    status: z.optional(z.enum(ORDER_STATUSES, 'status is not one of the statuses of an order')),
    /** Orders with a line of this item. */
    inventory_item_id: optionalId('inventory_item_id'),
    /** Open orders that are ready to pack, or that are short of pieces. */
    stock: z.optional(z.enum(ORDER_STOCKS, 'stock is ready or short')),
    /** Open orders that are due before this moment. */
    due_before: z.optional(moment('due_before')),
  },
  of: order,
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
  failed: z.array(z.object({ order_number: nullable.text, detail: z.string() })),
})
export type OrderSync = z.output<typeof orderSync>

export const syncOrders = post('/api/orders/sync', 'staff', {
  summary: 'Fetch orders from the main site',
  returns: orderSync,
  errors: ['MAIN_SITE_FAILED'],
})
