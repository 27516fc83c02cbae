import * as z from 'zod/mini'
import { clearableId, nullable, searchText, timestamp, revisedTimes } from '../fields.ts'
import { declareEndpoints } from '../endpoint.ts'
import {
  MAX_PRODUCT_MODELS,
  PRODUCT_CATEGORIES,
  PRODUCT_LICENSES,
  productEdit,
  productFields,
} from './product-rules.ts'
import { siteCheck, acceptSiteBody } from './sync-check.ts'
import { PRODUCT_STATUSES } from '../statuses.ts'

const { get, list, post, put, declareTrash } = declareEndpoints('products', { notFound: 'PRODUCT_NOT_FOUND' })

/**
 * A product of the local catalog. Its fields have the names that the main site uses. Its ETag is the revision in
 * quotes.
 */
export const product = z.object({
  id: z.uuid(),
  name: z.string(),
  slug: z.string(),
  category: z.enum(PRODUCT_CATEGORIES),
  price: z.number(),
  stock: z.number(),
  description: z.string(),
  tags: z.array(z.string()),
  images: z.array(z.string()),
  videos: z.array(z.string()),
  posterUrl: nullable.text,
  bulkTiers: z.nullable(z.array(z.object({ quantity: z.number(), price: z.number() }))),
  license: z.nullable(z.enum(PRODUCT_LICENSES)),
  designer: nullable.text,
  designerUrl: nullable.text,
  status: z.enum(PRODUCT_STATUSES),
  /** The main site's reason for the last failed publication. Null if the last one succeeded. */
  failure_reason: nullable.text,
  site_url: nullable.text,
  published_at: nullable.timestamp,
  /** Whether the product was changed after its last publication. */
  has_unpublished_changes: z.boolean(),
  /** Comparison with the main site. Null if the product was never compared. */
  site_check: z.nullable(siteCheck),
  /** The person who allowed the sale although the license check blocks it, and the reason. */
  license_override: z.nullable(z.object({ reason: z.string(), by: z.string(), at: timestamp })),
  inventory_item_id: nullable.id,
  /**
   * The stock that is offered to the shop: the available pieces of the item, minus the pieces that open orders and
   * on-hold orders of the shop still need, minus the safety stock, but never below 0. Null if the product has no item,
   * or if the item is in the trash. The shop then has the value of `stock`.
   */
  offered_stock: nullable.number,
  /** The numbers from which `offered_stock` is computed. */
  offered_from: z.nullable(
    z.object({
      available_quantity: z.number(),
      needed_quantity: z.number(),
      held_quantity: z.number(),
      safety_stock: z.number(),
    }),
  ),
  /** The pieces of the item that unfinished print jobs will still make. Null like `offered_stock`. */
  queued_quantity: nullable.number,
  stl_file_ids: z.array(z.uuid()),
  /**
   * The picture of the product's first model that has a picture, otherwise of its item's model. It is a
   * signed path for `<img>`, or null if there is no picture.
   */
  stl_thumbnail_path: nullable.text,
  ...revisedTimes,
})
export type Product = z.output<typeof product>

export const listProducts = list('/api/products', 'signed-in', {
  summary: 'The local catalog, newest first',
  filter: {
    /** Each word must occur in the name or the slug. */
    search: searchText,
    status: z.optional(z.enum(PRODUCT_STATUSES, 'status must be one of the statuses of a product')),
    /** Products that differ from the main site or are missing there. */
    differs: z._default(z.stringbool({ error: 'differs must be true or false' }), false),
    /** Lists the trash instead of the catalog. */
    deleted: z._default(z.stringbool({ error: 'deleted must be true or false' }), false),
  },
  of: product,
})

export const getProduct = get('/api/products/:id', 'signed-in', {
  summary: 'One product, with its ETag',
  returns: product,
})

const links = {
  /** The item that is sold as this product, from its stock. */
  inventory_item_id: clearableId('inventory_item_id'),
  /** The models from which the product is printed. */
  stl_file_ids: z.optional(
    z
      .array(z.uuid('stl_file_ids must be a list of ids'))
      .check(z.maxLength(MAX_PRODUCT_MODELS, `A product can have at most ${MAX_PRODUCT_MODELS} models`)),
  ),
}

/** The fields of a product, and its links to an item and models. */
export const saveProductBody = z.extend(productFields, links)
export type SaveProductBody = z.output<typeof saveProductBody>

/** Errors of every call that creates a product. */
export const CREATE_ERRORS = [
  'MALFORMED_REQUEST',
  'PRODUCT_SLUG_TAKEN',
  'PRODUCT_INVALID',
  'ITEM_NOT_FOUND',
  'MODEL_NOT_FOUND',
  'IDEMPOTENCY_KEY_REUSED',
] as const

export const createProduct = post('/api/products', 'staff', {
  summary: 'Add a product to the local catalog, without publishing it',
  body: saveProductBody,
  creates: product,
  errors: CREATE_ERRORS,
})

export const updateProductBody = z.extend(productEdit, links)
export type UpdateProductBody = z.output<typeof updateProductBody>

export const updateProduct = put('/api/products/:id', 'staff', {
  summary: 'Change a product here; the next publication sends it to the main site',
  body: updateProductBody,
  returns: product,
  errors: [
    'PRECONDITION_FAILED',
    'PRECONDITION_REQUIRED',
    'PRODUCT_SLUG_TAKEN',
    'PRODUCT_SLUG_FIXED',
    'ITEM_NOT_FOUND',
    'MODEL_NOT_FOUND',
  ],
})

export const { remove: deleteProduct, restore: restoreProduct } = declareTrash('/api/products', 'staff', {
  name: 'a product',
  returns: product,
  remove: ['PRODUCT_PUBLISHING'],
  restore: ['PRODUCT_SLUG_TAKEN'],
})

/**
 * Compares the product with the main site now, in addition to the regular checks. If the site is unreachable
 * or its response cannot be read, `site_check` reports this, and nothing else changes.
 */
export const checkProduct = post('/api/products/:id/check', 'staff', {
  summary: 'Compare a product with the main site now',
  returns: product,
  errors: ['PRODUCT_NOT_ON_SITE', 'PRODUCT_PUBLISHING'],
})

/**
 * Edits the product with values from the site. The stock of a product with an item adjusts the pieces of the item. The
 * site itself is not changed.
 */
export const acceptSiteValues = post('/api/products/:id/accept', 'staff', {
  summary: 'Accept the values of the main site that were shown',
  body: acceptSiteBody,
  returns: product,
  errors: [
    'PRECONDITION_FAILED',
    'PRECONDITION_REQUIRED',
    'MALFORMED_REQUEST',
    'PRODUCT_PUBLISHING',
    'SITE_SAYS_OTHERWISE',
    'STOCK_LIMIT',
  ],
})
