import * as z from 'zod/mini'
import { costSheet } from '../inventory/costs.ts'
import { declareEndpoints } from '../endpoint.ts'
import { PRODUCT_LICENSES } from './product-rules.ts'

const { get, post } = declareEndpoints('products')

/** What the wizard asks before anything is stored: what to begin with, and what speaks against publishing. */

/** Kinds of findings: `fault` and `block` hold publishing up, a block until an admin explains it; a `notice` does not. */
export const FINDING_KINDS = ['fault', 'block', 'notice'] as const

const finding = z.object({
  kind: z.enum(FINDING_KINDS),
  /** The field that it is about, by its name in the wizard: `name`, `license`, `images`, `price`, `stl_file_ids`. */
  field: z.string(),
  message: z.string(),
  /** The model that it is about, where it is about one. */
  stl_file_id: z.nullable(z.uuid()),
})

/** What one piece of a product costs to make, as far as that is known before it is published. */
const productCost = z.extend(costSheet, {
  /** The linked item's own sum, or that of one print of each linked model. */
  basis: z.enum(['item', 'models']),
  /** What the sum stands on, a sentence each. */
  assumptions: z.array(z.string()),
})
export type ProductCost = z.output<typeof productCost>

export const productReview = z.object({
  findings: z.array(finding),
  /** What the licences allow: `blocked` wants an explained override by an admin or owner. */
  license_verdict: z.enum(['allowed', 'notice', 'blocked']),
  /** Lines that the listing owes the authors of what it sells. */
  attributions: z.array(z.string()),
  /** Of one piece, in sum; null where neither its material nor its printing is known. */
  cost: z.nullable(z.number()),
  /** How that comes about. */
  cost_sheet: z.nullable(productCost),
})
export type ProductReview = z.output<typeof productReview>

/** A draft of any state: what is wrong with it is the answer, not an error. */
export const reviewProduct = post('/api/products/review', 'staff', {
  summary: 'What speaks for and against publishing a product; stores nothing',
  body: z.record(z.string(), z.unknown()),
  returns: productReview,
  errors: ['MALFORMED_REQUEST'],
})

/** Something to show that exists already. `path` is a signed path on this server; it becomes media when it is taken. */
const startPicture = z.object({
  kind: z.enum(['picture', 'back', 'turntable']),
  stl_file_id: z.uuid(),
  path: z.nullable(z.string()),
})

/** A draft to begin with. What nobody knows is null or empty. Lengths are millimetres. */
export const productStart = z.object({
  name: z.string(),
  /** Free at the time of asking. */
  slug: z.string(),
  description: z.string(),
  tags: z.array(z.string()),
  license: z.nullable(z.enum(PRODUCT_LICENSES)),
  designer: z.nullable(z.string()),
  designerUrl: z.nullable(z.string()),
  /** The item's; where it has none, the one that its cost suggests. */
  price: z.nullable(z.number()),
  stock: z.nullable(z.number()),
  inventory_item_id: z.nullable(z.uuid()),
  stl_file_ids: z.array(z.uuid()),
  size_mm: z.nullable(z.tuple([z.number(), z.number(), z.number()])),
  weight_grams: z.nullable(z.number()),
  /** Of one piece, as the review explains it. */
  cost: z.nullable(z.number()),
  pictures: z.array(startPicture),
  /** Lines that the listing will owe. */
  attributions: z.array(z.string()),
})
export type ProductStart = z.output<typeof productStart>

export const getProductStart = get('/api/products/start', 'staff', {
  summary: 'What is known of a model or an item, as a product to begin with; stores nothing',
  query: z.object({
    stl_file_id: z.optional(z.uuid('stl_file_id is not an id')),
    inventory_item_id: z.optional(z.uuid('inventory_item_id is not an id')),
  }),
  returns: productStart,
  errors: ['MODEL_NOT_FOUND', 'ITEM_NOT_FOUND'],
})

/**
 * Makes media of the pictures that the library has drawn of a model, under names that nothing has yet: nothing is replaced.
 * Taken again, they are the same files.
 */
export const takeModelPictures = post('/api/products/start/pictures', 'staff', {
  summary: "Put a model's drawn pictures among the product media",
  body: z.object({
    stl_file_id: z.uuid('stl_file_id is not an id'),
    slug: z
      .string()
      .check(z.regex(/^[a-z0-9-]{1,200}$/, 'Slug must contain only lowercase letters, numbers, and hyphens')),
  }),
  /** Public addresses below the hosted service's, as `publicMediaPath` makes them. */
  creates: z.object({ images: z.array(z.string()), posterUrl: z.nullable(z.string()) }),
  errors: ['MALFORMED_REQUEST', 'MODEL_NOT_FOUND', 'THUMBNAIL_NOT_READY', 'STORAGE_FULL'],
})
