import { SECOND_MS } from '../../../platform/clock.ts'
import type { ProductPayload } from '../catalog/product-content.ts'
import { plainWords, productOf } from './main-site-answer.ts'
import type { MainSite, SiteLook, SitePublishing, UnpaidPieces } from './main-site.ts'
import type { ShopOrders } from './shop-orders.ts'
import { type createSiteCalls, failureOf, type SiteFailure } from './site-calls.ts'

const LOOK_SECONDS = 10

export const NO_PRODUCT = 'The response of the shop does not contain a product.'

/**
 * The operations that differ between shop systems. `leftMs` returns the time, in milliseconds, that is left for all
 * calls together.
 */
export interface ShopInterface<Product> {
  kind: MainSite['kind']
  orders: ShopOrders
  /** Finds the product with a slug, no matter who created it. */
  find(slug: string, leftMs: () => number): Promise<{ ok: true; product: Product | null } | SiteFailure>
  /** Creates or changes the product with the payload's slug. */
  publish(payload: ProductPayload, leftMs: () => number): Promise<SitePublishing>
  /** Returns whether this server created the product that was found under a slug. */
  isOurs(product: Product, slug: string): boolean
  /** Returns the error message for a slug that another product in the shop already has. */
  slugTakenMessage(slug: string): string
  linkOf(product: Product): { id: unknown; url: unknown }
  fieldsOf(product: Product): Readonly<Record<string, unknown>>
  /** Like `unpaidPieces` of `MainSite`. */
  unpaidPieces?(id: string, since: Date, leftMs: () => number): Promise<UnpaidPieces>
}

/** Creates a main site from the operations of a shop system. */
export function createShopSite<Product>(
  url: string,
  { timeoutMs, hide }: ReturnType<typeof createSiteCalls>,
  shop: ShopInterface<Product>,
): MainSite {
  const countDown = (ms: number) => {
    const until = performance.now() + ms
    return () => until - performance.now()
  }
  const lookMs = Math.min(timeoutMs, LOOK_SECONDS * SECOND_MS)
  const { unpaidPieces } = shop
  return {
    kind: shop.kind,
    url,
    orders: shop.orders,

    async publish(payload, _idempotencyKey, spentMs = 0) {
      const outcome = await shop.publish(payload, countDown(timeoutMs - spentMs))
      return outcome.ok ? outcome : { ...failureOf(outcome), message: plainWords(outcome.message) }
    },

    ...(unpaidPieces && { unpaidPieces: (id, since) => unpaidPieces(id, since, countDown(lookMs)) }),

    async look(slug): Promise<SiteLook> {
      const found = await shop.find(slug, countDown(lookMs))
      if (!found.ok) {
        const { status, message } = found
        const isAway = status === null || status === 429 || status >= 500
        return { kind: 'unclear', message: plainWords(message), isAway }
      }
      const { product } = found
      if (product === null) return { kind: 'missing', isCertain: true }
      if (!shop.isOurs(product, slug))
        return { kind: 'unclear', message: shop.slugTakenMessage(slug), isAway: false }
      return {
        kind: 'found',
        status: 200,
        fields: shop.fieldsOf(product),
        ...productOf(shop.linkOf(product), url, hide),
      }
    },
  }
}
