import { orderBody } from './order-body.ts'
import type { ShopOrder, ShopShipment, ShopState } from './shop-store.ts'

const PAGE_SIZE = 50

/** Identifies the position of an order in the list. */
const placeOf = ({ changedAt, number }: ShopOrder): string => `${changedAt} ${number}`

/**
 * Returns a page of the orders that changed since a given time, the earliest change first. `page` is the
 * `next` of the previous page. It names the last order of that page instead of counting orders, because an
 * order that changes in the meantime moves to the end of the list, and a count would then skip an order.
 */
export function listOrders({ orders }: ShopState, query: URLSearchParams, currency: string) {
  const since = query.get('since') ?? ''
  const after = query.get('page') ?? ''
  const left = orders
    .filter((order) => order.changedAt >= since && placeOf(order) > after)
    .sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))
  const shown = left.slice(0, PAGE_SIZE)
  const last = shown.at(-1)
  return {
    orders: shown.map((order) => orderBody(order, currency)),
    next: last && left.length > PAGE_SIZE ? placeOf(last) : null,
  }
}

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

/**
 * Stores a parcel, only once even if the call is repeated. The last parcel completes the order. Returns
 * whether the parcel is new.
 */
export function keepShipment(order: ShopOrder, report: Record<string, unknown>): boolean {
  const id = textOf(report['id'])
  if (id === null || order.shipments.some((shipment) => shipment.id === id)) return false
  const items = Array.isArray(report['items']) ? (report['items'] as ShopShipment['items']) : []
  order.shipments.push({
    id,
    carrier: textOf(report['carrier']),
    trackingNumber: textOf(report['tracking_number']),
    trackingUrl: textOf(report['tracking_url']),
    items,
  })
  if (report['is_last'] === true) order.status = 'completed'
  order.changedAt = new Date().toISOString()
  return true
}

/** Completes an order that Pegasus Ops has completed. A cancelled order stays cancelled. */
export function completeOrder(order: ShopOrder): void {
  if (order.status !== 'pending') return
  order.status = 'completed'
  order.changedAt = new Date().toISOString()
}

/** Returns whether a customer may cancel an order: before a parcel was sent. */
export const isCancellable = ({ status, shipments }: ShopOrder): boolean =>
  status === 'pending' && shipments.length === 0

/** Cancels an order, and puts its pieces back into the stock. Returns false if it can no longer be cancelled. */
export function cancelOrder({ products }: ShopState, order: ShopOrder): boolean {
  if (!isCancellable(order)) return false
  order.status = 'cancelled'
  order.changedAt = new Date().toISOString()
  const product = products.find(({ slug }) => slug === order.slug)
  if (product) product.stock += order.takenFromStock
  return true
}

/** Sets the stock of products. Returns the slugs that the shop does not have. */
export function setStock({ products }: ShopState, levels: unknown): string[] | string {
  if (!Array.isArray(levels)) return 'products must be a list'
  const unknown: string[] = []
  for (const { slug, stock } of levels as { slug?: unknown; stock?: unknown }[]) {
    if (!Number.isInteger(stock) || Number(stock) < 0) return 'stock must be a whole number of 0 or more'
    const product = products.find((each) => each.slug === slug)
    if (product) product.stock = Number(stock)
    else unknown.push(String(slug))
  }
  return unknown
}
