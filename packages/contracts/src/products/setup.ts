import * as z from 'zod/mini'
import { nullable, optionalId } from '../fields.ts'
import { costSheet } from '../inventory/costs.ts'
import { declareEndpoints } from '../endpoint.ts'
import { PRODUCT_LICENSES } from './product-rules.ts'

/** Initial values and publishing problems, which the wizard requests before it stores anything. */
const { get, post } = declareEndpoints('products')

/**
 * Kinds of findings. A `fault` prevents publishing. A `block` prevents it until an admin gives a reason. A `notice`
 * does not prevent it.
 */
const FINDING_KINDS = ['fault', 'block', 'notice'] as const

const finding = z.object({
  kind: z.enum(FINDING_KINDS),
  /** The wizard field that the finding concerns: `name`, `license`, `images`, `price` or `stl_file_ids`. */
  field: z.string(),
  message: z.string(),
  /** The model that the finding concerns. Null if it does not concern a model. */
  stl_file_id: nullable.id,
})

/** Production cost of one piece, as far as it is known before publishing. */
const productCost = z.extend(costSheet, {
  /** `item`: the cost of one piece of the linked item. `models`: the cost of one print of each linked model. */
  basis: z.enum(['item', 'models']),
  /** Assumptions behind the cost, one sentence each. */
  assumptions: z.array(z.string()),
})
export type ProductCost = z.output<typeof productCost>

const productReview = z.object({
  findings: z.array(finding),
  /** Result of the license check. `blocked` requires an override with a reason from an admin or owner. */
  license_verdict: z.enum(['allowed', 'notice', 'blocked']),
  /** Credits that the listing must show. */
  attributions: z.array(z.string()),
  /** Cost of one piece. Null if neither material nor print time is known. */
  cost: nullable.number,
  /** How the cost was calculated. */
  cost_sheet: z.nullable(productCost),
  /** The published product that already sells the linked item. Null if there is none. */
  sold_as: z.nullable(z.object({ id: z.uuid(), name: z.string() })),
})
export type ProductReview = z.output<typeof productReview>

/** Accepts a draft in any state. Problems in the draft are part of the response and not an error. */
export const reviewProduct = post('/api/products/review', 'staff', {
  summary: 'Review a product before publishing; stores nothing',
  body: z.record(z.string(), z.unknown()),
  returns: productReview,
  errors: ['MALFORMED_REQUEST'],
})

/**
 * An existing picture. `path` is a signed path on this server. The picture becomes product media when a
 * person selects it.
 */
const startPicture = z.object({
  kind: z.enum(['picture', 'back', 'turntable']),
  stl_file_id: z.uuid(),
  path: nullable.text,
})

/** Initial values of a draft. Unknown values are null or empty. Lengths are millimeters. */
const productStart = z.object({
  name: z.string(),
  /** A slug that no product has at this time. */
  slug: z.string(),
  description: z.string(),
  tags: z.array(z.string()),
  license: z.nullable(z.enum(PRODUCT_LICENSES)),
  designer: nullable.text,
  designerUrl: nullable.text,
  /** The item's price. If it has none, the price that its cost suggests. */
  price: nullable.number,
  stock: nullable.number,
  inventory_item_id: nullable.id,
  stl_file_ids: z.array(z.uuid()),
  size_mm: z.nullable(z.tuple([z.number(), z.number(), z.number()])),
  weight_grams: nullable.number,
  /** Cost of one piece. `reviewProduct` returns the calculation. */
  cost: nullable.number,
  pictures: z.array(startPicture),
  /** Credits that the listing must show. */
  attributions: z.array(z.string()),
})
export type ProductStart = z.output<typeof productStart>

export const getProductStart = get('/api/products/start', 'staff', {
  summary: 'Initial values of a product from a model or an item; stores nothing',
  query: z.object({
    stl_file_id: optionalId('stl_file_id'),
    inventory_item_id: optionalId('inventory_item_id'),
  }),
  returns: productStart,
  errors: ['MODEL_NOT_FOUND', 'ITEM_NOT_FOUND'],
})

/**
 * Stores the library's pictures of a model as media under unused names, so that no file is replaced. A second call
 * returns the same files.
 */
export const takeModelPictures = post('/api/products/start/pictures', 'staff', {
  summary: "Use a model's pictures as product media",
  body: z.object({
    stl_file_id: z.uuid('stl_file_id is not an id'),
    slug: z
      .string()
      .check(z.regex(/^[a-z0-9-]{1,200}$/, 'Slug must contain only lowercase letters, numbers, and hyphens')),
  }),
  /** Public addresses relative to the hosted service (see `publicMediaPath`). */
  creates: z.object({ images: z.array(z.string()), posterUrl: nullable.text }),
  errors: [
    'MALFORMED_REQUEST',
    'MODEL_NOT_FOUND',
    'THUMBNAIL_NOT_READY',
    'STORAGE_FULL',
    'IDEMPOTENCY_KEY_REUSED',
  ],
})
