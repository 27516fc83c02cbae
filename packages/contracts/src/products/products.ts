import * as z from 'zod/mini'
import { actor, pageQuery, searchText, timestamp } from '../fields.ts'
import { declareEndpoints } from '../endpoint.ts'
import {
  MAX_PRODUCT_MODELS,
  PRODUCT_CATEGORIES,
  PRODUCT_LICENSES,
  productEdit,
  productFields,
} from './product-rules.ts'
import { acceptSiteBody, siteCheck } from './sync-check.ts'
import { PRODUCT_STATUSES, PUBLICATION_STATUSES } from '../statuses.ts'

const { get, post, put, del } = declareEndpoints('products')

/** How long the main site has to take a product. */
export const MAIN_SITE_TIMEOUT_SECONDS = 15
/** Of the main site's words, as they are shown and kept. */
export const MAIN_SITE_MESSAGE_MAX_LENGTH = 500
const OVERRIDE_REASON_MAX_LENGTH = 2000

/** What is said of a publication where no main site is configured. */
export const PUBLISHED_LOCALLY =
  'Stored in the local catalogue. No main site is configured, so nothing was sent to a shop.'

/** A product of the local catalogue, by the field names of the main site. Its ETag is its revision in quotes. */
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
  posterUrl: z.nullable(z.string()),
  bulkTiers: z.nullable(z.array(z.object({ quantity: z.number(), price: z.number() }))),
  license: z.nullable(z.enum(PRODUCT_LICENSES)),
  designer: z.nullable(z.string()),
  designerUrl: z.nullable(z.string()),
  status: z.enum(PRODUCT_STATUSES),
  /** Why the last publication failed, in the main site's words; null where it did not. */
  failure_reason: z.nullable(z.string()),
  site_url: z.nullable(z.string()),
  published_at: z.nullable(timestamp),
  /** Whether it was changed since the site got it. */
  has_unpublished_changes: z.boolean(),
  /** How it compares with what the main site has; null where that was never asked. */
  site_check: z.nullable(siteCheck),
  /** Who sold it against the licence gate, and why. */
  license_override: z.nullable(z.object({ reason: z.string(), by: z.string(), at: timestamp })),
  inventory_item_id: z.nullable(z.uuid()),
  stl_file_ids: z.array(z.uuid()),
  /** The drawn picture of its first model that has one, or else of its item's; null where there is none. Signed, for `<img>`. */
  stl_thumbnail_path: z.nullable(z.string()),
  revision: z.number(),
  created_at: timestamp,
  updated_at: timestamp,
  /** When it was put into the bin, which keeps it for 30 days. */
  deleted_at: z.nullable(timestamp),
})
export type Product = z.output<typeof product>

/** One intention to bring a product to the main site, with all its tries: the site sees one key for all of them. */
export const publication = z.object({
  id: z.uuid(),
  /** From 1 for each product. */
  number: z.number(),
  /** `local` where no main site was configured. */
  target: z.enum(['main_site', 'local']),
  status: z.enum(PUBLICATION_STATUSES),
  tries: z.number(),
  /** Of the last answer; null where none came. */
  http_status: z.nullable(z.number()),
  /** What came of it, in words: the main site's where it failed. */
  message: z.nullable(z.string()),
  actor,
  created_at: timestamp,
  sent_at: z.nullable(timestamp),
  finished_at: z.nullable(timestamp),
})
export type Publication = z.output<typeof publication>

/** A product, and how bringing it to the main site ended. */
export const publishedProduct = z.extend(product, { publication })
export type PublishedProduct = z.output<typeof publishedProduct>

export const listProducts = get('/api/products', 'signed-in', {
  summary: 'The local catalogue, newest first',
  query: z.object({
    ...pageQuery,
    /** Each word must occur in the name or the slug. */
    search: searchText,
    status: z.optional(z.enum(PRODUCT_STATUSES, 'status is not one of the statuses of a product')),
    /** Those that differ from what the main site has, or are not there any more. */
    differs: z._default(z.stringbool({ error: 'differs must be true or false' }), false),
    /** The bin instead of the catalogue. */
    deleted: z._default(z.stringbool({ error: 'deleted must be true or false' }), false),
  }),
  returns: z.array(product),
})

export const getProduct = get('/api/products/:id', 'signed-in', {
  summary: 'One product, with its ETag',
  returns: product,
  errors: ['PRODUCT_NOT_FOUND'],
})

const links = {
  /** The stock it is sold from. */
  inventory_item_id: z.optional(z.nullable(z.uuid('inventory_item_id is not an id'))),
  /** The models it is made from. */
  stl_file_ids: z.optional(
    z
      .array(z.uuid('stl_file_ids holds what is no id'))
      .check(z.maxLength(MAX_PRODUCT_MODELS, `A product has at most ${MAX_PRODUCT_MODELS} models`)),
  ),
}

/** Why a product is sold although the licence gate stands against it. Admins and owners only. */
const licenseOverride = z.object({
  reason: z.string('Please explain why this may be sold.').check(
    z.trim(),
    z.minLength(1, 'Please explain why this may be sold.'),
    z.maxLength(
      OVERRIDE_REASON_MAX_LENGTH,
      `The reason has at most ${OVERRIDE_REASON_MAX_LENGTH} characters`,
    ),
    z.refine((text) => !/[\0\p{Cs}]/u.test(text), 'The reason holds a character that no text has'),
  ),
})

/** The product create payload, and what it is linked to. */
export const saveProductBody = z.extend(productFields, links)
export type SaveProductBody = z.output<typeof saveProductBody>

export const publishProductBody = z.extend(saveProductBody, {
  /** The draft that this came of: it remembers its product, and goes when that is published. */
  draft_id: z.optional(z.uuid('draft_id is not an id')),
  /** The client's own name for what is being made, from the first field to the shop: all that comes under it is one product. */
  making_id: z.optional(
    z.string('making_id is not a text').check(z.regex(/^[0-9a-f-]{32,36}$/, 'making_id is not an id')),
  ),
  license_override: z.optional(licenseOverride),
})
export type PublishProductBody = z.output<typeof publishProductBody>

const PUBLISH_ERRORS = [
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'INVALID_INPUT',
  'MALFORMED_REQUEST',
  'PRODUCT_SLUG_TAKEN',
  'PRODUCT_SLUG_FIXED',
  'PRODUCT_IN_SHOP',
  'PRODUCT_PUBLISHING',
  'PRODUCT_INVALID',
  'ITEM_NOT_FOUND',
  'MODEL_NOT_FOUND',
  'LICENSE_BLOCKED',
  'IDEMPOTENCY_KEY_REUSED',
  'MAIN_SITE_FAILED',
] as const

/**
 * Stores the product and brings it to the main site, within 15 s. 2xx only when the site has it; otherwise 502 with the
 * site's words and `product_id`, and the product is kept as failed, to be tried again: by the same call with the same
 * slug (200, the product updated), or by `POST /api/products/{id}/publish`. Pressed again meanwhile, it waits for the
 * publication under way. The same product once more, after it was published, answers 200 and changes nothing. What comes
 * under one `making_id` or of one draft is one product whatever its slug: where the site has it, or may have it, under
 * another slug, or others have gone on with it, the answer is 409 with `product_id`.
 */
export const createAdminProduct = post('/api/admin/products', 'staff', {
  summary: 'Publish a product: store it and bring it to the main site',
  body: publishProductBody,
  creates: publishedProduct,
  alternative: 200,
  errors: PUBLISH_ERRORS,
})

export const createProduct = post('/api/products', 'staff', {
  summary: 'Add a product to the local catalogue, without publishing it',
  body: saveProductBody,
  creates: product,
  errors: [
    'MALFORMED_REQUEST',
    'PRODUCT_SLUG_TAKEN',
    'PRODUCT_INVALID',
    'ITEM_NOT_FOUND',
    'MODEL_NOT_FOUND',
    'IDEMPOTENCY_KEY_REUSED',
  ],
})

export const updateProductBody = z.extend(productEdit, links)
export type UpdateProductBody = z.output<typeof updateProductBody>

export const updateProduct = put('/api/products/:id', 'staff', {
  summary: 'Change a product here; the main site gets it with the next publication',
  body: updateProductBody,
  returns: product,
  errors: [
    'PRODUCT_NOT_FOUND',
    'PRECONDITION_FAILED',
    'PRECONDITION_REQUIRED',
    'PRODUCT_SLUG_TAKEN',
    'PRODUCT_SLUG_FIXED',
    'ITEM_NOT_FOUND',
    'MODEL_NOT_FOUND',
  ],
})

export const deleteProduct = del('/api/products/:id', 'staff', {
  summary: 'Put a product into the bin, which keeps it for 30 days; the main site keeps what it has',
  current: product,
  errors: ['PRODUCT_NOT_FOUND', 'PRECONDITION_FAILED', 'PRODUCT_PUBLISHING'],
})

export const restoreProduct = post('/api/products/:id/restore', 'staff', {
  summary: 'Take a product out of the bin',
  returns: product,
  errors: ['PRODUCT_NOT_FOUND', 'PRODUCT_SLUG_TAKEN'],
})

/**
 * Tries a failed publication again, or brings later changes to the site. With nothing to bring it answers at once. `again`
 * also brings what the site has had already, where it was since seen to have something else or to have lost the product.
 */
export const publishProduct = post('/api/products/:id/publish', 'staff', {
  summary: 'Bring a product of the catalogue to the main site',
  body: z.optional(
    z.nullable(
      z.object({
        license_override: z.optional(licenseOverride),
        again: z.optional(z.boolean('again must be true or false')),
      }),
    ),
  ),
  returns: publishedProduct,
  errors: ['PRODUCT_NOT_FOUND', 'MALFORMED_REQUEST', 'LICENSE_BLOCKED', 'MAIN_SITE_FAILED'],
})

/**
 * Asks the main site what it has of the product, as is done every so often anyway, and answers the product with what was
 * found. A site that is away, or answers what nobody understands, is an outcome in `site_check` and changes nothing else.
 */
export const checkProduct = post('/api/products/:id/check', 'staff', {
  summary: 'Compare a product with what the main site has, now',
  returns: product,
  errors: ['PRODUCT_NOT_FOUND', 'PRODUCT_NOT_ON_SITE', 'PRODUCT_PUBLISHING'],
})

/** An edit like any other, that takes its values from the site; nothing is sent there. */
export const acceptSiteValues = post('/api/products/:id/accept', 'staff', {
  summary: "Take over the main site's values, as they were shown",
  body: acceptSiteBody,
  returns: product,
  errors: [
    'PRODUCT_NOT_FOUND',
    'PRECONDITION_FAILED',
    'PRECONDITION_REQUIRED',
    'MALFORMED_REQUEST',
    'PRODUCT_PUBLISHING',
    'SITE_SAYS_OTHERWISE',
  ],
})

export const listPublications = get('/api/products/:id/publications', 'signed-in', {
  summary: 'How bringing a product to the main site went, newest first',
  returns: z.array(publication),
  errors: ['PRODUCT_NOT_FOUND'],
})
