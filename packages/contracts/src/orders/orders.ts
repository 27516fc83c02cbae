import * as z from 'zod/mini'
import { moment, nullable, optionalId, queryText, searchText, timestamp } from '../fields.ts'
import { declareEndpoints } from '../endpoint.ts'
import { ORDER_STATUSES } from '../statuses.ts'
import { CUSTOMER_MAX_LENGTH, shippingAddress } from './order-body.ts'

const { get, list, post } = declareEndpoints('orders', { notFound: 'ORDER_NOT_FOUND' })

/**
 * A line of an order with its account, which says where the ordered pieces are. Open order: ordered = shipped +
 * reserved + allocated + queued in print jobs + missing. Finished order: ordered = shipped + not shipped.
 * `inventory_item_id` is null for a set, and for as long as no item has the SKU.
 */
const lineFields = z.object({
  id: z.uuid(),
  sku: z.string(),
  name: z.string(),
  quantity: z.number(),
  unit_price: z.number(),
  inventory_item_id: nullable.id,
  /** Whether a person decided to ignore this SKU. In that case, the line takes no pieces from the stock. */
  is_ignored: z.boolean(),
  /** Number of pieces of the item that are free now, no matter which order gets them. */
  available_quantity: nullable.number,
  shipped_quantity: z.number(),
  /** Number of pieces of the item that are reserved for this line. */
  reserved_quantity: z.number(),
  /**
   * Free pieces that this line gets when they are shared among open orders. Orders with an earlier due time
   * get pieces first, then orders placed earlier, then orders with a lower number.
   */
  allocated_quantity: z.number(),
  /** Number of pieces that unfinished print jobs for this line will still produce. */
  queued_quantity: z.number(),
  returned_quantity: z.number(),
  /**
   * Number of shipped pieces that the shop has refunded. They stay part of `quantity`. A person has to book their
   * return.
   */
  refunded_quantity: z.number(),
  /**
   * Number of pieces that are not covered by shipments, reservations or free stock. 0 for a finished order.
   */
  short_by: z.number(),
  /**
   * Number of pieces that are short and for which no print job is queued (`short_by` minus the queued pieces, at least
   * 0).
   */
  missing_quantity: z.number(),
  /**
   * Number of pieces that will not be shipped, because the order was completed or cancelled without them. 0 for an
   * open order, and for an ignored SKU.
   */
  not_shipped_quantity: z.number(),
  /** Color of the item as `#RRGGBB`, or as `#RRGGBBAA` with opacity. */
  color_hex: nullable.text,
  stl_thumbnail_path: nullable.text,
})

/** One kind of piece in a set. It has an account of its own. */
export const setPart = z.extend(lineFields, { pieces_per_set: z.number() })
export type SetPart = z.output<typeof setPart>

/**
 * A line as it was ordered. The account of a set counts whole sets; `parts` contains the accounts of its
 * pieces.
 */
export const orderLine = z.extend(lineFields, {
  /** Whether the SKU is mapped to a set of several pieces. */
  is_set: z.boolean(),
  /** The pieces of a set. They are lines with items, and can be reserved, shipped and returned one by one. */
  parts: z.array(setPart),
})

/** A parcel: the pieces that were shipped together. */
const shipment = z.object({
  id: z.uuid(),
  /** Number of the shipment within its order, counted from 1. */
  number: z.number(),
  carrier: nullable.text,
  tracking_number: nullable.text,
  tracking_url: nullable.text,
  /** The postage that the shop paid for the parcel. Null while it is unknown. */
  postage_amount: nullable.number,
  items: z.array(z.object({ line_id: z.uuid(), quantity: z.number() })),
  /**
   * Whether the customer has returned pieces of the shipment's lines since then. If so, the shipment cannot be undone.
   */
  has_returned_pieces: z.boolean(),
  /** The time when the server reported the shipment to the shop. Null if it has not done so. */
  told_at: nullable.timestamp,
  /** Whether the shop still shows earlier tracking data, because they were changed after the shipment was reported. */
  is_tracking_old_in_shop: z.boolean(),
  /** Whether the server also sends tracking data to the shop that are changed after the shipment was reported. */
  sends_changed_tracking: z.boolean(),
  /** Whether the server still has to send the changed tracking data to the shop. */
  is_tracking_due: z.boolean(),
  /**
   * Why the last attempt to send the changed tracking data failed. The server tries again for 30 days after the change.
   */
  tracking_problem: nullable.text,
  /** Whether the shop accepted only a part of a report that failed, for example one of two locations. */
  is_partly_told: z.boolean(),
  /** Why the last report to the shop failed. The report is repeated for 30 days after the shipment. */
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
  /** The total in `currency`, like all amounts. */
  total_amount: z.number(),
  shipping_amount: nullable.number,
  /** An amount that the customer pays in addition to lines, shipping and tax. */
  surcharge_amount: nullable.number,
  /** The part of the surcharge that the shop kept when it refunded pieces. It counts as revenue. */
  kept_amount: nullable.number,
  tax_amount: nullable.number,
  discount_amount: nullable.number,
  fee_amount: nullable.number,
  currency: z.string(),
  placed_at: timestamp,
  due_at: nullable.timestamp,
  /**
   * Whether the due time of an open order has passed. An order on hold waits on purpose, so it is overdue only after it
   * is resumed. The server decides this in `orders.present.ts`.
   */
  is_overdue: z.boolean(),
  /** Whether the order is open and no line is short. An open order without lines is ready, too. */
  ready_to_pack: z.boolean(),
  /** When the planner expects the order's print jobs to start. */
  expected_start: nullable.timestamp,
  /**
   * When the planner expects the order's print jobs to end. Null while a missing piece has no job, or a job
   * has no printer.
   */
  expected_end: nullable.timestamp,
  items: z.array(orderLine),
  /** The shipments, without those that were undone. */
  shipments: z.array(shipment),
  source: z.string(),
  external_id: nullable.text,
  /**
   * Whether the pieces of the order were shipped before this server first compared its orders with the shop, so that
   * they took nothing from the stock. The order was either finished by then, or it was placed by then and has a status
   * that is unknown here.
   */
  is_history: z.boolean(),
  notes: nullable.text,
  /**
   * Why the shop shows the order differently: a change by the shop was refused (for example other lines in a
   * shipped order), a parcel that was reported to the shop was undone here, or the shop refunded shipped
   * pieces that have not been returned yet.
   */
  shop_problem: nullable.text,
  /**
   * Whether the shipments of the order are reported to its shop. False for an order that was entered by hand, and if no
   * shop is configured that knows the order.
   */
  is_reported_to_shop: z.boolean(),
  /**
   * Ids of the print jobs of a cancelled or completed order that wait for their start or their next plate. Only a person
   * can cancel them. Empty for any other order.
   */
  proposed_cancellations: z.array(z.uuid()),
  created_at: timestamp,
  updated_at: timestamp,
  revision: z.number(),
})
export type Order = z.output<typeof order>
export type OrderLine = Order['items'][number]

/** Returns the lines that have items: each part of a set, and each line that is not a set. */
export const pieceLines = (items: readonly OrderLine[]): (OrderLine | SetPart)[] =>
  items.flatMap<OrderLine | SetPart>((line) => (line.is_set ? line.parts : [line]))

/** Returns the number of pieces that are missing for an order, of known and of unknown SKUs. */
export const missingPiecesOf = (items: readonly OrderLine[]): number =>
  pieceLines(items).reduce((sum, line) => sum + line.missing_quantity, 0)

/** Whether free stock and reservations are enough for an open order. */
export const ORDER_STOCKS = ['ready', 'short'] as const
export type OrderStock = (typeof ORDER_STOCKS)[number]

/** English names of the sources of orders. A shop's own name is not in this list. */
export const ORDER_SOURCES = {
  main_site: 'Main site',
  integration: 'Integration',
  manual: 'Entered by hand',
} as const
export type OrderSource = keyof typeof ORDER_SOURCES
/** Returns whether a source is one of `ORDER_SOURCES`, and not a shop's own name. */
export const isOrderSource = (source: string): source is OrderSource => Object.hasOwn(ORDER_SOURCES, source)

export const listOrders = list('/api/orders', 'signed-in', {
  summary: 'Orders with their lines, newest first; with `due_before` the most overdue first',
  filter: {
    /** Each word must occur in the order number, the customer or the shop's own id of the order. */
    search: searchText,
    status: z.optional(z.enum(ORDER_STATUSES, 'status must be one of the statuses of an order')),
    /** Orders with exactly this customer name, in upper or lower case. */
    customer: queryText('customer', CUSTOMER_MAX_LENGTH),
    /** Orders with a line of this item. */
    inventory_item_id: optionalId('inventory_item_id'),
    /** Open orders that are ready to pack (`ready`), or that are short of pieces (`short`). */
    stock: z.optional(z.enum(ORDER_STOCKS, 'stock must be ready or short')),
    /** Open orders that are due before this time, by due time. */
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
  /** `not_offered` means that the site responds, but does not offer orders. */
  outcome: z.enum(['synced', 'not_configured', 'not_offered']),
  /** The outcome as a readable message. */
  detail: z.string(),
  created: z.number(),
  updated: z.number(),
  unchanged: z.number(),
  /** Orders that could not be imported, with the reason. All others are imported. */
  failed: z.array(z.object({ order_number: nullable.text, detail: z.string() })),
})
export type OrderSync = z.output<typeof orderSync>

export const syncOrders = post('/api/orders/sync', 'staff', {
  summary: 'Fetch orders from the main site',
  returns: orderSync,
  errors: ['MAIN_SITE_FAILED'],
})
