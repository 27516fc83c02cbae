import * as z from 'zod/mini'
import { requiredText, text, isWellFormed } from '../fields.ts'
import { addressFault, isWebAddress } from '../web-address.ts'

/** Rules for products. The wizard and the server share these schemas; the messages come from the specification. */

export const PRODUCT_CATEGORIES = ['miniatures', 'terrain', 'accessories', 'tools', 'other'] as const
export type ProductCategory = (typeof PRODUCT_CATEGORIES)[number]

export const PRODUCT_LICENSES = ['cc0', 'cc-by', 'cc-by-sa', 'cc-by-nc', 'custom'] as const
export type ProductLicense = (typeof PRODUCT_LICENSES)[number]

const PRODUCT_NAME_MAX_LENGTH = 200
export const SLUG_MAX_LENGTH = 200
const PRODUCT_DESCRIPTION_MAX_LENGTH = 20_000
const MAX_PRODUCT_STOCK = 1_000_000_000
const MAX_PRODUCT_PRICE = 1_000_000_000
const MAX_PRODUCT_MEDIA = 50
const MAX_PRODUCT_TAGS = 50
const PRODUCT_TAG_MAX_LENGTH = 50
export const MAX_PRODUCT_MODELS = 50
export const MAX_BULK_TIERS = 50
const ADDRESS_MAX_LENGTH = 2000
const DESIGNER_MAX_LENGTH = 200

const SLUG = /^[a-z0-9-]+$/

/**
 * Derives a slug from a name: lower-case letters, digits and single hyphens. White space becomes hyphens, accents are
 * removed from their letters, and all other characters are dropped. A long slug is cut, so that it does not end with
 * the hyphen of a cut word.
 */
export const toSlug = (name: string, maxLength: number = SLUG_MAX_LENGTH): string => {
  const slug = name
    .trim()
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9\s-]/g, '')
    .replace(/\s+/g, '-')
    .replace(/-+/g, '-')
  return slug.length <= maxLength ? slug : slug.slice(0, maxLength).replace(/-$/, '')
}

/** Splits typed, comma-separated tags into a list without surrounding spaces, empty tags and repetitions. */
export const parseTags = (text: string): string[] => trimmedTags(text.split(','))

const trimmedTags = (tags: readonly string[]): string[] => [
  ...new Set(tags.map((tag) => tag.trim()).filter((tag) => tag !== '')),
]

/** An optional string. Null and an empty string have the same meaning. */
const optionalText = (name: string, maxLength: number) =>
  z.pipe(
    z.nullable(text(maxLength, name, isWellFormed)),
    z.transform((value) => value || null),
  )

/** Matches a number as people type it. JavaScript also converts texts such as `0x10`, which nobody means as a price. */
const DECIMAL = /^\s*[+-]?(\d+\.?\d*|\.\d+)\s*$/

/** Converts the string of a form input to a number. Other values are returned unchanged, and the schema checks them. */
const toNumber = (value: unknown): unknown =>
  typeof value === 'string' && DECIMAL.test(value) ? Number(value) : value

const amount = (message: string) => z.pipe(z.transform(toNumber), z.number(message).check(z.gte(0, message)))

const price = amount('Price must be a positive number').check(
  z.refine((value) => value <= MAX_PRODUCT_PRICE, `Price must be at most ${MAX_PRODUCT_PRICE}`),
)

const stock = amount('Stock must be a non-negative number').check(
  z.refine(Number.isInteger, 'Stock must be a whole number'),
  z.refine((value) => value <= MAX_PRODUCT_STOCK, `Stock must be at most ${MAX_PRODUCT_STOCK}`),
)

/**
 * Returns whether a value is the address of a media file: a web address, or a path without a host on our own
 * server.
 */
const isMediaAddress = (value: string): boolean =>
  value.length <= ADDRESS_MAX_LENGTH &&
  isWellFormed(value) &&
  (isWebAddress(value) || /^\/(?![/\\])/.test(value))

const mediaAddress = (name: string) =>
  z.string(`${name} must be a web address`).check(
    z.trim(),
    z.refine(isMediaAddress, {
      error: ({ input }) => addressFault(input, `${name} must be a web address`),
    }),
  )

const mediaList = (name: string, each: string) =>
  z
    .array(mediaAddress(each), `${name} must be a list of web addresses`)
    .check(
      z.maxLength(MAX_PRODUCT_MEDIA, `A product can have at most ${MAX_PRODUCT_MEDIA} ${name.toLowerCase()}`),
    )

const tags = z.pipe(
  z.pipe(
    z.array(z.string('Tags must be a list of words'), 'Tags must be a list of words'),
    z.transform((words: string[]) => trimmedTags(words)),
  ),
  z
    .array(
      z
        .string()
        .check(
          z.maxLength(PRODUCT_TAG_MAX_LENGTH, `A tag can have at most ${PRODUCT_TAG_MAX_LENGTH} characters`),
          z.refine(isWellFormed, 'Tags contain an invalid character'),
        ),
    )
    .check(z.maxLength(MAX_PRODUCT_TAGS, `A product can have at most ${MAX_PRODUCT_TAGS} tags`)),
)

/** A quantity discount: from `quantity` pieces on, each piece costs `price`. */
export interface BulkTier {
  quantity: number
  price: number
}

/** The tiers, or a message that says what is wrong with them. */
type BulkTiersReading = { ok: true; tiers: BulkTier[] | null } | { ok: false; message: string }

const isFilled = (value: unknown): boolean =>
  typeof value === 'number' ? Number.isFinite(value) : typeof value === 'string' && value.trim() !== ''

function readTier(tier: unknown, number: number): BulkTier | string {
  const missing = `Tier ${number} must have quantity and price`
  if (typeof tier !== 'object' || tier === null) return missing
  const { quantity, price: piece } = tier as Record<string, unknown>
  if (!isFilled(quantity) || !isFilled(piece)) return missing
  const [count, each] = [Number(quantity), Number(piece)]
  // A quantity that is 0 or negative is treated as missing.
  if (Number.isNaN(count) || Number.isNaN(each) || count <= 0 || each < 0) return missing
  if (!Number.isInteger(count) || count > MAX_PRODUCT_STOCK)
    return `Tier ${number} must have a whole number as quantity`
  if (each > MAX_PRODUCT_PRICE) return `Tier ${number} must have a price of at most ${MAX_PRODUCT_PRICE}`
  return { quantity: count, price: each }
}

function readTiers(value: unknown): BulkTiersReading {
  if (!Array.isArray(value)) return { ok: false, message: 'Bulk tiers must be an array' }
  if (value.length > MAX_BULK_TIERS)
    return { ok: false, message: `A product can have at most ${MAX_BULK_TIERS} bulk tiers` }
  const tiers: BulkTier[] = []
  for (const [at, tier] of value.entries()) {
    const read = readTier(tier, at + 1)
    if (typeof read === 'string') return { ok: false, message: read }
    tiers.push(read)
  }
  return { ok: true, tiers }
}

/**
 * Parses bulk tiers from a list or from its JSON text. A missing value and an empty string mean that there
 * are no tiers.
 */
export function readBulkTiers(value: unknown): BulkTiersReading {
  if (value === undefined || value === null) return { ok: true, tiers: null }
  if (typeof value !== 'string') return readTiers(value)
  if (value.trim() === '') return { ok: true, tiers: null }
  let parsed: unknown
  try {
    parsed = JSON.parse(value)
  } catch {
    return { ok: false, message: 'Invalid JSON format for bulk tiers' }
  }
  return parsed === null ? { ok: true, tiers: null } : readTiers(parsed)
}

const bulkTiers = z.pipe(
  z.unknown(),
  z.transform((value, context): BulkTier[] | null => {
    const read = readBulkTiers(value)
    if (read.ok) return read.tiers
    context.issues.push({ code: 'custom', message: read.message, input: value })
    return z.NEVER
  }),
)

const DESIGNER_URL = 'Designer URL must be a valid URL'

const designerUrl = z.pipe(
  z.nullable(
    z.string(DESIGNER_URL).check(
      z.trim(),
      z.maxLength(ADDRESS_MAX_LENGTH, `Designer URL can have at most ${ADDRESS_MAX_LENGTH} characters`),
      z.refine((value) => value === '' || (isWebAddress(value) && isWellFormed(value)), DESIGNER_URL),
    ),
  ),
  z.transform((value) => value || null),
)

const emptyToNull = z.transform((value: unknown) => (value === '' ? null : value))
const posterUrl = z.pipe(emptyToNull, z.nullable(mediaAddress('The poster')))

const license = z.pipe(
  emptyToNull,
  z.nullable(z.enum(PRODUCT_LICENSES, 'License must be one of the licenses offered')),
)

const category = z.enum(PRODUCT_CATEGORIES, {
  error: ({ input }) =>
    input === undefined || input === null || input === ''
      ? 'Category is required'
      : 'Category must be one of the categories offered',
})

const slug = requiredText(SLUG_MAX_LENGTH, 'Product slug', undefined, isWellFormed).check(
  z.refine(
    (value) => value === '' || SLUG.test(value),
    'Slug must contain only lowercase letters, numbers, and hyphens',
  ),
)

/** The fields in step 1 of the wizard. */
const productBasics = z.object({
  name: requiredText(PRODUCT_NAME_MAX_LENGTH, 'Product name', undefined, isWellFormed),
  slug,
  category,
  price,
  stock,
  description: requiredText(PRODUCT_DESCRIPTION_MAX_LENGTH, 'Description', undefined, isWellFormed),
})

/**
 * All fields of a product, with the names that the main site uses. Price and stock may be strings from form
 * inputs, and bulk tiers may be JSON text. The output has numbers and a list.
 */
export const productFields = z.extend(productBasics, {
  tags: z._default(tags, []),
  images: z._default(mediaList('Images', 'Each image'), []),
  videos: z._default(mediaList('Videos', 'Each video'), []),
  posterUrl: z._default(posterUrl, null),
  bulkTiers: z._default(bulkTiers, null),
  license: z._default(license, null),
  designer: z._default(optionalText('Designer', DESIGNER_MAX_LENGTH), null),
  designerUrl: z._default(designerUrl, null),
})
export type ProductFields = z.output<typeof productFields>

/** The fields of an edit. Missing fields stay unchanged. */
export const productEdit = z.object({
  name: z.optional(productBasics.shape.name),
  slug: z.optional(slug),
  category: z.optional(category),
  price: z.optional(price),
  stock: z.optional(stock),
  description: z.optional(productBasics.shape.description),
  tags: z.optional(tags),
  images: z.optional(mediaList('Images', 'Each image')),
  videos: z.optional(mediaList('Videos', 'Each video')),
  posterUrl: z.optional(posterUrl),
  bulkTiers: z.optional(bulkTiers),
  license: z.optional(license),
  designer: z.optional(optionalText('Designer', DESIGNER_MAX_LENGTH)),
  designerUrl: z.optional(designerUrl),
})
export type ProductEdit = z.output<typeof productEdit>

/** One error in a product: the field, and the message for people. */
interface ProductFault {
  field: string
  message: string
}

const faultsOf = (schema: z.ZodMiniType, value: unknown): ProductFault[] => {
  const parsed = z.safeParse(schema, value)
  if (parsed.success) return []
  const faults = new Map<string, string>()
  for (const { path, message } of parsed.error.issues) {
    const field = String(path[0] ?? '')
    // A form field shows only one message, so keep only the first.
    if (!faults.has(field)) faults.set(field, message)
  }
  return [...faults].map(([field, message]) => ({ field, message }))
}

/** Returns the errors in step 1 of the wizard, one for each field. The list is empty if there are none. */
export const findBasicsFaults = (draft: unknown): ProductFault[] => faultsOf(productBasics, draft)

/** Returns the errors in a whole product, one for each field. The list is empty if there are none. */
export const findProductFaults = (draft: unknown): ProductFault[] => faultsOf(productFields, draft)
