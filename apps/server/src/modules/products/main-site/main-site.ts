import type { ProductPayload } from '../catalog/product-content.ts'
import type { ShopOrders } from './shop-orders.ts'
import type { SiteFailure } from './site-calls.ts'

/** The kinds of shop systems that the main site can be. */
export type MainSiteKind = 'pegasus' | 'woocommerce' | 'shopify'

/** The site's id and address of a product. Null if the site does not report them. */
interface SiteProduct {
  id: string | null
  url: string | null
}

/** Result of sending a product to the main site. */
export type SitePublishing =
  | ({ ok: true; status: number } & SiteProduct)
  /**
   * `isUnclear` means that the site reported success, but its response does not prove that it has the product. Call
   * `look` to find out. If `look` is not supported, the product counts as published if `plausible` is set: nothing in
   * the response speaks against it, and `plausible` has the id and the address.
   */
  | (SiteFailure & { isUnclear?: boolean; plausible?: SiteProduct | null })

/** The number of pieces of a product in orders that the shop does not list yet, because they are not paid. */
export type UnpaidPieces = { ok: true; pieces: number } | SiteFailure

/** The main shop site, of any kind. */
export interface MainSite {
  kind: MainSiteKind
  url: string
  orders: ShopOrders
  /**
   * Sends a product. Returns the site's id and address of the product, or the reason for a refusal. `spentMs` is the
   * part of the time limit that is already used.
   */
  publish(payload: ProductPayload, idempotencyKey: string, spentMs?: number): Promise<SitePublishing>
  /** Asks the site for its version of the product with this slug. */
  look(slug: string): Promise<SiteLook>
  /**
   * Returns the number of pieces of a product (by the site's id) in unpaid orders that were placed since a time. Absent
   * if the site does not subtract the pieces of unpaid orders from its stock.
   */
  unpaidPieces?(id: string, since: Date): Promise<UnpaidPieces>
}

/** The site's response to a request for a product by slug. */
export type SiteLook =
  /** A product as the site reports it. `fields` has the payload fields that the site supports. */
  | {
      kind: 'found'
      status: number
      id: string | null
      url: string | null
      fields: Readonly<Record<string, unknown>>
    }
  /**
   * The site did not find the product. If `isCertain` is false, the site may not support such requests at
   * all.
   */
  | { kind: 'missing'; isCertain: boolean }
  /** The response is not usable. `isAway` means that the site would not respond to other requests, either. */
  | { kind: 'unclear'; message: string; isAway: boolean }
