import * as z from 'zod/mini'
import { nullable, timestamp } from '../fields.ts'
import { productEdit } from './product-rules.ts'

/** Fields of a product that are compared with the main site. */
export const COMPARED_FIELDS = ['name', 'price', 'stock', 'images', 'posterUrl'] as const
export type ComparedField = (typeof COMPARED_FIELDS)[number]

/**
 * `same` means that the site has the published values. `differs` means that it has other values. `missing`
 * means that it no longer has the product. `unknown` means that the state is not known.
 */
const SITE_CHECK_OUTCOMES = ['same', 'differs', 'missing', 'unknown'] as const
export type SiteCheckOutcome = (typeof SITE_CHECK_OUTCOMES)[number]

/** The time when a check first found this value on the site. */
const since = timestamp

const nameValues = z.object({ field: z.literal('name'), ours: z.string(), theirs: z.string() })
const numberValues = z.object({ field: z.enum(['price', 'stock']), ours: z.number(), theirs: z.number() })
const imagesValues = z.object({
  field: z.literal('images'),
  ours: z.array(z.string()),
  theirs: z.array(z.string()),
})
const posterValues = z.object({
  field: z.literal('posterUrl'),
  ours: nullable.text,
  theirs: nullable.text,
})

/** The value of a field here (`ours`) and on the site (`theirs`). */
const siteValues = z.discriminatedUnion('field', [nameValues, numberValues, imagesValues, posterValues])
export type SiteValues = z.output<typeof siteValues>

const siteDifference = z.discriminatedUnion('field', [
  z.extend(nameValues, { since }),
  z.extend(numberValues, { since }),
  z.extend(imagesValues, { since }),
  z.extend(posterValues, { since }),
])
export type SiteDifference = z.output<typeof siteDifference>

/** State of a product on the main site. */
export const siteCheck = z.object({
  /** Result of the last successful check. */
  outcome: z.enum(SITE_CHECK_OUTCOMES),
  /** Time of the last successful check. Null if there was none. */
  known_at: nullable.timestamp,
  /** Why the last check failed: the site was unreachable, or its response could not be read. */
  problem: nullable.text,
  /** Time of the last check, successful or not. */
  checked_at: timestamp,
  /**
   * Values of the site that match neither the product here nor its last publication. For the stock of a product with an
   * item, `ours` is the stock that was sent.
   */
  differences: z.array(siteDifference),
  /** Values that have changed here and are not published yet. They are not part of `differences`. */
  unpublished: z.array(siteValues),
})
export type SiteCheck = z.output<typeof siteCheck>

/** Values of the site that the person saw and wants to accept. */
export const acceptSiteBody = z
  .object({
    name: productEdit.shape.name,
    price: productEdit.shape.price,
    stock: productEdit.shape.stock,
    images: productEdit.shape.images,
    posterUrl: productEdit.shape.posterUrl,
  })
  .check(
    z.refine(
      (body) => Object.values(body).some((value) => value !== undefined),
      'Name at least one field to accept',
    ),
  )
export type AcceptSiteBody = z.output<typeof acceptSiteBody>
