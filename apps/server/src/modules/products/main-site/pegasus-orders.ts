import { fieldOf } from './main-site-answer.ts'
import type { DeliveryReading, ShopOrder, ShopOrders } from './shop-orders.ts'
import { MAX_LIST_BYTES, type SiteCalls, confirmedOutcome } from './site-calls.ts'
import { standardWebhookFault } from './webhook-signature.ts'

const ORDERS_PATH = '/api/admin/orders'
const STOCK_PATH = '/api/admin/stock'

/**
 * Returns the list of orders in a response: the body itself, or a list in a common wrapper object. Returns null if
 * there is none.
 */
function ordersIn(body: unknown): unknown[] | null {
  if (Array.isArray(body)) return body
  const wrapped = ['orders', 'data', 'items'].map((name) => fieldOf(body, name)).find(Array.isArray)
  return wrapped ?? null
}

const asText = (value: unknown): unknown => (typeof value === 'number' ? String(value) : value)

/** Returns the pieces that the site counts as sent. They come from the optional `sent_quantity` of its lines. */
function sentPiecesIn(order: unknown): unknown[] {
  const items = fieldOf(order, 'items')
  return !Array.isArray(items)
    ? []
    : items.map((line) => ({ sku: fieldOf(line, 'sku'), quantity: fieldOf(line, 'sent_quantity') }))
}

/** Returns the site's ids of the lines. They come from the optional `line_id` of each line. */
function lineIdsIn(order: unknown): unknown[] {
  const items = fieldOf(order, 'items')
  return Array.isArray(items) ? items.map((line) => asText(fieldOf(line, 'line_id'))) : []
}

/** Converts an order to our field names. For each field, sites use one of several common names. */
function inOurWords(order: unknown): ShopOrder {
  const number = fieldOf(order, 'order_number') ?? fieldOf(order, 'number') ?? fieldOf(order, 'id')
  return {
    ...(typeof order === 'object' && order !== null ? order : {}),
    order_number: asText(number),
    total_amount: fieldOf(order, 'total_amount') ?? fieldOf(order, 'total'),
    external_id: asText(fieldOf(order, 'external_id') ?? fieldOf(order, 'id')),
    changed_at: fieldOf(order, 'changed_at') ?? fieldOf(order, 'updated_at'),
    sent_pieces: sentPiecesIn(order),
    line_ids: lineIdsIn(order),
  }
}

function readDelivery(text: string): DeliveryReading {
  let answer: unknown
  try {
    answer = JSON.parse(text)
  } catch {
    return { kind: 'other' }
  }
  const order = fieldOf(answer, 'order')
  return typeof order === 'object' && order !== null
    ? { kind: 'order', order: inOurWords(order) }
    : { kind: 'other' }
}

/** Creates access to the orders and stock of a shop that implements our own contract, see `examples/main-site`. */
export function createPegasusOrders({ call }: SiteCalls, secret: string | null): ShopOrders {
  return {
    async list(since, page) {
      const query = new URLSearchParams({ since: since.toISOString(), ...(page !== null && { page }) })
      const outcome = await call({
        method: 'GET',
        path: `${ORDERS_PATH}?${query}`,
        maxBytes: MAX_LIST_BYTES,
      })
      if (!outcome.ok)
        return outcome.status === 404 || outcome.status === 405
          ? { ok: false, isNotOffered: true }
          : { ok: false, status: outcome.status, message: outcome.message }
      const orders = ordersIn(outcome.body)
      if (!orders) return { ok: false, isNotOffered: true }
      const next = fieldOf(outcome.body, 'next')
      return { ok: true, orders: orders.map(inOurWords), next: typeof next === 'string' ? next : null }
    },

    async readDelivery(delivery) {
      const fault = secret === null ? 'No secret is set.' : standardWebhookFault(delivery, secret)
      return fault === null
        ? readDelivery(delivery.body.toString('utf8'))
        : { kind: 'refused', reason: fault }
    },

    async reportShipment(shipment) {
      const path = `${ORDERS_PATH}/${encodeURIComponent(shipment.order_number)}/shipments`
      // Send exactly the fields of the contract. A shop may refuse a repeated idempotency key with a different body.
      const body = {
        id: shipment.id,
        number: shipment.number,
        carrier: shipment.carrier,
        tracking_number: shipment.tracking_number,
        tracking_url: shipment.tracking_url,
        created_at: shipment.created_at,
        items: shipment.items,
        is_last: shipment.is_last,
      }
      return confirmedOutcome(await call({ method: 'POST', path, body, idempotencyKey: shipment.id }))
    },

    async reportCompletion({ order_number: number }) {
      const path = `${ORDERS_PATH}/${encodeURIComponent(number)}`
      const answer = await call({ method: 'PUT', path, body: { status: 'completed' } })
      // Supporting this call is optional for a shop.
      return answer.status === 404 || answer.status === 405
        ? { ok: true, status: answer.status, body: null }
        : confirmedOutcome(answer)
    },

    async setStock(levels) {
      const products = levels.map(({ slug, stock }) => ({ slug, stock }))
      const outcome = confirmedOutcome(await call({ method: 'PUT', path: STOCK_PATH, body: { products } }))
      const unknown = outcome.ok ? fieldOf(outcome.body, 'unknown') : undefined
      return Array.isArray(unknown)
        ? { ...outcome, unknown: unknown.filter((slug) => typeof slug === 'string') }
        : outcome
    },
  }
}
