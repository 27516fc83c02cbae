import type { IncomingHttpHeaders } from 'node:http'
import type { SiteFailure, SiteOutcome } from './site-calls.ts'

/**
 * An order of a shop in our own words: the fields of `POST /api/integration/orders`, not checked yet, and `changed_at`,
 * the shop's own moment of its last change.
 */
export type ShopOrder = Readonly<Record<string, unknown>>

/** One page of the orders that changed, the earliest change first. */
export type ShopOrderPage =
  | { ok: true; orders: readonly ShopOrder[]; next: string | null }
  /** The site answers, but has no list of orders. */
  | { ok: false; isNotOffered: true }
  | (SiteFailure & { isNotOffered?: false })

/** A call of the shop to us. */
export interface ShopDelivery {
  headers: IncomingHttpHeaders
  /** The bytes that were signed. */
  body: Buffer
  now: Date
}

export type DeliveryReading =
  | { kind: 'order'; order: ShopOrder }
  /** Correctly signed, and nothing that concerns us. */
  | { kind: 'other' }
  /** Wrongly signed, or too old. The reason gives no hint that helps to guess. */
  | { kind: 'refused'; reason: string }

/** A parcel that is reported to the shop. */
export interface ShopShipment {
  id: string
  /** Counted for each order, from 1. */
  number: number
  order_number: string
  external_id: string | null
  carrier: string | null
  tracking_number: string | null
  tracking_url: string | null
  created_at: string
  items: { sku: string; name: string; quantity: number }[]
  /** Pieces of each SKU in this and earlier parcels: the total that the shop should have afterwards. */
  sent_so_far: { sku: string; quantity: number }[]
  /** Whether nothing of the order is left to ship. */
  is_last: boolean
}

/** How many pieces of a product the shop may sell. */
export interface StockLevel {
  slug: string
  /** The shop's own id of the product, as it answered at publishing. */
  site_product_id: string | null
  stock: number
}

/** Orders and stock of a shop. Each kind of main site implements it. */
export interface ShopOrders {
  /** `page` is the `next` of the page before. */
  list(since: Date, page: string | null): Promise<ShopOrderPage>
  readDelivery(delivery: ShopDelivery): DeliveryReading
  /** May be repeated: the shop keeps one shipment. */
  reportShipment(shipment: ShopShipment): Promise<SiteOutcome>
  /** May be repeated, with at most `STOCK_AT_ONCE` levels. */
  setStock(levels: readonly StockLevel[]): Promise<SiteOutcome>
}

export const STOCK_AT_ONCE = 100
