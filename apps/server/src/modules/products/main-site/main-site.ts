import type { ProductPayload } from '../catalogue/product-content.ts'
import { createPegasusSite, type PegasusSiteOptions } from './pegasus-site.ts'
import type { ShopOrders } from './shop-orders.ts'
import type { SiteOutcome } from './site-calls.ts'
import { createShopifySite, type ShopifySiteOptions } from './shopify-site.ts'
import { createWooSite, type WooSiteOptions } from './woo-site.ts'

/** Configuration of the main site. */
export type MainSiteOptions =
  | ({ kind: 'pegasus' } & PegasusSiteOptions)
  | ({ kind: 'woocommerce' } & WooSiteOptions)
  | ({ kind: 'shopify' } & ShopifySiteOptions)

export function createMainSite(options: MainSiteOptions): MainSite {
  switch (options.kind) {
    case 'pegasus':
      return createPegasusSite(options)
    case 'woocommerce':
      return createWooSite(options)
    case 'shopify':
      return createShopifySite(options)
  }
}

/** Address of the orders in the shop's own administration. */
export function ordersAddressOf({ kind, url }: Pick<MainSiteOptions, 'kind' | 'url'>): string {
  switch (kind) {
    case 'pegasus':
    // Redirects to admin.shopify.com.
    case 'shopify':
      return `${url}/admin/orders`
    // Shops that keep orders in separate tables redirect from here; older ones know only this address.
    case 'woocommerce':
      return `${url}/wp-admin/edit.php?post_type=shop_order`
  }
}

/** Result of sending a product. */
export type SitePublishing =
  | { ok: true; status: number; id: string | null; url: string | null }
  /** `isUnclear`: the site reported success without proof, so ask it with `look` whether it has the product. */
  | (Extract<SiteOutcome, { ok: false }> & { isUnclear?: boolean })

/** The main shop site, of any kind. */
export interface MainSite {
  kind: MainSiteOptions['kind']
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
