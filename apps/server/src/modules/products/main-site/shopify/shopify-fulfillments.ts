import { fieldOf } from '../main-site-answer.ts'
import { failed, type SiteFailure } from '../site-calls.ts'
import { nodesOfAllPages, type ShopifyGraphql } from './shopify-graphql.ts'
import { textIn } from './shopify-order.ts'

const LINES = `pageInfo { hasNextPage endCursor } nodes { quantity lineItem { sku } }`

const FULFILLMENTS = `query Fulfillments($id: ID!) {
  order(id: $id) { fulfillments(first: 50) { id status fulfillmentLineItems(first: 50) { ${LINES} } } }
}`

const MORE_LINES = `query FulfillmentLines($id: ID!, $after: String) {
  fulfillment(id: $id) { fulfillmentLineItems(first: 250, after: $after) { ${LINES} } }
}`

/**
 * Adds the fulfillments of a listed order, with all their lines. An order of which nothing was sent needs no call. Each
 * other order needs its own call, because a query of all of them would exceed Shopify's limit for one query. Fails if the
 * response does not list the fulfillments.
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
  // A response without these lists does not mean that nothing was sent.
  const missing = failed(
    outcome.status,
    'The response of the shop does not contain the fulfillments of an order.',
  )
  const listed = fieldOf(fieldOf(outcome.data, 'order'), 'fulfillments')
  if (!Array.isArray(listed)) return missing
  const fulfillments: unknown[] = []
  for (const each of listed as unknown[]) {
    if (!Array.isArray(fieldOf(fieldOf(each, 'fulfillmentLineItems'), 'nodes'))) return missing
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
