import { fieldOf } from '../main-site-answer.ts'
import type { UnpaidPieces } from '../main-site.ts'
import { failed } from '../site-calls.ts'
import { nodesOfAllPages, type ShopifyGraphql } from './shopify-graphql.ts'
import { listOf, nodesIn, numberIn, readShopifyOrder, textIn } from './shopify-order.ts'

/**
 * Part of a query: the available pieces of a product's variant at a location. If the location does not stock the item,
 * there is no level.
 */
export const LEVEL = `stock: variants(first: 1) {
  nodes { inventoryItem { inventoryLevel(locationId: $locationId) { quantities(names: ["available"]) { name quantity } } } }
}`

/**
 * Returns the pieces of a product that the shop may sell from the location of `LEVEL`. Returns undefined if the
 * response does not contain them. Returns 0 if the location does not stock the product.
 */
export function availableOf(product: unknown): number | undefined {
  const item = fieldOf(nodesIn(product, 'stock')[0], 'inventoryItem')
  const level = fieldOf(item, 'inventoryLevel')
  if (level === null) return 0
  const quantity = listOf(fieldOf(level, 'quantities')).find((each) => textIn(each, 'name') === 'available')
  const pieces = fieldOf(quantity, 'quantity')
  // A negative number means that the shop has sold more than it had.
  return typeof pieces === 'number' ? Math.max(0, pieces) : undefined
}

const LINES = 'pageInfo { hasNextPage endCursor } nodes { currentQuantity product { id } }'

/** 20 orders with 20 lines each stay below Shopify's limit for the cost of a query. */
const UNPAID = `query Unpaid($after: String, $query: String!) {
  orders(first: 20, after: $after, query: $query) {
    pageInfo { hasNextPage endCursor }
    nodes { id cancelledAt displayFinancialStatus displayFulfillmentStatus lineItems(first: 20) { ${LINES} } }
  }
}`

const MORE_LINES = `query UnpaidLines($id: ID!, $after: String) {
  order(id: $id) { lineItems(first: 250, after: $after) { ${LINES} } }
}`

/**
 * Counts the pieces of a product in unpaid orders that were placed since a time. The shop has already subtracted them
 * from its stock, but these orders are not imported yet.
 */
export async function countUnpaidPieces(
  { ask }: ShopifyGraphql,
  { productId, since }: { productId: string; since: Date },
  leftMs: () => number,
): Promise<UnpaidPieces> {
  const query = `created_at:>='${since.toISOString()}' AND (financial_status:pending OR financial_status:expired)`
  const askFrom = async (after: string | null) => {
    const outcome = await ask(UNPAID, { after, query }, leftMs)
    return outcome.ok ? ({ ok: true, page: fieldOf(outcome.data, 'orders') } as const) : outcome
  }
  const first = await askFrom(null)
  if (!first.ok) return first
  if (!Array.isArray(fieldOf(first.page, 'nodes')))
    return failed(200, 'The response of the shop does not contain orders.')
  const orders = await nodesOfAllPages(first.page, askFrom)
  if (!orders.ok) return orders
  let pieces = 0
  for (const order of orders.nodes.filter((each) => readShopifyOrder(each) === null)) {
    const lines = await nodesOfAllPages(fieldOf(order, 'lineItems'), async (after) => {
      const more = await ask(MORE_LINES, { id: textIn(order, 'id'), after }, leftMs)
      return more.ok ? { ok: true, page: fieldOf(fieldOf(more.data, 'order'), 'lineItems') } : more
    })
    if (!lines.ok) return lines
    for (const line of lines.nodes)
      if (textIn(fieldOf(line, 'product'), 'id') === productId) pieces += numberIn(line, 'currentQuantity')
  }
  return { ok: true, pieces }
}
