import { randomUUID } from 'node:crypto'
import { DAY_MS, MINUTE_MS, addMs } from '../../../../platform/clock.ts'
import { fieldOf } from '../main-site-answer.ts'
import type { ShopOrder, ShopOrders } from '../shop-orders.ts'
import { nextOf, nodesOfAllPages, type ShopifyAsk, type ShopifyGraphql } from './shopify-graphql.ts'
import { findFulfillments } from './find-shopify-parcels.ts'
import { inGraphqlWords } from './shopify-events.ts'
import { addShopifyFees } from './shopify-fees.ts'
import { addFulfillments } from './shopify-fulfillments.ts'
import { addRefunds } from './shopify-refunds.ts'
import { cancelFulfillments, completeOrder, reportParcel } from './shopify-parcels.ts'
import { changeTracking } from './shopify-tracking.ts'
import { listOf, moneyIn, nodesIn, numberText, readShopifyOrder, SOLD, textIn } from './shopify-order.ts'
import { failed, type SiteFailure, type SiteOutcome } from '../site-calls.ts'
import { headerOf, isSignedBody } from '../webhook-signature.ts'

/**
 * Sizes of the queries. Shopify refuses a query that costs more than 1,000 points: each object costs one point, each
 * connection two, and a list costs the points of one node times its `first`. These queries cost at most 993, 804 and
 * 804 points.
 */
const PAGE_SIZE = 10
const LINES_OF_ORDER = 5
const SHIPPING_LINES = 3
const MORE_LINES_AT_ONCE = 100
const MORE_SHIPPING_AT_ONCE = 100
/** Time limit for all calls for one page of orders together, except the call for fees. */
const PAGE_MS = 5 * MINUTE_MS
const PAGE_LATE = 'The shop did not send a page of its orders completely within 5 minutes.'

const TAXES = 'taxLines { rate priceSet { shopMoney { amount } } }'
const LINES = `pageInfo { hasNextPage endCursor }
  nodes { ${SOLD} requiresShipping quantity currentQuantity originalUnitPriceSet { shopMoney { amount } } ${TAXES} }`
const SHIPPING = `pageInfo { hasNextPage endCursor }
  nodes { originalPriceSet { shopMoney { amount } } discountedPriceSet { shopMoney { amount } } ${TAXES} }`

const LIST = `query Orders($after: String, $query: String!) {
  orders(first: ${PAGE_SIZE}, after: $after, query: $query, sortKey: UPDATED_AT) {
    pageInfo { hasNextPage endCursor }
    nodes {
      id name email note createdAt updatedAt cancelledAt displayFinancialStatus displayFulfillmentStatus currencyCode
      taxesIncluded
      currentTotalPriceSet { shopMoney { amount } } currentTotalTaxSet { shopMoney { amount } }
      currentTotalDiscountsSet { shopMoney { amount } } currentShippingPriceSet { shopMoney { amount } }
      totalDiscountsSet { shopMoney { amount } } subtotalPriceSet { shopMoney { amount } }
      refundDiscrepancySet { shopMoney { amount } } netPaymentSet { shopMoney { amount } }
      totalTipReceivedSet { shopMoney { amount } } originalTotalDutiesSet { shopMoney { amount } }
      originalTotalAdditionalFeesSet { shopMoney { amount } }
      currentTotalDutiesSet { shopMoney { amount } } currentTotalAdditionalFeesSet { shopMoney { amount } }
      shippingAddress { name company address1 address2 zip city provinceCode countryCodeV2 phone }
      billingAddress { name }
      shippingLines(first: ${SHIPPING_LINES}) { ${SHIPPING} }
      lineItems(first: ${LINES_OF_ORDER}) { ${LINES} }
    }
  }
}`

const MORE_LINES = `query Lines($id: ID!, $after: String) {
  order(id: $id) { lineItems(first: ${MORE_LINES_AT_ONCE}, after: $after) { ${LINES} } }
}`

const MORE_SHIPPING = `query ShippingLines($id: ID!, $after: String) {
  order(id: $id) { shippingLines(first: ${MORE_SHIPPING_AT_ONCE}, after: $after) { ${SHIPPING} } }
}`

const KNOWN = `query Known($ids: [ID!]!) { nodes(ids: $ids) { id } }`
/** An app without the scope `read_all_orders` sees only the orders of the last 60 days. One day is left as a margin. */
const VISIBLE_MS = 59 * DAY_MS

const STOCK_ITEMS = `query StockItems($ids: [ID!]!) {
  location { id }
  nodes(ids: $ids) { ... on Product { id variants(first: 1) { nodes { inventoryItem { id } } } } }
}`

const SET_STOCK = `mutation SetStock($input: InventorySetQuantitiesInput!, $key: String!) {
  set: inventorySetQuantities(input: $input) @idempotent(key: $key) { userErrors { message } }
}`

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
   * Returns a function that sends the calls for one page of orders. Each call has its own time limit, so that a page
   * may need many calls. All calls together have a longer limit. When that is over, further calls fail without being
   * sent.
   */
  const askForPage = (): ShopifyAsk => {
    const leftOfPage = countDown(PAGE_MS)
    return async (query, variables) => {
      if (leftOfPage() <= 0) return failed(null, PAGE_LATE)
      const leftMs = countDown()
      return ask(query, variables, () => Math.min(leftMs(), leftOfPage()))
    }
  }

  /**
   * Returns an order with all its lines. The list of orders contains only the first lines of a long order. Also adds
   * all its shipping lines if their tax rates or discounts are needed.
   */
  const readAllLines = async (
    order: unknown,
    askInTime: ShopifyAsk,
  ): Promise<{ ok: true; order: unknown } | SiteFailure> => {
    const readAll = (name: 'lineItems' | 'shippingLines', query: string) =>
      nodesOfAllPages(fieldOf(order, name), async (after) => {
        const outcome = await askInTime(query, { id: textIn(order, 'id'), after })
        return outcome.ok ? { ok: true, page: fieldOf(fieldOf(outcome.data, 'order'), name) } : outcome
      })
    const lines = await readAll('lineItems', MORE_LINES)
    if (!lines.ok) return lines
    const whole = { ...Object(order), lineItems: { nodes: lines.nodes } }
    const hasDiscount = moneyIn(order, 'currentTotalDiscountsSet') > 0
    if (fieldOf(order, 'taxesIncluded') !== true && !hasDiscount) return { ok: true, order: whole }
    const shipping = await readAll('shippingLines', MORE_SHIPPING)
    return shipping.ok
      ? { ok: true, order: { ...whole, shippingLines: { nodes: shipping.nodes } } }
      : shipping
  }

  return {
    sendsIgnoredPieces: true,

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
        // An unpaid order is not imported, so its other lines are not needed.
        if (readShopifyOrder(listed) === null) continue
        const read = await readAllLines(listed, askInTime)
        if (!read.ok) return read
        whole.push(read.order)
      }
      const sent = await addFulfillments(askInTime, whole)
      if (!sent.ok) return sent
      const refunded = await addRefunds(askInTime, sent.orders)
      if (!refunded.ok) return refunded
      const orders = refunded.orders.flatMap((order): ShopOrder[] => {
        const read = readShopifyOrder(order)
        return read ? [read] : []
      })
      // The fees have a time limit of their own, so that a slow page of orders leaves time for them.
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
        const received: unknown = JSON.parse(delivery.body.toString('utf8'))
        if (topic === 'orders/delete')
          return { kind: 'removed', externalId: numberText(fieldOf(received, 'id')) }
        const order = readShopifyOrder(inGraphqlWords(received))
        return order ? { kind: 'order', order } : { kind: 'other' }
      } catch {
        return { kind: 'other' }
      }
    },

    reportShipment: (shipment) => reportParcel(graphql, shipment, countDown()),

    reportCompletion: (order) => completeOrder(graphql, order, countDown()),

    findParcels: (parcel) => {
      const leftMs = countDown()
      return findFulfillments((asked, variables) => ask(asked, variables, leftMs), parcel)
    },

    changeTracking: (parcel) => changeTracking(graphql, parcel, countDown()),

    cancelParcels: (ids) => cancelFulfillments(graphql, ids, countDown()),

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
          // Null sets the quantity, whatever quantity the shop has.
          changeFromQuantity: null,
        }))
      if (quantities.length === 0) return { ...DONE, unknown }
      const input = { name: 'available', reason: 'correction', quantities }
      const answer = await change(SET_STOCK, { input, key: randomUUID() }, leftMs)
      return answer.ok ? { ...DONE, unknown } : answer
    },
  }
}
