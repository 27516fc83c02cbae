import type { ProductPayload } from '../../catalog/product-content.ts'
import { nameOfPicture, picturesOf, readMedia, remoteMedia, writeMedia } from '../site-media.ts'
import { creditsOf, htmlOf, withoutEntities } from '../site-text.ts'

/** The fields of a `wc/v3` product that we read. */
export interface WooProduct {
  id: number
  sku: string
  name: string
  permalink: string | null
  regular_price: string
  manage_stock: boolean
  stock_quantity: number | null
  images: { id: number; src: string; name: string }[]
  meta: ReadonlyMap<string, string>
}

/**
 * Name of the meta field that marks products that were published from here. Its value is the slug. Other products were
 * created by others.
 */
const OWN_META = 'pegasus_ops'
/**
 * Name of the meta field for the original addresses of pictures, because the shop copies pictures to its own addresses.
 */
const MEDIA_META = 'pegasus_ops_media'
const TIERS_META = 'pegasus_ops_bulk_tiers'

const recordOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

/** Returns the product in a response, or null if the response is not a product. */
export function readWooProduct(answer: unknown): WooProduct | null {
  const product = recordOf(answer)
  const { id } = product
  if (typeof id !== 'number' || typeof product['name'] !== 'string') return null
  return {
    id,
    sku: textOf(product['sku']),
    name: withoutEntities(product['name']),
    permalink: textOf(product['permalink']) || null,
    regular_price: textOf(product['regular_price']),
    manage_stock: product['manage_stock'] === true,
    stock_quantity: typeof product['stock_quantity'] === 'number' ? product['stock_quantity'] : null,
    images: listOf(product['images']).map((image) => {
      const { id: imageId, src, name } = recordOf(image)
      return { id: Number(imageId), src: textOf(src), name: textOf(name) }
    }),
    meta: new Map(
      listOf(product['meta_data']).map((each) => {
        const { key, value } = recordOf(each)
        return [textOf(key), textOf(value)]
      }),
    ),
  }
}

export const isOurs = ({ meta }: WooProduct, slug: string): boolean => meta.get(OWN_META) === slug

const videoOf = (address: string): string =>
  `[video src="${address.replace(/["[\]]/g, (character) => encodeURIComponent(character))}"]`

/** Builds the body that creates a product or changes the `known` one. The pictures of a known product are kept. */
export function wooBodyOf(payload: ProductPayload, known: WooProduct | null, categoryId: number | null) {
  const pictures = picturesOf(payload).map((source) => {
    const name = nameOfPicture(source)
    const there = known?.images.find((image) => image.name === name)
    return there ? { id: there.id } : { src: source, name, alt: payload.name }
  })
  const description = htmlOf(payload.description).replaceAll('[', '&#91;')
  return {
    name: htmlOf(payload.name),
    slug: payload.slug,
    sku: payload.slug,
    type: 'simple',
    status: 'publish',
    regular_price: String(payload.price),
    manage_stock: true,
    stock_quantity: payload.stock,
    description: [description, ...payload.videos.map(videoOf)].join('\n\n'),
    ...(categoryId !== null && { categories: [{ id: categoryId }] }),
    tags: payload.tags.map((name) => ({ name })),
    images: pictures,
    attributes: creditsOf(payload).map(({ name, text }) => ({ name, options: [text], visible: true })),
    meta_data: [
      { key: OWN_META, value: payload.slug },
      { key: MEDIA_META, value: writeMedia(payload) },
      { key: TIERS_META, value: JSON.stringify(payload.bulkTiers ?? []) },
    ],
  }
}

/** Returns a WooCommerce product with the payload's field names, as far as the shop has such fields. */
export const fieldsOf = (product: WooProduct): Record<string, unknown> => ({
  name: product.name,
  slug: product.sku,
  ...(product.regular_price !== '' && { price: Number(product.regular_price) }),
  // A negative number means that the shop has sold more than it had.
  ...(product.manage_stock &&
    product.stock_quantity !== null && { stock: Math.max(0, product.stock_quantity) }),
  ...remoteMedia(product.images, readMedia(product.meta.get(MEDIA_META))),
})
