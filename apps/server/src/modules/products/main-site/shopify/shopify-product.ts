import type { ProductPayload } from '../../catalog/product-content.ts'
import { LEVEL, availableOf } from './shopify-stock.ts'
import { nameOfPicture, picturesOf, readMedia, remoteMedia, writeMedia } from '../site-media.ts'
import { creditsOf, htmlOf } from '../site-text.ts'

const NAMESPACE = 'pegasus_ops'

const PRODUCT_FIELDS = `fragment Told on Product {
  id handle title onlineStoreUrl
  variants(first: 2) { nodes { id price } }
  media(first: 60) { nodes { id ... on MediaImage { image { url } } } }
  own: metafield(namespace: "${NAMESPACE}", key: "slug") { value }
  sentMedia: metafield(namespace: "${NAMESPACE}", key: "media") { value }
}`

/** Query for the product with a handle, and for the location whose stock is set. */
export const FIND = `query Find($handle: String!) {
  product: productByIdentifier(identifier: { handle: $handle }) { ...Told }
  location { id }
}
${PRODUCT_FIELDS}`

/** The same query, which also reads the product's stock at that location. */
export const FIND_WITH_STOCK = `query FindWithStock($handle: String!, $locationId: ID!) {
  product: productByIdentifier(identifier: { handle: $handle }) { ...Told ${LEVEL} }
  location { id }
}
${PRODUCT_FIELDS}`

/**
 * Mutation that creates or changes the product with a handle. Repeating it changes the same product, no matter who
 * created it.
 */
export const SET = `mutation Publish($identifier: ProductSetIdentifiers!, $input: ProductSetInput!) {
  set: productSet(synchronous: true, identifier: $identifier, input: $input) {
    product { ...Told }
    userErrors { code field message }
  }
}
${PRODUCT_FIELDS}`

/**
 * Mutation that stores the original addresses of the pictures. It is separate, because `productSet` would delete the
 * metafields of other apps.
 */
export const KEEP_MEDIA = `mutation KeepMedia($metafields: [MetafieldsSetInput!]!) {
  set: metafieldsSet(metafields: $metafields) { userErrors { code field message } }
}`

/** The fields of a Shopify product that we read. */
export interface ShopifyProduct {
  id: string
  handle: string
  title: string
  onlineStoreUrl: string | null
  variants: { nodes: { id: string; price: string }[] }
  media: { nodes: { id: string; image?: { url: string } | null }[] }
  own: { value: string } | null
  sentMedia: { value: string } | null
}

/** Returns the product in a response, or null if the response is not a product. */
export function readShopifyProduct(answer: unknown): ShopifyProduct | null {
  if (typeof answer !== 'object' || answer === null) return null
  const { id, title, handle, variants, media } = answer as Partial<ShopifyProduct>
  const isWhole =
    [id, title, handle].every((text) => typeof text === 'string') &&
    Array.isArray(variants?.nodes) &&
    Array.isArray(media?.nodes)
  return isWhole ? (answer as ShopifyProduct) : null
}

export const isOurs = (product: ShopifyProduct, slug: string): boolean => product.own?.value === slug

const copiesOf = ({ media }: ShopifyProduct) =>
  media.nodes.map(({ id, image }) => ({
    id,
    src: image?.url ?? '',
    name: /pegasus-[0-9a-f]{16}/.exec(image?.url ?? '')?.[0] ?? '',
  }))

const endingOf = (address: string): string =>
  /\.(?:jpe?g|png|webp|gif|avif)$/i.exec(address.split(/[?#]/)[0] ?? '')?.[0] ?? '.jpg'

const metafieldsOf = (payload: ProductPayload) => [
  { namespace: NAMESPACE, key: 'slug', type: 'single_line_text_field', value: payload.slug },
  { namespace: NAMESPACE, key: 'media', type: 'json', value: writeMedia(payload) },
  { namespace: NAMESPACE, key: 'bulk_tiers', type: 'json', value: JSON.stringify(payload.bulkTiers ?? []) },
]

export const mediaMetafieldsOf = (payload: ProductPayload, ownerId: string) => ({
  metafields: metafieldsOf(payload).map((field) => ({ ownerId, ...field })),
})

/** Builds the input that creates a product or changes the `known` one. The pictures of a known product are kept. */
export function setOf(payload: ProductPayload, known: ShopifyProduct | null, locationId: string | null) {
  const copies = known ? copiesOf(known) : []
  const files = picturesOf(payload).map((source) => {
    const name = nameOfPicture(source)
    const there = copies.find((copy) => copy.name === name)
    if (there) return { id: there.id }
    return {
      originalSource: source,
      filename: `${name}${endingOf(source)}`,
      alt: payload.name,
      contentType: 'IMAGE',
    }
  })
  const credits = creditsOf(payload).map(({ name, text }) => `<p>${name}: ${htmlOf(text)}</p>`)
  const videos = payload.videos.map((address) => `<p><a href="${htmlOf(address)}">Video</a></p>`)
  const [variant] = known?.variants.nodes ?? []
  return {
    identifier: { handle: payload.slug },
    input: {
      title: payload.name,
      handle: payload.slug,
      descriptionHtml: [`<p>${htmlOf(payload.description)}</p>`, ...videos, ...credits].join('\n'),
      productType: payload.category,
      tags: payload.tags,
      status: 'ACTIVE',
      files,
      productOptions: [{ name: 'Title', values: [{ name: 'Default Title' }] }],
      variants: [
        {
          ...(variant && { id: variant.id }),
          optionValues: [{ optionName: 'Title', name: 'Default Title' }],
          sku: payload.slug,
          price: String(payload.price),
          inventoryItem: { tracked: true },
          ...(locationId !== null && {
            inventoryQuantities: [{ locationId, name: 'available', quantity: payload.stock }],
          }),
        },
      ],
      ...(known === null && { metafields: metafieldsOf(payload) }),
    },
  }
}

/** Returns a Shopify product with the payload's field names. Pictures that the shop is still copying are left out. */
export function fieldsOf(product: ShopifyProduct): Record<string, unknown> {
  const [variant] = product.variants.nodes
  const stock = availableOf(product)
  const copies = copiesOf(product)
  const isCopying = copies.some(({ src }) => src === '')
  return {
    name: product.title,
    slug: product.handle,
    ...(variant && { price: Number(variant.price) }),
    ...(stock !== undefined && { stock }),
    ...(!isCopying && remoteMedia(copies, readMedia(product.sentMedia?.value))),
  }
}
