import * as z from 'zod/mini'
import {
  pageQuery,
  queryText,
  clearableMoment,
  clearableText,
  moment,
  numberBetween,
  requiredText,
  text,
  wholeNumber,
  isWellFormed,
} from './fields.ts'
import { declareEndpoints } from './endpoint.ts'
import { MAX_ITEM_QUANTITY, SKU_MAX_LENGTH, inventoryItem } from './inventory/items.ts'
import { order, orderLine } from './orders.ts'
import { product } from './products/products.ts'
import { ORDER_STATUSES, PRODUCT_STATUSES } from './statuses.ts'

/** The main shop's API: orders come in, stock and products go out. For API keys with the scope `integration`. */
const { get, post } = declareEndpoints('integration')

const READ = { scope: 'integration', owner: 'viewer' } as const
const WRITE = { scope: 'integration', owner: 'staff' } as const

const ORDER_NUMBER_MAX_LENGTH = 64
const CUSTOMER_MAX_LENGTH = 200
const EMAIL_MAX_LENGTH = 320
const EXTERNAL_ID_MAX_LENGTH = 200
const NOTES_MAX_LENGTH = 10_000
const LINE_NAME_MAX_LENGTH = 500
const MAX_ORDER_LINES = 500

const amount = (name: string) => numberBetween(name, 0, 1_000_000_000)

const receivedLine = z.object({
  sku: z._default(text(SKU_MAX_LENGTH, 'sku', isWellFormed), ''),
  name: z._default(text(LINE_NAME_MAX_LENGTH, 'name', isWellFormed), ''),
  quantity: wholeNumber('quantity', 1, MAX_ITEM_QUANTITY),
  unit_price: amount('unit_price'),
})

/**
 * An order as a shop sends it. Sending the same number again updates the order; missing fields stay as they are, and in
 * a new order they take their defaults. The total need not equal the sum of the items.
 */
export const receiveOrderBody = z.object({
  order_number: requiredText(ORDER_NUMBER_MAX_LENGTH, 'order_number', undefined, isWellFormed),
  customer_name: z.optional(text(CUSTOMER_MAX_LENGTH, 'customer_name', isWellFormed)),
  customer_email: clearableText(EMAIL_MAX_LENGTH, 'customer_email', isWellFormed),
  /** A new order without it is `pending`. */
  status: z.optional(z.enum(ORDER_STATUSES, `status is one of ${ORDER_STATUSES.join(', ')}`)),
  /** In the configured currency, with at most its number of decimals. */
  total_amount: amount('total_amount'),
  /** If given, it must be the configured currency. */
  currency: z.optional(z.string('currency is a code such as USD')),
  /** Time of the purchase. A new order without it takes the current time. */
  placed_at: z.optional(moment('placed_at')),
  due_at: clearableMoment('due_at'),
  /** The shop's own id of the order. */
  external_id: clearableText(EXTERNAL_ID_MAX_LENGTH, 'external_id', isWellFormed),
  notes: clearableText(NOTES_MAX_LENGTH, 'notes', isWellFormed),
  /** All items of the order, in order. The list may be empty. */
  items: z.optional(
    z
      .array(receivedLine, 'items is a list')
      .check(z.maxLength(MAX_ORDER_LINES, `An order has at most ${MAX_ORDER_LINES} items`)),
  ),
})
export type ReceiveOrderBody = z.output<typeof receiveOrderBody>

/** An order without the fields that only people see. */
const integrationOrder = z.extend(z.omit(order, { items: true }), {
  items: z.array(z.omit(orderLine, { stl_thumbnail_path: true, color_hex: true, short_by: true })),
})
export type IntegrationOrder = z.output<typeof integrationOrder>

export const receiveOrder = post('/api/integration/orders', WRITE, {
  summary: 'Create an order, or update the one with the same number (200 instead of 201)',
  body: receiveOrderBody,
  creates: integrationOrder,
  alternative: 200,
  errors: [
    'ORDER_INVALID',
    'ORDER_NUMBER_TAKEN',
    'ORDER_EXTERNAL_ID_TAKEN',
    'CONFLICT',
    'IDEMPOTENCY_KEY_REUSED',
    'MALFORMED_REQUEST',
  ],
})

/** The stock and price that a shop needs for an item. */
const stockLevel = z.extend(
  z.pick(inventoryItem, {
    id: true,
    sku: true,
    name: true,
    quantity: true,
    reserved_quantity: true,
    available_quantity: true,
    status: true,
    selling_price: true,
    updated_at: true,
  }),
  { currency: z.string() },
)
export type StockLevel = z.output<typeof stockLevel>

export const listStock = get('/api/integration/stock', READ, {
  summary: 'Stock and the pieces free for sale, newest item first',
  query: z.object({
    ...pageQuery,
    /** Only the item with this SKU, in any case. */
    sku: queryText('sku', SKU_MAX_LENGTH),
  }),
  returns: z.array(stockLevel),
})

/** A product without the fields that only its makers need. */
const integrationProduct = z.extend(
  z.omit(product, {
    failure_reason: true,
    stl_file_ids: true,
    has_unpublished_changes: true,
    stl_thumbnail_path: true,
    site_check: true,
    license_override: true,
    revision: true,
    deleted_at: true,
  }),
  { currency: z.string() },
)
export type IntegrationProduct = z.output<typeof integrationProduct>

export const listIntegrationProducts = get('/api/integration/products', READ, {
  summary: 'The local catalogue, newest first',
  query: z.object({
    ...pageQuery,
    status: z.optional(z.enum(PRODUCT_STATUSES, 'status is not one of the statuses of a product')),
  }),
  returns: z.array(integrationProduct),
})
