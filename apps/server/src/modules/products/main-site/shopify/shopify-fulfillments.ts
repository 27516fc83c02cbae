import { fieldOf } from '../main-site-answer.ts'
import type { SiteFailure } from '../site-calls.ts'
import { nodesOfAllPages, type ShopifyGraphql } from './shopify-graphql.ts'
import { listOf, textIn } from './shopify-order.ts'

const LINES = `pageInfo { hasNextPage endCursor } nodes { quantity lineItem { sku } }`

const FULFILLMENTS = `query Fulfillments($id: ID!) {
  order(id: $id) { fulfillments(first: 50) { id status fulfillmentLineItems(first: 50) { ${LINES} } } }
}`

const MORE_LINES = `query FulfillmentLines($id: ID!, $after: String) {
  fulfillment(id: $id) { fulfillmentLineItems(first: 250, after: $after) { ${LINES} } }
}`

/**
 * Adds the fulfillments of a listed order, with all their lines. An order of which nothing was sent needs no call. Each
 * other order needs its own call, because a query of all of them would exceed Shopify's limit for one query.
 */
export async function addFulfillments(
  { ask }: ShopifyGraphql,
  order: unknown,
  leftMs: () => number,
): Promise<{ ok: true; order: unknown } | SiteFailure> {
  if (textIn(order, 'displayFulfillmentStatus') === 'UNFULFILLED')
    return { ok: true, order: { ...Object(order), fulfillments: [] } }
  const outcome = await ask(FULFILLMENTS, { id: textIn(order, 'id') }, leftMs)
  if (!outcome.ok) return outcome
  const fulfillments: unknown[] = []
  for (const each of listOf(fieldOf(fieldOf(outcome.data, 'order'), 'fulfillments'))) {
    const lines = await nodesOfAllPages(fieldOf(each, 'fulfillmentLineItems'), async (after) => {
      const more = await ask(MORE_LINES, { id: textIn(each, 'id'), after }, leftMs)
      if (!more.ok) return more
      return { ok: true, page: fieldOf(fieldOf(more.data, 'fulfillment'), 'fulfillmentLineItems') }
    })
    if (!lines.ok) return lines
    fulfillments.push({ ...Object(each), fulfillmentLineItems: { nodes: lines.nodes } })
  }
  return { ok: true, order: { ...Object(order), fulfillments } }
}
