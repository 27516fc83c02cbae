import * as z from 'zod/mini'
import { pageQuery, queryText } from './fields.ts'
import { declareEndpoints } from './endpoint.ts'
import { MAX_ITEM_QUANTITY, SKU_MAX_LENGTH, inventoryItem } from './inventory/items.ts'
import { order, orderLine } from './orders.ts'
import { product } from './products/products.ts'
import { ORDER_STATUSES, PRODUCT_STATUSES } from './statuses.ts'

const { get, post } = declareEndpoints('integration')

/** The main shop's side: orders come in, stock and products go out. For API keys of scope `integration` alone. */

const ORDER_NUMBER_MAX_LENGTH = 64
const CUSTOMER_MAX_LENGTH = 200
const EMAIL_MAX_LENGTH = 320
const EXTERNAL_ID_MAX_LENGTH = 200
const NOTES_MAX_LENGTH = 10_000
const LINE_NAME_MAX_LENGTH = 500
const MAX_ORDER_LINES = 500

/** The database knows no zero character and no half of a character. */
const UNSTORABLE = /[\0\p{Cs}]/u

const text = (name: string, maxLength: number) =>
  z.string(`${name} is a text`).check(
    z.trim(),
    z.maxLength(maxLength, `${name} has at most ${maxLength} characters`),
    z.refine((value) => !UNSTORABLE.test(value), `${name} holds a character that no text has`),
  )

/** Where a text may be missing, an empty one is missing too. */
const optionalText = (name: string, maxLength: number) =>
  z.optional(
    z.pipe(
      z.nullable(text(name, maxLength)),
      z.transform((value) => value || null),
    ),
  )

const amount = (name: string) =>
  z
    .number(`${name} is a number`)
    .check(z.gte(0, `${name} is 0 or more`), z.lte(1_000_000_000, `${name} is at most 1,000,000,000`))

/** Not every moment that can be written is one that the database knows: the year 0, an offset of 30 hours. */
const isKnownMoment = (text: string): boolean => {
  const year = new Date(text).getUTCFullYear()
  return year >= 1 && year <= 9999
}

const moment = (name: string) => {
  const error = `${name} is a moment such as 2026-11-21T09:30:00Z`
  return z.iso.datetime({ offset: true, error }).check(z.refine(isKnownMoment, error))
}

const pieces = `quantity is a whole number from 1 to ${MAX_ITEM_QUANTITY}`

const receivedLine = z.object({
  sku: z._default(text('sku', SKU_MAX_LENGTH), ''),
  name: z._default(text('name', LINE_NAME_MAX_LENGTH), ''),
  quantity: z.int(pieces).check(z.gte(1, pieces), z.lte(MAX_ITEM_QUANTITY, pieces)),
  unit_price: amount('unit_price'),
})

/**
 * An order as a shop sends it. Sent again under the same number it changes what differs; a field that is left out
 * stays as it is, and on the first time takes its default. The total need not be the sum of the items.
 */
export const receiveOrderBody = z.object({
  order_number: text('order_number', ORDER_NUMBER_MAX_LENGTH).check(
    z.minLength(1, 'order_number is required'),
  ),
  customer_name: z.optional(text('customer_name', CUSTOMER_MAX_LENGTH)),
  customer_email: optionalText('customer_email', EMAIL_MAX_LENGTH),
  /** `pending` at first. */
  status: z.optional(z.enum(ORDER_STATUSES, `status is one of ${ORDER_STATUSES.join(', ')}`)),
  /** In the configured currency, with no more decimals than it has. */
  total_amount: amount('total_amount'),
  /** If it is given, it must be the configured one. */
  currency: z.optional(z.string('currency is a code such as USD')),
  /** When the customer bought; now at first. */
  placed_at: z.optional(moment('placed_at')),
  due_at: z.optional(z.nullable(moment('due_at'))),
  /** The shop's own id of the order. */
  external_id: optionalText('external_id', EXTERNAL_ID_MAX_LENGTH),
  notes: optionalText('notes', NOTES_MAX_LENGTH),
  /** All of them, in their order; may be none. */
  items: z.optional(
    z
      .array(receivedLine, 'items is a list')
      .check(z.maxLength(MAX_ORDER_LINES, `An order has at most ${MAX_ORDER_LINES} items`)),
  ),
})
export type ReceiveOrderBody = z.output<typeof receiveOrderBody>

/** An order without what only people see. */
export const integrationOrder = z.extend(z.omit(order, { items: true }), {
  items: z.array(z.omit(orderLine, { stl_thumbnail_path: true, color_hex: true, short_by: true })),
})
export type IntegrationOrder = z.output<typeof integrationOrder>

export const receiveOrder = post(
  '/api/integration/orders',
  { scope: 'integration', owner: 'staff' },
  {
    summary: 'Hand over an order; once more under the same number it is updated (200 instead of 201)',
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
  },
)

/** What a shop must know of an item: how much of it can be sold, and for how much. */
export const stockLevel = z.extend(
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

export const listStock = get(
  '/api/integration/stock',
  { scope: 'integration', owner: 'viewer' },
  {
    summary: 'What is in stock and free to be sold, newest item first',
    query: z.object({
      ...pageQuery,
      /** That one item, whatever its case. */
      sku: queryText('sku', SKU_MAX_LENGTH),
    }),
    returns: z.array(stockLevel),
  },
)

/** A product without what is only about its making. */
export const integrationProduct = z.extend(
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

export const listIntegrationProducts = get(
  '/api/integration/products',
  { scope: 'integration', owner: 'viewer' },
  {
    summary: 'The local catalogue, newest first',
    query: z.object({
      ...pageQuery,
      status: z.optional(z.enum(PRODUCT_STATUSES, 'status is not one of the statuses of a product')),
    }),
    returns: z.array(integrationProduct),
  },
)
