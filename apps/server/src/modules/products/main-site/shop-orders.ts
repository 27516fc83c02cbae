import type { IncomingHttpHeaders } from 'node:http'
import type { SiteFailure, SiteOutcome } from './site-calls.ts'

/**
 * An order from a shop. It has the fields of `POST /api/integration/orders`, which are not validated yet, and also:
 * - `changed_at`: when the shop last changed the order.
 * - `is_status_unknown`: the order has no status, because the server does not know the shop's status.
 * - `is_money_returned`: the shop has refunded the whole total.
 * - `kept_after`, `discount_after`: `{ at, amount }` for each refund: its time, and the `kept_amount` or
 *   `discount_amount` after it. Missing or empty if unknown.
 * - `refunded_skus`: the SKUs of lines whose pieces were all refunded.
 * - `sent_pieces`: `{ sku, quantity }` of the pieces that the shop counts as sent.
 * - `line_ids`: the shop's ids of `items`, in the same sequence.
 * - `line_skus`: `{ line_id, sku, name, is_derived }` of the lines whose SKU can change in the shop. `is_derived` means
 *   that the line has no SKU in the shop.
 * - `must_read_again`: the order is imported, but is read again later, because the shop did not show its refunds.
 * - `fault`: the shop sent only part of the order, so it must not be imported. With `is_fault_passing`, the order is
 *   read again later.
 */
export type ShopOrder = Readonly<Record<string, unknown>>

/** A page of the changed orders, earliest change first. */
export type ShopOrderPage =
  | { ok: true; orders: readonly ShopOrder[]; next: string | null }
  /** The site responds, but has no list of orders. */
  | { ok: false; isNotOffered: true }
  | (SiteFailure & { isNotOffered?: false })

/** A webhook: a request from the shop to this server. */
export interface ShopDelivery {
  headers: IncomingHttpHeaders
  /** The unchanged body, from which the signature was computed. */
  body: Buffer
  now: Date
}

export type DeliveryReading =
  | { kind: 'order'; order: ShopOrder }
  /** The shop has deleted an order. Such events contain only the shop's id of the order. */
  | { kind: 'removed'; externalId: string }
  /** The order cannot be imported now, because a request for the rest of the order failed. */
  | { kind: 'incomplete'; reason: string }
  /** The signature is valid, but the event is of a kind that we do not use. */
  | { kind: 'other' }
  /** The signature is wrong or too old. The reason must not help anybody to guess a signature. */
  | { kind: 'refused'; reason: string }

/** The lines of an order as they are stored here. The order may have changed in the shop in the meantime. */
export interface StoredLines {
  /** The ordered pieces of each SKU. If the shop expects others as well, no report contains those. */
  ordered: readonly { sku: string; quantity: number }[]
  /** The SKUs under which lines are stored here, by the shop's id of the line. The shop may show other SKUs now. */
  line_skus: Readonly<Record<string, string>>
}

/** A parcel to report to the shop. */
export interface ShopShipment extends StoredLines {
  id: string
  /** Number of the shipment within its order, from 1. */
  number: number
  order_number: string
  external_id: string | null
  carrier: string | null
  tracking_number: string | null
  tracking_url: string | null
  created_at: string
  items: { sku: string; name: string; quantity: number }[]
  /**
   * The number of pieces of each SKU that the shop should count as sent after this report: those in this shipment and
   * in all shipments that were reported before.
   */
  sent_so_far: { sku: string; quantity: number }[]
  /** The SKUs of earlier shipments whose report failed. The shop may still count some of their pieces as sent. */
  unreported_earlier: string[]
  /** Whether this shipment, together with those that were reported before, contains all pieces of the order. */
  is_last: boolean
}

/** An order that was completed here. */
export interface ShopCompletion extends StoredLines {
  order_number: string
  external_id: string | null
  /** Whether the order was completed without some of its pieces. */
  has_unsent_pieces: boolean
  /** Whether a person chose not to report a parcel of the order. The customer then gets no message about its pieces. */
  has_unreported_parcels: boolean
}

/** The number of pieces of a product that the shop may sell. */
export interface StockLevel {
  slug: string
  /** The shop's own id of the product, from its response to publishing. */
  site_product_id: string | null
  stock: number
}

/** An order that was received from the shop earlier. */
export interface SentOrderId {
  externalId: string
  /** When the order was placed, according to the shop. */
  placedAt: Date
}

/** The ids of the orders that the shop has deleted, and the number of asked orders that it still has. */
export type DeletedOrders = { ok: true; deleted: string[]; existing: number } | SiteFailure

/**
 * Outcome of reporting a shipment.
 * - `wasKnown` is true if the shop already had the shipment, for example because the response to an earlier report was
 *   lost. Absent if that is unknown.
 * - `isPartlyAdded` is true if the report failed after the shop had accepted a part of it.
 * - `added` are the pieces that the shop counts as sent because of this report. Absent if that is unknown.
 * - `parcels` are the shop's ids of the parcels that this report has added.
 */
export type ReportOutcome = SiteOutcome & {
  wasKnown?: boolean
  isPartlyAdded?: boolean
  added?: readonly { sku: string; quantity: number }[]
  parcels?: readonly string[]
}

/** A parcel that the shop may have from a report whose response was lost. */
export interface UnconfirmedParcel extends Pick<StoredLines, 'line_skus'> {
  external_id: string
  /** The tracking number in that report. */
  tracking_number: string
  /** The number of ordered pieces in the parcel, by SKU in capitals. */
  pieces: ReadonlyMap<string, number>
  /**
   * The numbers of pieces of ignored SKUs, by SKU in capitals, that the report may have added because it completed the
   * order. The parcel contains any number of them up to these.
   */
  ignored: ReadonlyMap<string, number>
  /** The shop's ids of parcels that are known to contain pieces of this shipment. */
  own_ids: readonly string[]
  /** The shop's ids of parcels of other shipments. */
  other_ids: readonly string[]
}

/** A reported parcel whose tracking was changed. */
export interface ChangedTracking
  extends Pick<ShopShipment, 'number' | 'carrier' | 'tracking_number' | 'tracking_url'> {
  external_id: string | null
  /** The shop's ids of its parcels. */
  parcel_ids: readonly string[]
  /** Whether an earlier call with the same tracking may have reached the shop. */
  is_repeated: boolean
}

/** Outcome of changing the tracking. `isImpossible` means that repeating the call cannot succeed. */
export type TrackingOutcome = SiteOutcome & { isImpossible?: true }

/**
 * Outcome of cancelling parcels. `cancelledAt` is the time of the last cancellation by the shop's clock, or null if the
 * shop does not say it.
 */
export type CancelOutcome = (SiteOutcome & { ok: true; cancelledAt: Date | null }) | SiteFailure

/** Outcome of a stock update. `unknown` lists the slugs of products that the shop does not have. */
export type StockOutcome = SiteOutcome & { unknown?: readonly string[] }

/** Access to the orders and the stock of a shop. Each kind of main site has its own implementation. */
export interface ShopOrders {
  /** True if a report that completes an order makes the shop count the pieces of ignored SKUs as sent. */
  sendsIgnoredPieces?: true
  /**
   * Lists the orders that have changed since a time. `page` is `next` of the previous page, or null for the first page.
   */
  list(since: Date, page: string | null): Promise<ShopOrderPage>
  /**
   * Lists the orders with these ids, at most `ORDERS_AT_ONCE`. Absent if this kind of shop never shows an order only in
   * part.
   */
  listById?(externalIds: readonly string[]): Promise<{ ok: true; orders: readonly ShopOrder[] } | SiteFailure>
  /**
   * Returns which of these orders (at most `ORDERS_AT_ONCE`) the shop has deleted. An order counts as deleted only if
   * the response shows that in a way that the shop's documentation describes. If the shop has a different order under
   * one of the ids, that id counts neither as deleted nor as existing. Absent if the documentation describes no way to
   * detect deletions.
   */
  findDeleted?(orders: readonly SentOrderId[], now: Date): Promise<DeletedOrders>
  /** Checks the signature of an event and reads it. May ask the shop for the rest of the order. */
  readDelivery(delivery: ShopDelivery): Promise<DeliveryReading>
  /** Reports a shipment. Repeating the report adds no second shipment in the shop, and does not change the first. */
  reportShipment(shipment: ShopShipment): Promise<ReportOutcome>
  /** Completes an order in the shop. Does nothing if the order has already ended there. The call can be repeated. */
  reportCompletion(order: ShopCompletion): Promise<ReportOutcome>
  /**
   * Returns the shop's ids of parcels that a report has added although its response was lost. They are all parcels of
   * the order with the tracking number that are not known yet, if they contain exactly the missing pieces. Otherwise,
   * the list is empty, because the parcels may be those of the shop's own staff. Absent if parcels cannot be cancelled.
   */
  findParcels?(parcel: UnconfirmedParcel): Promise<{ ok: true; ids: string[] } | SiteFailure>
  /**
   * Cancels parcels that reports have added in the shop. Does nothing for parcels that are already cancelled, so the
   * call can be repeated. Absent if the shop's documentation describes no way to cancel a parcel.
   */
  cancelParcels?(ids: readonly string[]): Promise<CancelOutcome>
  /**
   * Changes the tracking of a reported parcel, and informs the customer. A repeated call does not inform the customer
   * again. Absent if this kind of shop has no call for it.
   */
  changeTracking?(parcel: ChangedTracking): Promise<TrackingOutcome>
  /** Sets stock levels, at most `STOCK_AT_ONCE`. The call can be repeated. */
  setStock(levels: readonly StockLevel[]): Promise<StockOutcome>
}

export const STOCK_AT_ONCE = 100
export const ORDERS_AT_ONCE = 100
