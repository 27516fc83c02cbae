import * as z from 'zod/mini'
import { actor, isWellFormed, nullable, requiredText, timestamp } from '../fields.ts'
import { declareEndpoints } from '../endpoint.ts'
import { CREATE_ERRORS, product, saveProductBody } from './products.ts'
import { PUBLICATION_STATUSES } from '../statuses.ts'

const { get, post } = declareEndpoints('products', { notFound: 'PRODUCT_NOT_FOUND' })

/** Number of seconds in which the main site must accept a product. */
export const MAIN_SITE_TIMEOUT_SECONDS = 15
/** Maximum length of a message from the main site. Longer messages are cut. */
export const MAIN_SITE_MESSAGE_MAX_LENGTH = 500
const OVERRIDE_REASON_MAX_LENGTH = 2000

/** The message of a publication if no main site is configured. */
export const PUBLISHED_LOCALLY =
  'Stored in the local catalog. No main site is configured, so nothing was sent to a shop.'

/**
 * One publication of a product to the main site, with all its attempts. All attempts send the same
 * idempotency key to the site.
 */
const publication = z.object({
  id: z.uuid(),
  /** Number of the publication within its product, counted from 1. */
  number: z.number(),
  /** `local` if no main site was configured. */
  target: z.enum(['main_site', 'local']),
  status: z.enum(PUBLICATION_STATUSES),
  tries: z.number(),
  /** HTTP status of the last response. Null if there was no response. */
  http_status: nullable.number,
  /** The outcome as a readable message. After a failure, it is the main site's own text. */
  message: nullable.text,
  actor,
  created_at: timestamp,
  sent_at: nullable.timestamp,
  finished_at: nullable.timestamp,
})
export type Publication = z.output<typeof publication>

/** A product with the publication that has just ended. */
const publishedProduct = z.extend(product, { publication })
export type PublishedProduct = z.output<typeof publishedProduct>

/**
 * The reason why a product may be sold although the license check blocks it. Only admins and owners can give
 * it.
 */
const licenseOverride = z.object({
  reason: requiredText(
    OVERRIDE_REASON_MAX_LENGTH,
    'The reason',
    'Please explain why this may be sold.',
    isWellFormed,
  ),
})

const publishProductBody = z.extend(saveProductBody, {
  /**
   * The draft from which the product is created. The draft stores the id of the product, and is deleted after
   * the publication.
   */
  draft_id: z.optional(z.uuid('draft_id is not an id')),
  /**
   * An id that the client creates for each new product in the wizard. All calls with the same id concern the same
   * product.
   */
  making_id: z.optional(
    z.string('making_id must be text').check(z.regex(/^[0-9a-f-]{32,36}$/, 'making_id is not an id')),
  ),
  license_override: z.optional(licenseOverride),
})
export type PublishProductBody = z.output<typeof publishProductBody>

/**
 * Stores the product and publishes it to the main site within 15 s. All calls with one `making_id` or one draft are
 * about one product, even if the slug changes. A call during a publication waits for its end.
 * - 201: the site has the product. A repeated call returns 200.
 * - 502: the publication failed with the site's text, and the product is kept as failed. To try again, repeat the call
 *   with the same slug, or call `POST /api/products/{id}/publish`.
 * - 409: the site may have the product under another slug, or another person has changed it.
 *
 * These two errors contain the `product_id`.
 */
export const createAdminProduct = post('/api/admin/products', 'staff', {
  summary: 'Store a product and publish it to the main site',
  body: publishProductBody,
  creates: publishedProduct,
  alternative: 200,
  errors: [
    ...CREATE_ERRORS,
    'PRODUCT_SLUG_FIXED',
    'PRODUCT_IN_SHOP',
    'PRODUCT_PUBLISHING',
    'LICENSE_BLOCKED',
    'MAIN_SITE_FAILED',
  ],
})

/**
 * Retries a failed publication, or sends later changes to the site. If there is nothing to send, the call returns
 * immediately. With `again`, it sends the product even without changes, for example because a check has found that the
 * site has other values or has lost the product. A repeated call with the same `Idempotency-Key` returns the
 * publication of the first call, or retries it if it has failed.
 */
export const publishProduct = post('/api/products/:id/publish', 'staff', {
  summary: 'Publish a product of the catalog to the main site',
  body: z.optional(
    z.nullable(
      z.object({
        license_override: z.optional(licenseOverride),
        again: z.optional(z.boolean('again must be true or false')),
      }),
    ),
  ),
  returns: publishedProduct,
  errors: ['MALFORMED_REQUEST', 'LICENSE_BLOCKED', 'MAIN_SITE_FAILED', 'IDEMPOTENCY_KEY_REUSED'],
})

export const listPublications = get('/api/products/:id/publications', 'signed-in', {
  summary: 'Publications of a product to the main site, newest first',
  returns: z.array(publication),
})
