import { orderInWords } from './order-words.ts'
import type { ShopOrder, ShopShipment, ShopState } from './shop-store.ts'

const PAGE_SIZE = 50

/**
 * Returns a page of the orders that changed since a moment, the earliest change first. `page` is the `next` of the
 * previous page, which is the position of the first order on the new page.
 */
export function listOrders({ orders }: ShopState, query: URLSearchParams, currency: string) {
  const since = query.get('since') ?? ''
  const from = Number(query.get('page') ?? '0') || 0
  const changed = orders
    .filter((order) => order.changedAt >= since)
    .sort((a, b) => (a.changedAt < b.changedAt ? -1 : 1))
  const shown = changed.slice(from, from + PAGE_SIZE)
  return {
    orders: shown.map((order) => orderInWords(order, currency)),
    next: from + PAGE_SIZE < changed.length ? String(from + PAGE_SIZE) : null,
  }
}

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

/**
 * Stores a parcel, only once even if the call is repeated. The last parcel completes the order. Returns
 * whether the parcel is new.
 */
export function keepShipment(order: ShopOrder, told: Record<string, unknown>): boolean {
  const id = textOf(told['id'])
  if (id === null || order.shipments.some((shipment) => shipment.id === id)) return false
  const items = Array.isArray(told['items']) ? (told['items'] as ShopShipment['items']) : []
  order.shipments.push({
    id,
    carrier: textOf(told['carrier']),
    trackingNumber: textOf(told['tracking_number']),
    trackingUrl: textOf(told['tracking_url']),
    items,
  })
  if (told['is_last'] === true) order.status = 'completed'
  order.changedAt = new Date().toISOString()
  return true
}

/** Sets the stock of products. Returns the slugs that the shop does not have. */
export function setStock({ products }: ShopState, told: unknown): string[] | string {
  if (!Array.isArray(told)) return 'products is a list'
  const unknown: string[] = []
  for (const { slug, stock } of told as { slug?: unknown; stock?: unknown }[]) {
    if (!Number.isInteger(stock) || Number(stock) < 0) return 'stock is a whole number of 0 or more'
    const product = products.find((each) => each.slug === slug)
    if (product) product.stock = Number(stock)
    else unknown.push(String(slug))
  }
  return unknown
}
