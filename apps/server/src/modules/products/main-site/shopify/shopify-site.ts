import type { ProductPayload } from '../../catalog/product-content.ts'
import { fieldOf, productOf } from '../main-site-answer.ts'
import type { MainSite, SitePublishing } from '../main-site.ts'
import { createShopSite, NO_PRODUCT } from '../shop-adapter.ts'
import {
  FIND,
  FIND_WITH_STOCK,
  fieldsOf,
  isOurs,
  KEEP_MEDIA,
  mediaMetafieldsOf,
  readShopifyProduct,
  SET,
  setOf,
  type ShopifyProduct,
} from './shopify-product.ts'
import { createShopifyGraphql } from './shopify-graphql.ts'
import { createShopifyOrders } from './shopify-orders.ts'
import { countUnpaidPieces } from './shopify-stock.ts'
import { createSiteCalls, failed, type SiteFailure } from '../site-calls.ts'

export interface ShopifySiteOptions {
  /** Address of the shop's admin, for example `https://example.myshopify.com`, without a trailing slash. */
  url: string
  /**
   * Access token of an app in the shop, with the scopes `write_products`, `write_inventory`, `read_locations`,
   * `read_orders` and `write_merchant_managed_fulfillment_orders`.
   */
  accessToken: string
  /** The app's client secret, which signs its webhooks. Null means that no webhooks are accepted. */
  webhookSecret: string | null
  timeoutMs?: number
}

const slugTakenMessage = (slug: string): string =>
  `Another product of the shop has the handle “${slug}”. Please change it there, or change the slug here.`
const HAS_VARIANTS =
  'The product has variants in the shop, which this would remove. Please change the product there, or remove the variants first.'

/**
 * Creates access to a Shopify shop, through its GraphQL Admin API. The slug is used as Shopify's handle. Products are
 * identified by their handle, so a call whose response was lost can be repeated.
 */
export function createShopifySite(options: ShopifySiteOptions): MainSite {
  const { url: siteUrl, accessToken } = options
  const calls = createSiteCalls({
    url: siteUrl,
    headers: { 'x-shopify-access-token': accessToken },
    secrets: [accessToken],
    timeoutMs: options.timeoutMs,
  })
  const { hide } = calls
  const graphql = createShopifyGraphql(calls)
  const { ask, change } = graphql

  const locationIn = (data: unknown): string | null => {
    const id = fieldOf(fieldOf(data, 'location'), 'id')
    return typeof id === 'string' ? id : null
  }
  /** The location whose stock is set, as the shop named it last. */
  let knownLocation: string | null = null

  const find = async (
    slug: string,
    leftMs: () => number,
  ): Promise<{ ok: true; product: ShopifyProduct | null; locationId: string | null } | SiteFailure> => {
    const askedLocation = knownLocation
    const outcome =
      askedLocation === null
        ? await ask(FIND, { handle: slug }, leftMs)
        : await ask(FIND_WITH_STOCK, { handle: slug, locationId: askedLocation }, leftMs)
    if (!outcome.ok) return outcome
    const answer = fieldOf(outcome.data, 'product')
    const locationId = locationIn(outcome.data)
    if (locationId !== askedLocation) {
      // The location is new, so its stock has to be read by a second query.
      knownLocation = locationId
      return find(slug, leftMs)
    }
    const product = readShopifyProduct(answer)
    if (answer !== null && product === null) return failed(outcome.status, NO_PRODUCT)
    return { ok: true, product, locationId }
  }

  const publish = async (payload: ProductPayload, leftMs: () => number): Promise<SitePublishing> => {
    const { slug } = payload
    const found = await find(slug, leftMs)
    if (!found.ok) return found
    const { product: known, locationId } = found
    if (known && !isOurs(known, slug)) return failed(409, slugTakenMessage(slug))
    if (known && known.variants.nodes.length > 1) return failed(409, HAS_VARIANTS)
    const set = await change(SET, setOf(payload, known, locationId), leftMs)
    if (!set.ok) return set
    const product = readShopifyProduct(fieldOf(set.set, 'product'))
    if (!product) return failed(set.status, NO_PRODUCT)
    const kept = known && (await change(KEEP_MEDIA, mediaMetafieldsOf(payload, product.id), leftMs))
    if (kept && !kept.ok) return kept
    const { id, onlineStoreUrl: url } = product
    return { ok: true, status: set.status, ...productOf({ id, url }, siteUrl, hide) }
  }

  const orders = createShopifyOrders(graphql, { secret: options.webhookSecret, timeoutMs: calls.timeoutMs })
  return createShopSite(siteUrl, calls, {
    kind: 'shopify',
    orders,
    find,
    publish,
    isOurs,
    slugTakenMessage,
    linkOf: ({ id, onlineStoreUrl: url }) => ({ id, url }),
    fieldsOf,
    unpaidPieces: (productId, since, leftMs) => countUnpaidPieces(graphql, { productId, since }, leftMs),
  })
}
