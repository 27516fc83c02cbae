import type { ShopProduct } from './shop-store.ts'

type Fields = Omit<ShopProduct, 'id' | 'key'>

const SLUG = /^[a-z0-9-]{1,200}$/

const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')
const orNull = (value: unknown): string | null => textOf(value) || null
const addresses = (value: unknown): string[] =>
  Array.isArray(value) ? value.map(textOf).filter((text) => /^https?:\/\//.test(text)) : []
const amount = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null

function tiersOf(value: unknown): Fields['bulkTiers'] {
  if (!Array.isArray(value)) return null
  return value.flatMap((tier: unknown) => {
    const { quantity, price } = (tier ?? {}) as Record<string, unknown>
    return typeof quantity === 'number' && typeof price === 'number' ? [{ quantity, price }] : []
  })
}

/** Parses the body of a call that creates a product. Returns the fields, or a message about the first mistake. */
export function readProduct(body: unknown): Fields | string {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    return 'A product must be a JSON object'
  const given = body as Record<string, unknown>
  const [name, slug, price, stock] = [
    textOf(given['name']),
    textOf(given['slug']),
    amount(given['price']),
    amount(given['stock']),
  ]
  if (name === '') return 'Product name is required'
  if (!SLUG.test(slug)) return 'Slug must contain only lowercase letters, numbers, and hyphens'
  if (price === null) return 'Price must be a positive number'
  if (stock === null) return 'Stock must be a non-negative number'
  return {
    name,
    slug,
    price,
    stock,
    category: textOf(given['category']),
    description: textOf(given['description']),
    tags: Array.isArray(given['tags']) ? given['tags'].map(textOf).filter((tag) => tag !== '') : [],
    images: addresses(given['images']),
    videos: addresses(given['videos']),
    posterUrl: addresses([given['posterUrl']])[0] ?? null,
    bulkTiers: tiersOf(given['bulkTiers']),
    license: orNull(given['license']),
    designer: orNull(given['designer']),
    designerUrl: addresses([given['designerUrl']])[0] ?? null,
  }
}
