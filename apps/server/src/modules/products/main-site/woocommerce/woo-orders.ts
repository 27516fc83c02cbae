import { SECOND_MS } from '../../../../platform/clock.ts'
import { fieldOf } from '../main-site-answer.ts'
import type { ShopDelivery, ShopOrder, ShopOrders, ShopShipment, StockLevel } from '../shop-orders.ts'
import {
  confirmedOutcome,
  failed,
  type AnsweredOutcome,
  failureOf,
  MAX_LIST_BYTES,
  type SiteCalls,
  type SiteFailure,
  type SiteOutcome,
} from '../site-calls.ts'
import { headerOf, isSignedBody } from '../webhook-signature.ts'
import { hasAllWooRefunds } from './woo-refunds.ts'
import { isCancelledIn, listIn, momentIn, needsRefunds, readWooOrder, statusIn, textIn } from './woo-order.ts'

const API = '/wp-json/wc/v3'
const PAGE_SIZE = 100
/** The error code for an order that does not exist. A missing API route has a different code. */
const NO_SUCH_ORDER = 'woocommerce_rest_shop_order_invalid_id'
/**
 * Number of orders that are read twice, at the end of one page and at the beginning of the next, if all orders of the
 * page changed in the same second. If more than these change while a page is read, an order can be missed.
 */
const OVERLAP = 20
/** Time limit for reading all refunds of an order. It is short, because the shop waits for our response to its event. */
const REFUNDS_MS = 10 * SECOND_MS
/** The fields to request. If all fields were requested, data of plugins could make a page too large. */
const FIELDS = [
  'id',
  'number',
  'status',
  'currency',
  'date_created_gmt',
  'date_modified_gmt',
  'total',
  'shipping_total',
  'total_tax',
  'discount_total',
  'customer_note',
  'billing',
  'shipping',
  'line_items',
  'fee_lines',
  'refunds',
  // The field in which payment plugins store their fee.
  'meta_data',
].join()

const UNCONFIRMED = 'The response of the shop does not confirm the change.'

/**
 * Returns the outcome of a change. WooCommerce responds with the changed object, so a success without an id counts as a
 * failure.
 */
function confirmedObject(answered: AnsweredOutcome): SiteOutcome {
  const outcome = confirmedOutcome(answered)
  if (!outcome.ok || fieldOf(outcome.body, 'id') !== undefined) return outcome
  return failed(outcome.status, UNCONFIRMED)
}

type SentTracking = Pick<ShopShipment, 'carrier' | 'tracking_number' | 'tracking_url'>

const trackingText = ({ carrier, tracking_number: tracking, tracking_url: url }: SentTracking): string => {
  const way = [carrier, tracking].filter(Boolean).join(' ')
  return [way && `Sent with ${way}.`, url].filter(Boolean).join(' ')
}

const noteOf = ({ number, items, ...tracking }: ShopShipment): string => {
  const held = items.map(({ name, sku, quantity }) => `${quantity} × ${name || sku}`).join(', ')
  return [`Parcel ${number}: ${held}.`, trackingText(tracking)].filter(Boolean).join(' ')
}

/** Returns whether the newest note about a parcel already contains this tracking for the customer. */
function tellsTracking(notes: readonly unknown[], number: number, tracking: string): boolean {
  const [newest] = notes
    .filter((each) => textIn(each, 'note').includes(`Parcel ${number}:`))
    .toSorted((a, b) => Number(fieldOf(b, 'id')) - Number(fieldOf(a, 'id')))
  if (newest === undefined) return false
  // The shop may return a link with HTML entities.
  const note = textIn(newest, 'note').replaceAll(/&(?:amp|#0?38);/g, '&')
  return tracking === '' ? !/Sent with |https?:/.test(note) : note.endsWith(tracking)
}

/** A position in the list of changed orders: the orders after a time, without the first `offset` ones. */
interface Place {
  after: Date
  offset: number
}

/**
 * Returns the position after a full page. An order that changes now moves to the end of the list, so continuing by a
 * count of orders would skip one. Therefore, the list is read again from one second before the last order, which
 * includes all orders of that second. Only if all orders of the page changed in the same second, the next page
 * continues by count, with an overlap.
 */
function placeAfter(orders: readonly unknown[], { after, offset }: Place): Place {
  const last = Date.parse(momentIn(orders.at(-1), 'date_modified_gmt') ?? '') - SECOND_MS
  return last > after.getTime()
    ? { after: new Date(last), offset: 0 }
    : { after, offset: offset + PAGE_SIZE - OVERLAP }
}

/**
 * Returns a time in UTC, in whole seconds and without an offset. If a time had an offset (even `Z`), WordPress would
 * convert it to the time zone of the site, and compare the result with times in UTC.
 */
const gmtTimeOf = (moment: Date): string => moment.toISOString().slice(0, 'yyyy-mm-ddThh:mm:ss'.length)

const writePlace = ({ after, offset }: Place): string => `${after.toISOString()} ${offset}`

function readPlace(text: string): Place {
  const [after = '', offset] = text.split(' ')
  return { after: new Date(after), offset: Number(offset) }
}

/**
 * Returns whether the shop's order with an id is another order than the one that was received under this id, because it
 * was not created in the same second.
 */
function isOtherOrder(order: unknown, placedAtMs: number): boolean {
  const createdMs = Date.parse(momentIn(order, 'date_created_gmt') ?? '')
  return !Number.isNaN(createdMs) && Math.trunc(createdMs / SECOND_MS) !== Math.trunc(placedAtMs / SECOND_MS)
}

/**
 * Returns whether a delivery is the call with which WooCommerce tests the address of a new webhook. The call is a form
 * with the id of the webhook, and it has no signature. Unless it gets 200, WooCommerce shows an error to the person.
 */
const isFirstCall = ({ headers, body }: ShopDelivery): boolean =>
  headerOf(headers, 'x-wc-webhook-signature') === '' && /^webhook_id=\d{1,20}$/.test(body.toString('latin1'))

type WholeOrder =
  | { isAway: false; order: ShopOrder | null; message?: never }
  | { isAway: true; order?: never; status: number | null; message: string }

/** Creates access to the orders and stock of a WooCommerce shop, through its REST API `wc/v3`. */
export function createWooOrders(
  { call }: SiteCalls,
  { secret, decimals }: { secret: string | null; decimals: number },
): ShopOrders {
  /**
   * Reads the refunds of an order, all pages of them. Returns the failure of the page that failed, or `listed: null` if
   * a page is not a list. A refund that is made in the meantime shifts the others to the next page, so a refund can be
   * listed twice.
   */
  const readRefunds = async (order: unknown) => {
    const until = performance.now() + REFUNDS_MS
    const refunds = new Map<unknown, unknown>()
    for (let page = 1; ; page += 1) {
      const path = `${API}/orders/${Number(fieldOf(order, 'id'))}/refunds?per_page=${PAGE_SIZE}&page=${page}`
      const outcome = await call({ method: 'GET', path }, until - performance.now())
      if (!outcome.ok || !Array.isArray(outcome.body)) return { outcome, listed: null }
      const before = refunds.size
      for (const refund of outcome.body as unknown[]) refunds.set(fieldOf(refund, 'id'), refund)
      const isEnd = outcome.body.length < PAGE_SIZE || refunds.size === before
      if (isEnd || hasAllWooRefunds(order, [...refunds.values()]))
        return { outcome, listed: [...refunds.values()] }
    }
  }

  /**
   * Reads an order and, if needed, its refunds with further calls. `isAway` means that the shop did not respond, so the
   * order must be read again later. If the shop refuses such a call, or leaves out refunds, the order gets a
   * `fault`, which is temporary unless the shop says that it has no such order. A cancelled order is imported without
   * its refunds, and read again later.
   */
  const readWhole = async (order: unknown): Promise<WholeOrder> => {
    if (!needsRefunds(order)) return { order: readWooOrder(order, decimals), isAway: false }
    const { outcome, listed } = await readRefunds(order)
    if (listed && hasAllWooRefunds(order, listed))
      return { order: readWooOrder(order, decimals, listed), isAway: false }
    const { status } = outcome
    const lacking = listed ? 'does not contain all refunds' : 'does not contain refunds'
    const message = `The refunds of this order could not be read: ${outcome.ok ? `The response of the shop ${lacking}.` : outcome.message}`
    // A cancellation is imported at once, even if the money that the shop keeps is still unknown.
    if (isCancelledIn(order) && status !== 429) {
      const read = { ...readWooOrder(order, decimals), must_read_again: status !== 404 }
      return { order: read, isAway: false }
    }
    if ((outcome.ok && !listed) || status === null || status === 429 || status >= 500)
      return { isAway: true, status, message }
    const fault = { fault: message, is_fault_passing: status !== 404 }
    return { order: { ...readWooOrder(order, decimals), ...fault }, isAway: false }
  }

  /** Returns a page of the orders that the shop lists (`listed`), and the same orders with our field names. */
  const listOrders = async (
    parameters: Readonly<Record<string, string>>,
  ): Promise<{ ok: true; listed: unknown[]; orders: ShopOrder[] } | SiteFailure> => {
    const query = new URLSearchParams({ ...parameters, per_page: String(PAGE_SIZE), _fields: FIELDS })
    const outcome = await call({ method: 'GET', path: `${API}/orders?${query}`, maxBytes: MAX_LIST_BYTES })
    if (!outcome.ok) return failureOf(outcome)
    if (!Array.isArray(outcome.body))
      return failed(outcome.status, 'The response of the shop does not contain orders.')
    const orders: ShopOrder[] = []
    for (const order of outcome.body) {
      const read = await readWhole(order)
      if (read.isAway) return failed(read.status, read.message)
      if (read.order) orders.push(read.order)
    }
    return { ok: true, listed: outcome.body, orders }
  }

  const listNotes = async (path: string): Promise<{ ok: true; notes: unknown[] } | SiteFailure> => {
    const known = await call({ method: 'GET', path: `${path}/notes?type=customer` })
    if (!known.ok) return failureOf(known)
    return Array.isArray(known.body)
      ? { ok: true, notes: known.body }
      : failed(known.status, 'The response of the shop does not contain notes.')
  }

  const addNote = async (path: string, note: string): Promise<SiteOutcome> =>
    confirmedObject(
      await call({ method: 'POST', path: `${path}/notes`, body: { note, customer_note: true } }),
    )

  /**
   * Completes an order, unless it has already ended in the shop. The shop would not check that: completing a cancelled
   * order would overwrite the cancellation.
   */
  const complete = async (path: string): Promise<SiteOutcome> => {
    const current = await call({ method: 'GET', path: `${path}?_fields=id,status` })
    if (!current.ok) return failureOf(current)
    if (textIn(current.body, 'status') === '')
      return failed(current.status, 'The response of the shop does not contain an order.')
    if (['cancelled', 'completed'].includes(statusIn(current.body) ?? ''))
      return { ok: true, status: current.status, body: null }
    return confirmedObject(await call({ method: 'PUT', path, body: { status: 'completed' } }))
  }

  return {
    async list(since, next) {
      const place = next === null ? { after: since, offset: 0 } : readPlace(next)
      const page = await listOrders({
        modified_after: gmtTimeOf(place.after),
        dates_are_gmt: 'true',
        orderby: 'modified',
        order: 'asc',
        offset: String(place.offset),
      })
      if (!page.ok) return page
      const { listed, orders } = page
      const isFull = listed.length === PAGE_SIZE
      return { ok: true, orders, next: isFull ? writePlace(placeAfter(listed, place)) : null }
    },

    async listById(externalIds) {
      const ids = externalIds.filter((id) => /^\d+$/.test(id))
      return ids.length === 0 ? { ok: true, orders: [] } : listOrders({ include: ids.join() })
    },

    async findDeleted(orders) {
      const placedAts = new Map(orders.map(({ externalId, placedAt }) => [externalId, placedAt.getTime()]))
      const ids = [...placedAts.keys()].filter((id) => /^\d+$/.test(id))
      if (ids.length === 0) return { ok: true, deleted: [], existing: 0 }
      const _fields = 'id,status,date_created_gmt'
      const query = new URLSearchParams({ include: ids.join(), per_page: String(PAGE_SIZE), _fields })
      const listed = await call({ method: 'GET', path: `${API}/orders?${query}` })
      if (!listed.ok) return failureOf(listed)
      if (!Array.isArray(listed.body))
        return failed(listed.status, 'The response of the shop does not contain orders.')
      const shopOrders = new Map<string, unknown>(
        listed.body.map((order) => [String(fieldOf(order, 'id')), order]),
      )
      const deleted: string[] = []
      // The list leaves out orders in the trash, but also orders with a plugin's status, so each of these is read by
      // its id.
      for (const id of ids.filter((each) => !shopOrders.has(each))) {
        const response = await call({ method: 'GET', path: `${API}/orders/${id}?_fields=${_fields}` })
        if (response.ok && String(fieldOf(response.body, 'id')) === id) {
          shopOrders.set(id, response.body)
          if (textIn(response.body, 'status') === 'trash') deleted.push(id)
        } else if (response.status === 404 && textIn(response.answer?.body, 'code') === NO_SUCH_ORDER)
          deleted.push(id)
        else
          return response.ok
            ? failed(response.status, 'The response of the shop does not contain an order.')
            : failureOf(response)
      }
      // The shop's ids are small numbers, so another shop has other orders under the same ids. These do not count.
      const known = ids.filter((id) => !isOtherOrder(shopOrders.get(id), placedAts.get(id) ?? 0))
      const gone = new Set(deleted)
      return {
        ok: true,
        deleted: known.filter((id) => gone.has(id)),
        existing: known.filter((id) => !gone.has(id)).length,
      }
    },

    async readDelivery(delivery) {
      if (secret !== null && isFirstCall(delivery)) return { kind: 'other' }
      if (secret === null || !isSignedBody(delivery, 'x-wc-webhook-signature', secret))
        return { kind: 'refused', reason: 'The signature is missing or wrong.' }
      const topic = headerOf(delivery.headers, 'x-wc-webhook-topic')
      if (!/^order\.(created|updated|restored|deleted)$/.test(topic)) return { kind: 'other' }
      try {
        const received: unknown = JSON.parse(delivery.body.toString('utf8'))
        if (topic === 'order.deleted') return { kind: 'removed', externalId: String(fieldOf(received, 'id')) }
        const { order, isAway, message } = await readWhole(received)
        if (isAway) return { kind: 'incomplete', reason: message }
        return order ? { kind: 'order', order } : { kind: 'other' }
      } catch {
        return { kind: 'other' }
      }
    },

    /**
     * WooCommerce has no shipments, so a parcel is reported as a note for the customer. The last parcel also completes
     * the order, unless the order has already ended in the shop.
     */
    async reportShipment(shipment) {
      if (shipment.external_id === null) return failed(404, 'The shop has no such order.')
      const path = `${API}/orders/${encodeURIComponent(shipment.external_id)}`
      const known = await listNotes(path)
      if (!known.ok) return known
      const wasKnown = known.notes.some((each) => textIn(each, 'note').includes(`Parcel ${shipment.number}:`))
      if (!wasKnown) {
        const added = await addNote(path, noteOf(shipment))
        if (!added.ok) return added
      }
      if (!shipment.is_last) return { ok: true, status: 200, body: null, wasKnown }
      const completed = await complete(path)
      // The note is in the shop, even if the order could not be completed.
      return { ...completed, wasKnown, isPartlyAdded: !completed.ok }
    },

    async reportCompletion({ external_id: id }) {
      if (id === null) return failed(404, 'The shop has no such order.')
      return complete(`${API}/orders/${encodeURIComponent(id)}`)
    },

    /** Adds another note for the customer, unless the newest note about the parcel already contains this tracking. */
    async changeTracking({ external_id: id, number, ...parcel }) {
      if (id === null) return failed(404, 'The shop has no such order.')
      const path = `${API}/orders/${encodeURIComponent(id)}`
      const known = await listNotes(path)
      if (!known.ok) return known
      const tracking = trackingText(parcel)
      if (tellsTracking(known.notes, number, tracking)) return { ok: true, status: 200, body: null }
      return addNote(
        path,
        `Parcel ${number}: ${tracking === '' ? 'Its tracking is no longer valid.' : `New tracking. ${tracking}`}`,
      )
    },

    async setStock(levels) {
      const isKnown = ({ site_product_id: id }: StockLevel) => /^\d+$/.test(id ?? '')
      const unknown = levels.filter((level) => !isKnown(level)).map(({ slug }) => slug)
      const update = levels.filter(isKnown).map(({ site_product_id: id, stock }) => ({
        id: Number(id),
        manage_stock: true,
        stock_quantity: stock,
      }))
      if (update.length === 0) return { ok: true, status: 200, body: null, unknown }
      const outcome = confirmedOutcome(
        await call({ method: 'POST', path: `${API}/products/batch`, body: { update } }),
      )
      if (!outcome.ok) return outcome
      if (!Array.isArray(fieldOf(outcome.body, 'update'))) return failed(outcome.status, UNCONFIRMED)
      // The shop responds with 200 even if some of the changes failed.
      const fault = listIn(outcome.body, 'update')
        .map((each) => fieldOf(fieldOf(each, 'error'), 'message'))
        .find((message) => typeof message === 'string')
      return fault === undefined ? { ...outcome, unknown } : failed(422, String(fault))
    },
  }
}
