import * as z from 'zod/mini'
import { queryText } from './fields.ts'
import { declareEndpoints } from './endpoint.ts'
import { SKU_MAX_LENGTH, inventoryItem } from './inventory/items.ts'
import { receiveOrderBody } from './orders/order-body.ts'
import { order, orderLine, setPart } from './orders/orders.ts'
import { product } from './products/products.ts'
import { PRODUCT_STATUSES } from './statuses.ts'

/**
 * The API for the main shop, which sends orders and reads stock and products. Callers need an API key with the scope
 * `integration`.
 */
const { list, post } = declareEndpoints('integration')

const READ = { scope: 'integration', owner: 'viewer' } as const
const WRITE = { scope: 'integration', owner: 'staff' } as const

const PICTURE = { stl_thumbnail_path: true, color_hex: true } as const

/** An order without the fields that only people may see. */
const integrationOrder = z.extend(z.omit(order, { items: true, is_reported_to_shop: true }), {
  items: z.array(
    z.extend(z.omit(orderLine, { ...PICTURE, parts: true }), { parts: z.array(z.omit(setPart, PICTURE)) }),
  ),
})
export type IntegrationOrder = z.output<typeof integrationOrder>

export const receiveOrder = post('/api/integration/orders', WRITE, {
  summary: 'Create an order, or update the order with the same number (200 instead of 201)',
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

/** The stock and price data that a shop needs for an item. */
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

export const listStock = list('/api/integration/stock', READ, {
  summary: 'Stock of items, and the pieces that are free for sale, newest item first',
  filter: {
    /** If given, returns only the item with this SKU, in upper or lower case. */
    sku: queryText('sku', SKU_MAX_LENGTH),
  },
  of: stockLevel,
})

/** A product without the fields that only people in the shop need. */
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

export const listIntegrationProducts = list('/api/integration/products', READ, {
  summary: 'The local catalog, newest first',
  filter: {
    status: z.optional(z.enum(PRODUCT_STATUSES, 'status must be one of the statuses of a product')),
  },
  of: integrationProduct,
})
