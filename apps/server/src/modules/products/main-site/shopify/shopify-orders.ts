import { randomUUID } from 'node:crypto'
import { DAY_MS, MINUTE_MS, addMs } from '../../../../platform/clock.ts'
import { fieldOf } from '../main-site-answer.ts'
import type { ShopOrder, ShopOrders, ShopShipment } from '../shop-orders.ts'
import { nextOf, nodesOfAllPages, type ShopifyAsk, type ShopifyGraphql } from './shopify-graphql.ts'
import { addShopifyFees } from './shopify-fees.ts'
import { addFulfillments } from './shopify-fulfillments.ts'
import {
  inGraphqlWords,
  listOf,
  nodesIn,
  numberIn,
  numberText,
  readShopifyOrder,
  textIn,
} from './shopify-order.ts'
import { failed, type SiteFailure, type SiteOutcome } from '../site-calls.ts'
import { headerOf, isSignedBody } from '../webhook-signature.ts'

/**
 * Sizes of the queries. Shopify refuses a query above 1,000 points before it runs. An object has one point, and a
 * connection two and its nodes as often as its `first` says, so these queries have at most 923, 804, 784 and 804 points.
 */
const PAGE_SIZE = 10
const LINES_OF_ORDER = 5
const SHIPPING_LINES = 5
const MORE_LINES_AT_ONCE = 100
const PARCELS_AT_ONCE = 5
const LINES_OF_PARCEL = 30
const MORE_PARCEL_LINES_AT_ONCE = 160
/** Time limit for the calls for one page of orders, except the call for fees. */
const PAGE_MS = 5 * MINUTE_MS
const PAGE_LATE = 'The shop did not send a page of its orders completely within 5 minutes.'

const TAXES = 'taxLines { rate priceSet { shopMoney { amount } } }'
const LINES = `pageInfo { hasNextPage endCursor }
  nodes { sku name quantity currentQuantity originalUnitPriceSet { shopMoney { amount } } ${TAXES} }`

const LIST = `query Orders($after: String, $query: String!) {
  orders(first: ${PAGE_SIZE}, after: $after, query: $query, sortKey: UPDATED_AT) {
    pageInfo { hasNextPage endCursor }
    nodes {
      id name email note createdAt updatedAt cancelledAt displayFinancialStatus displayFulfillmentStatus currencyCode
      taxesIncluded
      currentTotalPriceSet { shopMoney { amount } } currentTotalTaxSet { shopMoney { amount } }
      currentTotalDiscountsSet { shopMoney { amount } } currentShippingPriceSet { shopMoney { amount } }
      totalTipReceivedSet { shopMoney { amount } } originalTotalDutiesSet { shopMoney { amount } }
      originalTotalAdditionalFeesSet { shopMoney { amount } }
      shippingAddress { name company address1 address2 zip city provinceCode countryCodeV2 phone }
      customer { displayName }
      shippingLines(first: ${SHIPPING_LINES}) { nodes { originalPriceSet { shopMoney { amount } } ${TAXES} } }
      lineItems(first: ${LINES_OF_ORDER}) { ${LINES} }
    }
  }
}`

const MORE_LINES = `query Lines($id: ID!, $after: String) {
  order(id: $id) { lineItems(first: ${MORE_LINES_AT_ONCE}, after: $after) { ${LINES} } }
}`

const KNOWN = `query Known($ids: [ID!]!) { nodes(ids: $ids) { id } }`
/** An app without the scope `read_all_orders` sees only the orders of the last 60 days. */
const VISIBLE_MS = 59 * DAY_MS

const PARCEL_LINES = `pageInfo { hasNextPage endCursor } nodes { id totalQuantity remainingQuantity sku }`

const OPEN_PARCELS = `query Parcels($id: ID!, $after: String) {
  order(id: $id) {
    fulfillmentOrders(first: ${PARCELS_AT_ONCE}, after: $after) {
      pageInfo { hasNextPage endCursor }
      nodes { id status lineItems(first: ${LINES_OF_PARCEL}) { ${PARCEL_LINES} } }
    }
  }
}`

const MORE_PARCEL_LINES = `query ParcelLines($id: ID!, $after: String) {
  fulfillmentOrder(id: $id) { lineItems(first: ${MORE_PARCEL_LINES_AT_ONCE}, after: $after) { ${PARCEL_LINES} } }
}`

const FULFIL = `mutation Fulfil($fulfillment: FulfillmentInput!) {
  set: fulfillmentCreate(fulfillment: $fulfillment) { fulfillment { id } userErrors { message } }
}`

const STOCK_ITEMS = `query StockItems($ids: [ID!]!) {
  location { id }
  nodes(ids: $ids) { ... on Product { id variants(first: 1) { nodes { inventoryItem { id } } } } }
}`

const SET_STOCK = `mutation SetStock($input: InventorySetQuantitiesInput!, $key: String!) {
  set: inventorySetQuantities(input: $input) @idempotent(key: $key) { userErrors { message } }
}`

/** A line of an order that the shop will send, or has sent. */
interface ParcelLine {
  fulfillmentOrderId: string
  id: string
  sku: string
  isOpen: boolean
  remaining: number
  /** Pieces that the shop already counts as sent. */
  sent: number
}

const parcelLine = (parcel: unknown, line: unknown): ParcelLine => ({
  fulfillmentOrderId: textIn(parcel, 'id'),
  id: textIn(line, 'id'),
  sku: textIn(line, 'sku'),
  isOpen: ['OPEN', 'IN_PROGRESS'].includes(textIn(parcel, 'status')),
  remaining: numberIn(line, 'remainingQuantity'),
  sent: numberIn(line, 'totalQuantity') - numberIn(line, 'remainingQuantity'),
})

/**
 * Returns the shop's open lines for the pieces of a shipment, matched by SKU. Pieces that the shop already
 * counts as sent are left out, so that a call whose response was lost can be repeated without sending
 * anything twice.
 */
function linesToFulfil(
  lines: readonly ParcelLine[],
  { sent_so_far: sentSoFar, is_last: isLast }: ShopShipment,
) {
  const taken: (ParcelLine & { quantity: number })[] = []
  const left = new Map<string, number>()
  for (const { sku, quantity } of sentSoFar) {
    const known = lines.filter((line) => line.sku === sku).reduce((sum, line) => sum + line.sent, 0)
    left.set(sku, quantity - known)
  }
  for (const line of lines.filter(({ isOpen }) => isOpen)) {
    // The last shipment contains all pieces that the shop still expects, even if their SKUs differ in the
    // shop.
    const quantity = isLast ? line.remaining : Math.min(line.remaining, left.get(line.sku) ?? 0)
    if (quantity < 1) continue
    left.set(line.sku, (left.get(line.sku) ?? 0) - quantity)
    taken.push({ ...line, quantity })
  }
  const orders = new Set(taken.map(({ fulfillmentOrderId }) => fulfillmentOrderId))
  return [...orders].map((fulfillmentOrderId) => ({
    fulfillmentOrderId,
    fulfillmentOrderLineItems: taken
      .filter((line) => line.fulfillmentOrderId === fulfillmentOrderId)
      .map(({ id, quantity }) => ({ id, quantity })),
  }))
}

const DONE: SiteOutcome = { ok: true, status: 200, body: null }

/** Creates access to the orders and stock of a Shopify shop, through its GraphQL Admin API. */
export function createShopifyOrders(
  graphql: ShopifyGraphql,
  { secret, timeoutMs }: { secret: string | null; timeoutMs: number },
): ShopOrders {
  const { ask, change } = graphql
  const countDown = (ms = timeoutMs) => {
    const until = performance.now() + ms
    return () => until - performance.now()
  }

  /**
   * Returns a function for the calls for one page of orders. Each call has its own time limit, so that many calls do not
   * fail together. All of them have a longer limit. After that, the function fails without a call.
   */
  const askForPage = (): ShopifyAsk => {
    const leftOfPage = countDown(PAGE_MS)
    return async (query, variables) => {
      if (leftOfPage() <= 0) return failed(null, PAGE_LATE)
      const leftMs = countDown()
      return ask(query, variables, () => Math.min(leftMs(), leftOfPage()))
    }
  }

  /** Returns an order with all its lines. The list contains only the first lines of a long order. */
  const readAllLines = async (
    order: unknown,
    askInTime: ShopifyAsk,
  ): Promise<{ ok: true; order: unknown } | SiteFailure> => {
    const lines = await nodesOfAllPages(fieldOf(order, 'lineItems'), async (after) => {
      const outcome = await askInTime(MORE_LINES, { id: textIn(order, 'id'), after })
      return outcome.ok ? { ok: true, page: fieldOf(fieldOf(outcome.data, 'order'), 'lineItems') } : outcome
    })
    return lines.ok ? { ok: true, order: { ...Object(order), lineItems: { nodes: lines.nodes } } } : lines
  }

  /** Returns the lines of all parcels of an order, sent or not. Returns null if there is no such order. */
  const readParcelLines = async (
    id: string,
    leftMs: () => number,
  ): Promise<{ ok: true; lines: ParcelLine[] | null } | SiteFailure> => {
    const askFrom = async (after: string | null) => {
      const outcome = await ask(OPEN_PARCELS, { id, after }, leftMs)
      if (!outcome.ok) return outcome
      const order = fieldOf(outcome.data, 'order')
      return { ok: true, order, page: fieldOf(order, 'fulfillmentOrders') } as const
    }
    const first = await askFrom(null)
    if (!first.ok) return first
    if (!first.order) return { ok: true, lines: null }
    const parcels = await nodesOfAllPages(first.page, askFrom)
    if (!parcels.ok) return parcels
    const lines: ParcelLine[] = []
    for (const parcel of parcels.nodes.filter((each) => textIn(each, 'status') !== 'CANCELLED')) {
      const all = await nodesOfAllPages(fieldOf(parcel, 'lineItems'), async (after) => {
        const outcome = await ask(MORE_PARCEL_LINES, { id: textIn(parcel, 'id'), after }, leftMs)
        if (!outcome.ok) return outcome
        return { ok: true, page: fieldOf(fieldOf(outcome.data, 'fulfillmentOrder'), 'lineItems') }
      })
      if (!all.ok) return all
      lines.push(...all.nodes.map((line) => parcelLine(parcel, line)))
    }
    return { ok: true, lines }
  }

  return {
    async list(since, page) {
      const query = `updated_at:>='${since.toISOString()}'`
      const askInTime = askForPage()
      const outcome = await askInTime(LIST, { after: page, query })
      if (!outcome.ok) return outcome
      const answer = fieldOf(outcome.data, 'orders')
      if (!Array.isArray(fieldOf(answer, 'nodes')))
        return failed(outcome.status, 'The response of the shop does not contain orders.')
      const whole: unknown[] = []
      for (const listed of listOf(fieldOf(answer, 'nodes'))) {
        // An unpaid order is not imported, so its other lines need no call.
        if (readShopifyOrder(listed) === null) continue
        const read = await readAllLines(listed, askInTime)
        if (!read.ok) return read
        whole.push(read.order)
      }
      const sent = await addFulfillments(askInTime, whole)
      if (!sent.ok) return sent
      const orders = sent.orders.flatMap((order): ShopOrder[] => {
        const read = readShopifyOrder(order)
        return read ? [read] : []
      })
      // The fees have a limit of their own, so that a slow page does not lose them.
      const withFees = await addShopifyFees((asked, ids) => ask(asked, ids, countDown()), orders)
      return { ok: true, orders: withFees, next: nextOf(answer) }
    },

    async findDeleted(orders, now) {
      const asked = orders.filter(({ placedAt }) => placedAt > addMs(now, -VISIBLE_MS))
      if (asked.length === 0) return { ok: true, deleted: [], existing: 0 }
      const ids = asked.map(({ externalId }) => `gid://shopify/Order/${externalId}`)
      const outcome = await ask(KNOWN, { ids }, countDown())
      if (!outcome.ok) return outcome
      const nodes = listOf(fieldOf(outcome.data, 'nodes'))
      if (nodes.length !== ids.length)
        return failed(outcome.status, 'The response of the shop does not contain orders.')
      const deleted = asked.filter((_, index) => nodes[index] === null).map(({ externalId }) => externalId)
      return { ok: true, deleted, existing: asked.length - deleted.length }
    },

    async readDelivery(delivery) {
      if (secret === null || !isSignedBody(delivery, 'x-shopify-hmac-sha256', secret))
        return { kind: 'refused', reason: 'The signature is missing or wrong.' }
      const topic = headerOf(delivery.headers, 'x-shopify-topic')
      if (!topic.startsWith('orders/')) return { kind: 'other' }
      try {
        const told: unknown = JSON.parse(delivery.body.toString('utf8'))
        if (topic === 'orders/delete') return { kind: 'removed', externalId: numberText(fieldOf(told, 'id')) }
        const order = readShopifyOrder(inGraphqlWords(told))
        return order ? { kind: 'order', order } : { kind: 'other' }
      } catch {
        return { kind: 'other' }
      }
    },

    async reportShipment(shipment) {
      const leftMs = countDown()
      const id = `gid://shopify/Order/${shipment.external_id ?? ''}`
      const known = await readParcelLines(id, leftMs)
      if (!known.ok) return known
      if (known.lines === null) return failed(404, 'The shop has no such order.')
      const lines = linesToFulfil(known.lines, shipment)
      // An earlier call whose response was lost, or a person in the shop, has already sent everything.
      if (lines.length === 0) return { ...DONE, wasKnown: true }
      const answer = await change(
        FULFIL,
        {
          fulfillment: {
            lineItemsByFulfillmentOrder: lines,
            notifyCustomer: true,
            trackingInfo: {
              company: shipment.carrier,
              number: shipment.tracking_number,
              url: shipment.tracking_url,
            },
          },
        },
        leftMs,
      )
      return answer.ok ? { ...DONE, wasKnown: false } : answer
    },

    async setStock(levels) {
      const leftMs = countDown()
      const slugsOf = (list: typeof levels) => list.map(({ slug }) => slug)
      const known = levels.flatMap((level) => level.site_product_id ?? [])
      if (known.length === 0) return { ...DONE, unknown: slugsOf(levels) }
      const asked = await ask(STOCK_ITEMS, { ids: known }, leftMs)
      if (!asked.ok) return asked
      const locationId = textIn(fieldOf(asked.data, 'location'), 'id')
      const products = listOf(fieldOf(asked.data, 'nodes'))
      const stockItemOf = ({ site_product_id: id }: (typeof levels)[number]) => {
        const product = products.find((each) => id !== null && textIn(each, 'id') === id)
        return textIn(fieldOf(nodesIn(product, 'variants')[0], 'inventoryItem'), 'id')
      }
      const unknown = slugsOf(levels.filter((level) => stockItemOf(level) === ''))
      const quantities = levels
        .filter(({ slug }) => !unknown.includes(slug))
        .map((level) => ({
          inventoryItemId: stockItemOf(level),
          locationId,
          quantity: level.stock,
          // Null sets the quantity regardless of the quantity that the shop had before.
          changeFromQuantity: null,
        }))
      if (quantities.length === 0) return { ...DONE, unknown }
      const input = { name: 'available', reason: 'correction', quantities }
      const answer = await change(SET_STOCK, { input, key: randomUUID() }, leftMs)
      return answer.ok ? { ...DONE, unknown } : answer
    },
  }
}
