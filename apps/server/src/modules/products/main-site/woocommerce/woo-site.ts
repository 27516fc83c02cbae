import type { ProductPayload } from '../../catalog/product-content.ts'
import { fieldOf, productOf } from '../main-site-answer.ts'
import type { MainSite, SitePublishing } from '../main-site.ts'
import { createShopSite, NO_PRODUCT } from '../shop-adapter.ts'
import { createSiteCalls, failed, type SiteCall, type SiteFailure } from '../site-calls.ts'
import { createWooOrders } from './woo-orders.ts'
import { fieldsOf, isOurs, readWooProduct, type WooProduct, wooBodyOf } from './woo-product.ts'

export interface WooSiteOptions {
  /** Address of the WordPress site, without a trailing slash. */
  url: string
  /** A key `ck_…` and its secret `cs_…`, with read and write permission. */
  consumerKey: string
  consumerSecret: string
  /** Secret that signs the shop's webhooks. Null means that no webhooks are accepted. */
  webhookSecret: string | null
  /** Number of decimals of the currency. */
  decimals: number
  timeoutMs?: number
}

type Found = { ok: true; product: WooProduct | null } | SiteFailure

const API = '/wp-json/wc/v3'

const codeOf = (body: unknown): unknown => fieldOf(body, 'code')
const resourceOf = (body: unknown): unknown => fieldOf(fieldOf(body, 'data'), 'resource_id')

const slugTakenMessage = (slug: string): string =>
  `Another product of the shop has the SKU “${slug}”. Please change it there, or change the slug here.`

/**
 * Creates access to a WooCommerce shop, through its REST API `wc/v3`. The API has no idempotency keys. Therefore, the
 * slug is used as the SKU, which is unique in the shop: if the response to a creation is lost, the next call finds that
 * product by its SKU and changes it, instead of creating a second one.
 */
export function createWooSite(options: WooSiteOptions): MainSite {
  const { url: siteUrl, consumerKey, consumerSecret } = options
  const credentials = Buffer.from(`${consumerKey}:${consumerSecret}`).toString('base64')
  const calls = createSiteCalls({
    url: siteUrl,
    headers: { authorization: `Basic ${credentials}` },
    secrets: [credentials, consumerSecret, consumerKey],
    timeoutMs: options.timeoutMs,
  })
  const { call, hide } = calls

  const find = async (slug: string, leftMs: () => number): Promise<Found> => {
    const path = `${API}/products?sku=${encodeURIComponent(slug)}`
    const outcome = await call({ method: 'GET', path }, leftMs())
    if (!outcome.ok) return outcome
    if (!Array.isArray(outcome.body)) return failed(outcome.status, NO_PRODUCT)
    const products = outcome.body.map(readWooProduct)
    return { ok: true, product: products.find((each) => each?.sku === slug) ?? null }
  }

  /** Returns the id of the category with this name. Creates the category if it is missing. */
  const findCategory = async (
    name: string,
    leftMs: () => number,
  ): Promise<{ ok: true; id: number } | SiteFailure> => {
    const path = `${API}/products/categories`
    const listed = await call({ method: 'GET', path: `${path}?slug=${encodeURIComponent(name)}` }, leftMs())
    if (!listed.ok) return listed
    const known = Array.isArray(listed.body) ? fieldOf(listed.body[0], 'id') : undefined
    if (typeof known === 'number') return { ok: true, id: known }
    const body = { name: name.charAt(0).toUpperCase() + name.slice(1), slug: name }
    const made = await call({ method: 'POST', path, body }, leftMs())
    const id = made.ok ? fieldOf(made.body, 'id') : resourceOf(made.answer?.body)
    if (typeof id === 'number') return { ok: true, id }
    return made.ok ? failed(made.status, 'The response of the shop does not contain a category.') : made
  }

  const write = (payload: ProductPayload, known: WooProduct | null, categoryId: number): SiteCall => ({
    method: known ? 'PUT' : 'POST',
    path: known ? `${API}/products/${known.id}` : `${API}/products`,
    body: wooBodyOf(payload, known, categoryId),
  })

  const publish = async (payload: ProductPayload, leftMs: () => number): Promise<SitePublishing> => {
    const { slug } = payload
    const found = await find(slug, leftMs)
    if (!found.ok) return found
    if (found.product && !isOurs(found.product, slug)) return failed(409, slugTakenMessage(slug))
    const category = await findCategory(payload.category, leftMs)
    if (!category.ok) return category
    let outcome = await call(write(payload, found.product, category.id), leftMs())
    const doubled = outcome.ok ? undefined : outcome.answer?.body
    if (codeOf(doubled) === 'product_invalid_sku' && found.product === null) {
      // Since the look-up, somebody else, or an earlier call of ours that timed out, has created the product.
      const again = await find(slug, leftMs)
      if (!again.ok) return again
      if (again.product && !isOurs(again.product, slug)) return failed(409, slugTakenMessage(slug))
      if (again.product) outcome = await call(write(payload, again.product, category.id), leftMs())
    }
    if (!outcome.ok) return outcome
    const product = readWooProduct(outcome.body)
    if (!product) return failed(outcome.status, NO_PRODUCT)
    const { id, permalink: url } = product
    return { ok: true, status: outcome.status, ...productOf({ id, url }, siteUrl, hide) }
  }

  const orders = createWooOrders(calls, { secret: options.webhookSecret, decimals: options.decimals })
  return createShopSite(siteUrl, calls, {
    kind: 'woocommerce',
    orders,
    find,
    publish,
    isOurs,
    slugTakenMessage,
    linkOf: ({ id, permalink: url }) => ({ id, url }),
    fieldsOf,
  })
}
