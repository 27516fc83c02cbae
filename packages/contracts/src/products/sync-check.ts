import * as z from 'zod/mini'
import { timestamp } from '../fields.ts'
import { productEdit } from './product-rules.ts'

/** What of a product is compared with what the main site has, by the names of the payload. */
export const COMPARED_FIELDS = ['name', 'price', 'stock', 'images', 'posterUrl'] as const
export type ComparedField = (typeof COMPARED_FIELDS)[number]

/** The site has what it was sent, has something else, or has no such product any more; or nobody knows. */
export const SITE_CHECK_OUTCOMES = ['same', 'differs', 'missing', 'unknown'] as const
export type SiteCheckOutcome = (typeof SITE_CHECK_OUTCOMES)[number]

/** When the site was first seen to have this value. */
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
  ours: z.nullable(z.string()),
  theirs: z.nullable(z.string()),
})

/** A field as it is here and on the site. */
const siteValues = z.discriminatedUnion('field', [nameValues, numberValues, imagesValues, posterValues])
export type SiteValues = z.output<typeof siteValues>

const siteDifference = z.discriminatedUnion('field', [
  z.extend(nameValues, { since }),
  z.extend(numberValues, { since }),
  z.extend(imagesValues, { since }),
  z.extend(posterValues, { since }),
])
export type SiteDifference = z.output<typeof siteDifference>

/** What is known of a product on the main site. */
export const siteCheck = z.object({
  /** As it was last found out. */
  outcome: z.enum(SITE_CHECK_OUTCOMES),
  /** When that was; null where it never was. */
  known_at: z.nullable(timestamp),
  /** Why the latest try found out nothing: the site is away, or answered what nobody understands. */
  problem: z.nullable(z.string()),
  /** When it was last tried. */
  checked_at: timestamp,
  /** Values of the site that are neither what is here nor what it was sent. */
  differences: z.array(siteDifference),
  /** Values that were changed here and that the site, when last asked, did not have yet: no differences, but unpublished. */
  unpublished: z.array(siteValues),
})
export type SiteCheck = z.output<typeof siteCheck>

/** The site's values, as they were shown to the person who wants them here. */
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
