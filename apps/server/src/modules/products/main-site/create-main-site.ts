import type { MainSite } from './main-site.ts'
import { createPegasusSite, type PegasusSiteOptions } from './pegasus-site.ts'
import { createShopifySite, type ShopifySiteOptions } from './shopify/shopify-site.ts'
import { createWooSite, type WooSiteOptions } from './woocommerce/woo-site.ts'

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

/** Returns the address of the list of orders in the shop's own administration. */
export function ordersAddressOf({ kind, url }: Pick<MainSiteOptions, 'kind' | 'url'>): string {
  switch (kind) {
    case 'pegasus':
    // This address redirects to admin.shopify.com.
    case 'shopify':
      return `${url}/admin/orders`
    // Current shops store orders in tables of their own, and redirect from this address. Older shops have only this
    // address.
    case 'woocommerce':
      return `${url}/wp-admin/edit.php?post_type=shop_order`
  }
}

/**
 * Returns the address of an order in the shop's own administration. If the shop's id of the order is unknown, returns
 * the address of the list of orders.
 */
export function orderAddressOf(
  site: Pick<MainSiteOptions, 'kind' | 'url'>,
  externalId: string | null,
): string {
  const id = externalId === null ? null : encodeURIComponent(externalId)
  if (id === null || site.kind === 'pegasus') return ordersAddressOf(site)
  return site.kind === 'shopify'
    ? `${ordersAddressOf(site)}/${id}`
    : // Shops that keep orders in separate tables redirect from this address too.
      `${site.url}/wp-admin/post.php?post=${id}&action=edit`
}
