import { setTimeout as wait } from 'node:timers/promises'
import { SECOND_MS } from '../../../platform/clock.ts'
import type { ProductPayload } from '../catalogue/product-content.ts'
import { fieldOf, productOf } from './main-site-answer.ts'
import type { MainSite, SitePublishing } from './main-site.ts'
import { createReadyMadeShop, failed, type Failure, NO_PRODUCT } from './shop-adapter.ts'
import {
  FIND,
  fieldsOf,
  isOurs,
  KEEP_MEDIA,
  keptMediaOf,
  readShopifyProduct,
  SET,
  setOf,
  type ShopifyProduct,
} from './shopify-product.ts'
import { createSiteCalls, failureOf } from './site-calls.ts'

export interface ShopifySiteOptions {
  /** Address of the shop's admin, for example `https://example.myshopify.com`, without a trailing slash. */
  url: string
  /** Access token of an app with the scopes `write_products`, `write_inventory` and `read_locations`. */
  accessToken: string
  timeoutMs?: number
}

/** Each API version is supported for a year; after that the shop uses its oldest supported version. */
const PATH = '/admin/api/2026-07/graphql.json'

const NO_WORDS = 'The shop refused without saying why.'
const textOf = (value: unknown): string => (typeof value === 'string' && value !== '' ? value : NO_WORDS)
/** Errors are a list of objects with a message, or one string if the call failed early. */
const messagesOf = (errors: unknown): string =>
  Array.isArray(errors) ? errors.map((error) => textOf(fieldOf(error, 'message'))).join(' ') : textOf(errors)

const isTaken = (slug: string): string =>
  `Another product of the shop has the handle “${slug}”. Please change it there, or the slug here.`
const HAS_VARIANTS =
  'The product has got variants in the shop, which this would remove. Please change it there, or remove them first.'

/** How long to wait after a throttled query, computed from the shop's rate limit; null for other errors. */
function throttledMs(body: unknown): number | null {
  const errors = fieldOf(body, 'errors')
  const isThrottled =
    Array.isArray(errors) &&
    errors.some((error) => fieldOf(fieldOf(error, 'extensions'), 'code') === 'THROTTLED')
  if (!isThrottled) return null
  const cost = fieldOf(fieldOf(body, 'extensions'), 'cost')
  const status = fieldOf(cost, 'throttleStatus')
  const lacking = Number(fieldOf(cost, 'requestedQueryCost')) - Number(fieldOf(status, 'currentlyAvailable'))
  const waitMs = (lacking / Number(fieldOf(status, 'restoreRate'))) * SECOND_MS
  return Number.isFinite(waitMs) && waitMs > 0 ? Math.ceil(waitMs) : SECOND_MS
}

/**
 * A Shopify shop, through its GraphQL Admin API. The handle is the slug, and products are set by handle, so a call
 * with a lost response can be repeated.
 */
export function createShopifySite(options: ShopifySiteOptions): MainSite {
  const { url: siteUrl, accessToken } = options
  const calls = createSiteCalls({
    url: siteUrl,
    headers: { 'x-shopify-access-token': accessToken },
    secrets: [accessToken],
    timeoutMs: options.timeoutMs,
  })
  const { call, hide } = calls

  /** The data of a response without errors. Waits if the shop asks for it and the time allows it. */
  const ask = async (
    query: string,
    variables: object,
    leftMs: () => number,
  ): Promise<{ ok: true; status: number; data: unknown } | Failure> => {
    for (;;) {
      const request = { method: 'POST', path: PATH, body: { query, variables } } as const
      const outcome = await call(request, leftMs())
      const body = outcome.answer?.body
      const throttleMs = throttledMs(body)
      if (throttleMs !== null && throttleMs < leftMs()) {
        await wait(throttleMs)
        continue
      }
      const errors = fieldOf(body, 'errors')
      if (errors !== undefined && errors !== null) {
        const status = throttleMs === null ? (outcome.status ?? null) : 429
        return failed(status, hide(messagesOf(errors)))
      }
      if (!outcome.ok) return failureOf(outcome)
      const data = fieldOf(outcome.body, 'data')
      return data === undefined || data === null
        ? failed(outcome.status, NO_PRODUCT)
        : { ok: true, status: outcome.status, data }
    }
  }

  /** The same for a mutation, which has its own error list. */
  const change = async (query: string, variables: object, leftMs: () => number) => {
    const outcome = await ask(query, variables, leftMs)
    if (!outcome.ok) return outcome
    const set = fieldOf(outcome.data, 'set')
    const userErrors = fieldOf(set, 'userErrors')
    if (!Array.isArray(userErrors)) return failed(outcome.status, NO_PRODUCT)
    if (userErrors.length > 0) return failed(422, hide(messagesOf(userErrors)))
    return { ok: true as const, status: outcome.status, product: fieldOf(set, 'product') }
  }

  const find = async (
    slug: string,
    leftMs: () => number,
  ): Promise<{ ok: true; product: ShopifyProduct | null; locationId: string | null } | Failure> => {
    const outcome = await ask(FIND, { handle: slug }, leftMs)
    if (!outcome.ok) return outcome
    const told = fieldOf(outcome.data, 'product')
    const locationId = fieldOf(fieldOf(outcome.data, 'location'), 'id')
    const product = readShopifyProduct(told)
    if (told !== null && product === null) return failed(outcome.status, NO_PRODUCT)
    return { ok: true, product, locationId: typeof locationId === 'string' ? locationId : null }
  }

  const publish = async (payload: ProductPayload, leftMs: () => number): Promise<SitePublishing> => {
    const { slug } = payload
    const found = await find(slug, leftMs)
    if (!found.ok) return found
    const { product: known, locationId } = found
    if (known && !isOurs(known, slug)) return failed(409, isTaken(slug))
    if (known && known.variants.nodes.length > 1) return failed(409, HAS_VARIANTS)
    const set = await change(SET, setOf(payload, known, locationId), leftMs)
    if (!set.ok) return set
    const product = readShopifyProduct(set.product)
    if (!product) return failed(set.status, NO_PRODUCT)
    const kept = known && (await change(KEEP_MEDIA, keptMediaOf(payload, product.id), leftMs))
    if (kept && !kept.ok) return kept
    const { id, onlineStoreUrl: url } = product
    return { ok: true, status: set.status, ...productOf({ id, url }, siteUrl, hide) }
  }

  return createReadyMadeShop(siteUrl, calls, {
    find,
    publish,
    isOurs,
    isTaken,
    linkOf: ({ id, onlineStoreUrl: url }) => ({ id, url }),
    fieldsOf,
  })
}
