import * as z from 'zod/mini'
import { declareEndpoints } from '../endpoint.ts'
import { isWellFormed, nullable, requiredText, wholeNumber } from '../fields.ts'
import { SKU_MAX_LENGTH } from '../inventory/items.ts'

const { list, post } = declareEndpoints('orders')

const MAX_MAPPED_ITEMS = 50
const MAX_PIECES_PER_SET = 1000

/** A SKU as it occurs in orders, with the items that it stands for. */
const orderedSku = z.object({
  sku: z.string(),
  /** The name that an order line contains for the SKU. */
  name: z.string(),
  /** Number of orders with this SKU. For an unknown SKU, only open orders are counted. */
  order_count: z.number(),
  /** Number of ordered pieces of the SKU in these orders. */
  quantity: z.number(),
  /** The time when the first of these orders was placed. */
  first_seen_at: nullable.timestamp,
  /** The time when the last of these orders was placed. */
  last_seen_at: nullable.timestamp,
  /** The latest orders with an unknown SKU, at most three. */
  orders: z.array(z.object({ id: z.uuid(), order_number: z.string() })),
  is_ignored: z.boolean(),
  /** The items that one piece of the SKU stands for. Empty while the SKU is unknown or ignored. */
  items: z.array(
    z.object({ inventory_item_id: z.uuid(), sku: z.string(), name: z.string(), quantity: z.number() }),
  ),
  /**
   * Items of the SKU's mapping that were deleted. Until all of them are restored, the mapping does not apply to new
   * orders. Items can be restored from the trash for 30 days.
   */
  deleted_items: z.array(
    z.object({ inventory_item_id: z.uuid(), sku: z.string(), name: z.string(), is_restorable: z.boolean() }),
  ),
})
export type OrderedSku = z.output<typeof orderedSku>

export const SKU_STATES = ['unknown', 'mapped', 'ignored'] as const
export type SkuState = (typeof SKU_STATES)[number]

export const listUnknownSkus = list('/api/orders/unknown-skus', 'staff', {
  summary:
    'SKUs of open orders that match no item, most ordered first; or SKUs that somebody has mapped or ignored, latest first',
  filter: {
    state: z._default(z.enum(SKU_STATES, `state must be one of ${SKU_STATES.join(', ')}`), 'unknown'),
  },
  of: orderedSku,
})

const skuBody = z.object({ sku: requiredText(SKU_MAX_LENGTH, 'sku', undefined, isWellFormed) })

/** A decision about a SKU, and the number of open orders that it changed. */
const skuDecision = z.object({
  sku: z.string(),
  changed_orders: z.number(),
  /** Ids of print jobs that the changed orders no longer need and that no printer prints. A person can cancel them. */
  proposed_cancellations: z.array(z.uuid()),
})
export type SkuDecision = z.output<typeof skuDecision>

const mapSkuBody = z.object({
  ...skuBody.shape,
  /** The pieces that one piece of the SKU stands for. */
  items: z
    .array(
      z.object({
        inventory_item_id: z.uuid('inventory_item_id is not an id'),
        quantity: z._default(wholeNumber('quantity', 1, MAX_PIECES_PER_SET), 1),
      }),
      'items must be a list',
    )
    .check(
      z.minLength(1, 'Choose at least one item.'),
      z.maxLength(MAX_MAPPED_ITEMS, `A set can have at most ${MAX_MAPPED_ITEMS} items.`),
    ),
})
export type MapSkuBody = z.output<typeof mapSkuBody>

const DECISION_ERRORS = ['MALFORMED_REQUEST', 'CONFLICT'] as const

export const mapSku = post('/api/orders/unknown-skus/map', 'staff', {
  summary: 'Map an SKU to items, in open orders at once and in all later orders',
  body: mapSkuBody,
  returns: skuDecision,
  errors: [...DECISION_ERRORS, 'ORDER_INVALID'],
})

export const ignoreSku = post('/api/orders/unknown-skus/ignore', 'staff', {
  summary: 'Ignore an SKU that is not kept in stock',
  body: skuBody,
  returns: skuDecision,
  errors: DECISION_ERRORS,
})

export const forgetSku = post('/api/orders/unknown-skus/forget', 'staff', {
  summary: 'Undo the mapping of an SKU, or stop ignoring it',
  body: skuBody,
  returns: skuDecision,
  errors: ['MALFORMED_REQUEST'],
})
