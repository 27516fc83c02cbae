import { isDeepStrictEqual } from 'node:util'
import { toMinor } from '@pegasus/contracts/money'
import { productEdit } from '@pegasus/contracts/products/product-rules'
import { COMPARED_FIELDS, type ComparedField } from '@pegasus/contracts/products/sync-check'
import type { ComparedValues, StoredDifference } from '../catalog/products.queries.ts'

/** Maps the compared API fields to columns. */
export const COLUMN_OF = {
  name: 'name',
  price: 'price_minor',
  stock: 'stock',
  images: 'images',
  posterUrl: 'poster_url',
} as const satisfies Record<ComparedField, keyof ComparedValues>

const NAMES: Readonly<Record<ComparedField, string>> = {
  name: 'a name',
  price: 'a price',
  stock: 'a stock',
  images: 'pictures',
  posterUrl: 'a poster',
}

/**
 * Parses values with API names, which the site has reported or received, by our own rules. Returns a sentence about the
 * first value that breaks the rules, because such values cannot be compared. Addresses of our own media lose the
 * server's address, as in the catalog.
 */
export function readValues(
  fields: Readonly<Record<string, unknown>>,
  { currency, publicUrl }: { currency: string; publicUrl: string },
): ComparedValues | string {
  const own = (address: string) =>
    address.startsWith(`${publicUrl}/`) ? address.slice(publicUrl.length) : address
  const values: Record<string, unknown> = {}
  for (const field of COMPARED_FIELDS) {
    if (fields[field] === undefined) continue
    const read = productEdit.shape[field].safeParse(fields[field])
    const value = field === 'price' ? toMinor(Number(read.data), currency) : read.data
    if (!read.success || (field === 'price' && value === null))
      return `The main site reports ${NAMES[field]} that no product can have.`
    values[COLUMN_OF[field]] = Array.isArray(value)
      ? value.map(own)
      : field === 'posterUrl' && typeof value === 'string'
        ? own(value)
        : value
  }
  return values
}

export const comparedOf = (content: Required<ComparedValues>): Required<ComparedValues> => ({
  name: content.name,
  price_minor: content.price_minor,
  stock: content.stock,
  images: content.images,
  poster_url: content.poster_url,
})

/**
 * Returns the fields in which the value that the site reported is a difference: it equals neither our value nor `had`,
 * the last known value of the site. If it equals `had`, our value is an unpublished change.
 */
export function differencesOf(
  { reported, ours, had }: { reported: ComparedValues; ours: ComparedValues; had: ComparedValues },
  known: readonly StoredDifference[],
  now: Date,
): StoredDifference[] {
  return COMPARED_FIELDS.flatMap((field) => {
    const column = COLUMN_OF[field]
    const theirs = reported[column]
    if ([undefined, ours[column], had[column]].some((value) => isDeepStrictEqual(theirs, value))) return []
    const before = known.find((each) => each.field === field)
    const isKnown = before !== undefined && isDeepStrictEqual(before.theirs, theirs)
    return { field, theirs, since: isKnown ? before.since : now.toISOString() }
  })
}

/** Returns the fields in which the site still has a value that we sent earlier. */
export const unpublishedFields = (
  { reported, ours }: { reported: ComparedValues; ours: ComparedValues },
  differences: readonly StoredDifference[],
): ComparedField[] =>
  COMPARED_FIELDS.filter((field) => {
    const theirs = reported[COLUMN_OF[field]]
    const isDifference = differences.some((each) => each.field === field)
    return theirs !== undefined && !isDifference && !isDeepStrictEqual(theirs, ours[COLUMN_OF[field]])
  })

/**
 * Returns the differences that remain after a change of our product. Removes those whose site value equals our new
 * value, except stock differences of items, which contain the value that was offered.
 */
export const withoutSettled = (
  differences: readonly StoredDifference[],
  ours: ComparedValues,
): StoredDifference[] =>
  differences.filter(
    ({ field, ours: offered, theirs }) =>
      offered !== undefined || !isDeepStrictEqual(theirs, ours[COLUMN_OF[field]]),
  )
