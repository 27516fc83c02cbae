import { isDeepStrictEqual } from 'node:util'
import { fromMinor, toMinor } from '@pegasus/contracts/money'
import type { ProductEdit, ProductFields } from '@pegasus/contracts/products/product-rules'
import { AppError } from '../../../platform/errors/app-error.ts'
import type { BulkTier, ProductRow } from './products.queries.ts'

/** The columns of a product that are sent to the main site. */
const CONTENT_COLUMNS = [
  'name',
  'slug',
  'category',
  'price_minor',
  'stock',
  'description',
  'tags',
  'images',
  'videos',
  'poster_url',
  'bulk_tiers',
  'license',
  'designer',
  'designer_url',
] as const

/**
 * The content of a product that is sent to the main site, as the database stores it. Money is in minor units.
 */
export type ProductContent = Pick<ProductRow, (typeof CONTENT_COLUMNS)[number]>

export const contentOf = (row: ProductContent): ProductContent =>
  Object.fromEntries(CONTENT_COLUMNS.map((column) => [column, row[column]])) as unknown as ProductContent

export const isSameContent = (one: ProductContent, other: ProductContent): boolean =>
  isDeepStrictEqual(contentOf(one), contentOf(other))

function minorOf(amount: number, currency: string, { path, name }: { path: string; name: string }): number {
  const minor = toMinor(amount, currency)
  if (minor !== null) return minor
  const message = `${name} has more decimals than ${currency} has`
  throw new AppError('INVALID_INPUT', { text: message, errors: [{ path, message }] })
}

const tiersOf = (tiers: ProductFields['bulkTiers'], currency: string): BulkTier[] | null =>
  tiers?.map(({ quantity, price }, at) => ({
    quantity,
    price_minor: minorOf(price, currency, { path: 'bulkTiers', name: `The price of tier ${at + 1}` }),
  })) ?? null

/**
 * Converts fields of the API to product content. Throws INVALID_INPUT for an amount that has more decimals than the
 * currency.
 */
export const readContent = (fields: ProductFields, currency: string): ProductContent => ({
  ...fieldsOfWire(fields),
  price_minor: minorOf(fields.price, currency, { path: 'price', name: 'Price' }),
  bulk_tiers: tiersOf(fields.bulkTiers, currency),
})

const fieldsOfWire = (fields: ProductFields) => ({
  name: fields.name,
  slug: fields.slug,
  category: fields.category,
  stock: fields.stock,
  description: fields.description,
  tags: fields.tags,
  images: fields.images,
  videos: fields.videos,
  poster_url: fields.posterUrl,
  license: fields.license,
  designer: fields.designer,
  designer_url: fields.designerUrl,
})

/**
 * Applies an edit to the content of a product. Fields that the edit omits stay unchanged. Throws INVALID_INPUT like
 * `readContent`.
 */
export function applyEdit(row: ProductContent, edit: ProductEdit, currency: string): ProductContent {
  const asWire: ProductFields = {
    ...row,
    price: fromMinor(row.price_minor, currency),
    posterUrl: row.poster_url,
    bulkTiers: null,
    designerUrl: row.designer_url,
  }
  const given = Object.fromEntries(Object.entries(edit).filter(([, value]) => value !== undefined))
  const next = { ...asWire, ...given } as ProductFields
  return {
    ...fieldsOfWire(next),
    price_minor:
      edit.price === undefined
        ? row.price_minor
        : minorOf(edit.price, currency, { path: 'price', name: 'Price' }),
    bulk_tiers: edit.bulkTiers === undefined ? row.bulk_tiers : tiersOf(edit.bulkTiers, currency),
  }
}

/** The data that creates or updates a product on the main site. It has the site's field names. */
export type ProductPayload = ReturnType<typeof payloadOf>

/** Builds the data for the main site from a product's content. Media get their public addresses. */
export function payloadOf(
  row: ProductContent,
  { currency, publicUrl }: { currency: string; publicUrl: string },
) {
  const absolute = (address: string): string => (address.startsWith('/') ? `${publicUrl}${address}` : address)
  return {
    name: row.name,
    slug: row.slug,
    category: row.category,
    price: fromMinor(row.price_minor, currency),
    stock: row.stock,
    description: row.description,
    tags: row.tags,
    images: row.images.map(absolute),
    videos: row.videos.map(absolute),
    posterUrl: row.poster_url === null ? null : absolute(row.poster_url),
    bulkTiers:
      row.bulk_tiers?.map((tier) => ({
        quantity: tier.quantity,
        price: fromMinor(tier.price_minor, currency),
      })) ?? null,
    license: row.license,
    designer: row.designer,
    designerUrl: row.designer_url,
  }
}
