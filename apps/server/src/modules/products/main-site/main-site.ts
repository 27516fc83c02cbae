import type { ProductPayload } from '../catalogue/product-content.ts'
import { createPegasusSite, type PegasusSiteOptions } from './pegasus-site.ts'
import type { SiteCall, SiteOutcome } from './site-calls.ts'
import { createShopifySite, type ShopifySiteOptions } from './shopify-site.ts'
import { createWooSite, type WooSiteOptions } from './woo-site.ts'

/** The main site, as it is configured. */
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

/** Where people look at the orders of the shop, in its own administration. */
export function ordersAddressOf({ kind, url }: Pick<MainSiteOptions, 'kind' | 'url'>): string {
  switch (kind) {
    case 'pegasus':
    // Leads on to admin.shopify.com.
    case 'shopify':
      return `${url}/admin/orders`
    // Shops that keep orders in tables of their own lead on from here; older ones, and those that do not, know no other.
    case 'woocommerce':
      return `${url}/wp-admin/edit.php?post_type=shop_order`
  }
}

/** How bringing a product ended. */
export type SitePublishing =
  | { ok: true; status: number; id: string | null; url: string | null }
  | Extract<SiteOutcome, { ok: false }>

/** The main shop site, whatever kind of shop it is. */
export interface MainSite {
  url: string
  /** Calls any path on the site with its key. */
  call(call: SiteCall): Promise<SiteOutcome>
  /** Brings a product: what the site calls it, or why it has not taken it. `spentMs` of its time have passed already. */
  publish(payload: ProductPayload, idempotencyKey: string, spentMs?: number): Promise<SitePublishing>
  /** Asks what the site has of the product of that slug. */
  look(slug: string): Promise<SiteLook>
}

/** What asking for a product came to. */
export type SiteLook =
  /** A product as the site tells it, in the fields of the payload as far as it has them. */
  | {
      kind: 'told'
      status: number
      id: string | null
      url: string | null
      fields: Readonly<Record<string, unknown>>
    }
  /** Not there. Where that is not certain, the site may also be one that answers no such questions. */
  | { kind: 'missing'; isCertain: boolean }
  /** `isAway`: it would answer nothing else at the moment either. */
  | { kind: 'unclear'; message: string; isAway: boolean }
