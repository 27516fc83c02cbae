import type { ProductPayload } from '../catalogue/product-content.ts'
import type { ShopOrders } from './shop-orders.ts'
import type { SiteFailure } from './site-calls.ts'

/** Kinds of shop systems that the main site can be. */
export type MainSiteKind = 'pegasus' | 'woocommerce' | 'shopify'

/** Result of sending a product. */
export type SitePublishing =
  | { ok: true; status: number; id: string | null; url: string | null }
  /** `isUnclear`: the site reported success without proof, so ask it with `look` whether it has the product. */
  | (SiteFailure & { isUnclear?: boolean })

/** The main shop site, of any kind. */
export interface MainSite {
  kind: MainSiteKind
  url: string
  orders: ShopOrders
  /**
   * Sends a product. Returns the site's id and address, or why it was refused. `spentMs` of the time limit are
   * already used.
   */
  publish(payload: ProductPayload, idempotencyKey: string, spentMs?: number): Promise<SitePublishing>
  /** Asks for the site's version of the product with that slug. */
  look(slug: string): Promise<SiteLook>
}

/** Result of asking for a product. */
export type SiteLook =
  /** A product as the site reports it, with as many payload fields as the site has. */
  | {
      kind: 'told'
      status: number
      id: string | null
      url: string | null
      fields: Readonly<Record<string, unknown>>
    }
  /** Not found. If `isCertain` is false, the site may not support such requests at all. */
  | { kind: 'missing'; isCertain: boolean }
  /** `isAway`: the site is unreachable for other requests as well. */
  | { kind: 'unclear'; message: string; isAway: boolean }
