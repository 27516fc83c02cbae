import { fieldOf } from '../main-site-answer.ts'
import { failed, type SiteFailure } from '../site-calls.ts'
import type { ShopifyAsk } from './shopify-graphql.ts'
import { hasDiscrepancy, textIn } from './shopify-order.ts'

/**
 * Sizes of the query. Shopify refuses a query that costs more than 1,000 points: each object costs one point, each
 * connection two, and a list costs the points of one node times its `first`. This query costs at most 843 points.
 */
const ORDERS_AT_ONCE = 3
const REFUNDS_OF_ORDER = 10
const ADJUSTMENTS_OF_REFUND = 5

const REFUNDS = `query Refunds($ids: [ID!]!) {
  nodes(ids: $ids) {
    ... on Order {
      id
      refunds(first: ${REFUNDS_OF_ORDER}) {
        createdAt
        orderAdjustments(first: ${ADJUSTMENTS_OF_REFUND}) {
          nodes { amountSet { shopMoney { amount } } taxAmountSet { shopMoney { amount } } }
        }
      }
    }
  }
}`

const MISSING = 'The response of the shop does not contain the refunds of an order.'

/**
 * Adds the refunds to the listed orders with money that was kept from refunds, or that was refunded without pieces.
 * Other orders need no call. Fails if the response lacks the refunds of an order.
 */
export async function addRefunds(
  ask: ShopifyAsk,
  orders: readonly unknown[],
): Promise<{ ok: true; orders: unknown[] } | SiteFailure> {
  const ids = orders.filter(hasDiscrepancy).map((order) => textIn(order, 'id'))
  const refunds = new Map<string, unknown>()
  for (let at = 0; at < ids.length; at += ORDERS_AT_ONCE) {
    const asked = ids.slice(at, at + ORDERS_AT_ONCE)
    const outcome = await ask(REFUNDS, { ids: asked })
    if (!outcome.ok) return outcome
    const nodes = fieldOf(outcome.data, 'nodes')
    for (const node of Array.isArray(nodes) ? (nodes as unknown[]) : [])
      refunds.set(textIn(node, 'id'), fieldOf(node, 'refunds'))
    if (!asked.every((id) => Array.isArray(refunds.get(id)))) return failed(outcome.status, MISSING)
  }
  const withRefunds = orders.map((order) => {
    const list = refunds.get(textIn(order, 'id'))
    return list === undefined ? order : { ...Object(order), refunds: list }
  })
  return { ok: true, orders: withRefunds }
}
