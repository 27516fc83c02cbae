import { fieldOf } from '../main-site-answer.ts'
import { failed, type SiteFailure } from '../site-calls.ts'
import { nodesOfAllPages, type ShopifyAsk } from './shopify-graphql.ts'
import { SOLD, textIn } from './shopify-order.ts'

/**
 * Sizes of the queries. Shopify refuses a query that costs more than 1,000 points: each object costs one point, each
 * connection two, and a list costs the points of one node times its `first`. These queries cost at most 580, 801, 820
 * and 804 points.
 */
const ORDERS_AT_ONCE = 10
const FULFILLMENTS_OF_ORDER = 2
const LINES_OF_FULFILLMENT = 6
const ALL_FULFILLMENTS = 50
const LINES_OF_ALL = 3
const LONG_AT_ONCE = 5
const LINES_OF_LONG = 40
const MORE_LINES_AT_ONCE = 200

const LINES = `pageInfo { hasNextPage endCursor } nodes { quantity lineItem { ${SOLD} } }`

const FULFILLMENTS = `query Fulfillments($ids: [ID!]!) {
  nodes(ids: $ids) {
    ... on Order {
      id fulfillmentsCount { count }
      fulfillments(first: ${FULFILLMENTS_OF_ORDER}) {
        id status fulfillmentLineItems(first: ${LINES_OF_FULFILLMENT}) { ${LINES} }
      }
    }
  }
}`

/** Reads the fulfillments of one order, if it has more of them than the query for many orders reads. */
const ALL_OF_ORDER = `query AllFulfillments($id: ID!) {
  order(id: $id) { fulfillments(first: ${ALL_FULFILLMENTS}) { id status fulfillmentLineItems(first: ${LINES_OF_ALL}) { ${LINES} } } }
}`

const LONG = `query LongFulfillments($ids: [ID!]!) {
  nodes(ids: $ids) { ... on Fulfillment { id fulfillmentLineItems(first: ${LINES_OF_LONG}) { ${LINES} } } }
}`

const MORE_LINES = `query FulfillmentLines($id: ID!, $after: String) {
  fulfillment(id: $id) { fulfillmentLineItems(first: ${MORE_LINES_AT_ONCE}, after: $after) { ${LINES} } }
}`

const MISSING = 'The response of the shop does not contain the fulfillments of an order.'

interface Fulfillment {
  id: string
  status: string
  lines: unknown
}

/**
 * Returns the fulfillments in a response. Returns null if there is no list, or if a fulfillment has no list of lines.
 */
function fulfillmentsIn(list: unknown): Fulfillment[] | null {
  if (!Array.isArray(list)) return null
  const all = list.map((each) => ({
    id: textIn(each, 'id'),
    status: textIn(each, 'status'),
    lines: fieldOf(each, 'fulfillmentLineItems'),
  }))
  return all.every(({ lines }) => Array.isArray(fieldOf(lines, 'nodes'))) ? all : null
}

const hasMoreLines = ({ lines }: Fulfillment): boolean =>
  fieldOf(fieldOf(lines, 'pageInfo'), 'hasNextPage') === true

const idsOf = (nodes: readonly unknown[]): string[] => nodes.map((node) => textIn(node, 'id'))

/** Returns the page of a fulfillment's lines that follows a position. */
async function askLines(ask: ShopifyAsk, id: string, after: string | null) {
  const outcome = await ask(MORE_LINES, { id, after })
  if (!outcome.ok) return outcome
  return { ok: true, page: fieldOf(fieldOf(outcome.data, 'fulfillment'), 'fulfillmentLineItems') } as const
}

/** Returns the lines of a fulfillment, each with the sold `lineItem` and its `quantity`. */
export async function readLinesOfFulfillment(
  ask: ShopifyAsk,
  id: string,
): Promise<{ ok: true; nodes: unknown[] } | SiteFailure> {
  const first = await askLines(ask, id, null)
  return first.ok ? nodesOfAllPages(first.page, (after) => askLines(ask, id, after)) : first
}

/**
 * Adds the fulfillments, with all their lines, to listed orders. Orders without sent pieces need no call. The others
 * are read together, as many as the limit of a query allows. Only an order with many fulfillments, or a fulfillment
 * with many lines, needs further calls. Fails if the response lacks the fulfillments of an order.
 */
export async function addFulfillments(
  ask: ShopifyAsk,
  orders: readonly unknown[],
): Promise<{ ok: true; orders: unknown[] } | SiteFailure> {
  /** Reads objects by their ids, several in one call. Returns those that the shop has, by id. */
  const askNodes = async (
    query: string,
    ids: readonly string[],
    atOnce: number,
  ): Promise<{ ok: true; nodes: Map<string, unknown> } | SiteFailure> => {
    const nodes = new Map<string, unknown>()
    for (let at = 0; at < ids.length; at += atOnce) {
      const outcome = await ask(query, { ids: ids.slice(at, at + atOnce) })
      if (!outcome.ok) return outcome
      const listed = fieldOf(outcome.data, 'nodes')
      if (!Array.isArray(listed)) return failed(outcome.status, MISSING)
      for (const node of listed as unknown[]) nodes.set(textIn(node, 'id'), node)
    }
    return { ok: true, nodes }
  }

  /**
   * Returns the list of an order's fulfillments: from the response about many orders if it is complete, otherwise by
   * another call.
   */
  const listOfOrder = async (
    id: string,
    node: unknown,
  ): Promise<{ ok: true; list: unknown } | SiteFailure> => {
    const list = fieldOf(node, 'fulfillments')
    // If the response lacks the list, it is unknown whether pieces were sent.
    if (!Array.isArray(list)) return { ok: true, list }
    const count = fieldOf(fieldOf(node, 'fulfillmentsCount'), 'count')
    // Without a count, the list may be incomplete.
    if (typeof count === 'number' && count <= list.length) return { ok: true, list }
    const outcome = await ask(ALL_OF_ORDER, { id })
    return outcome.ok ? { ok: true, list: fieldOf(fieldOf(outcome.data, 'order'), 'fulfillments') } : outcome
  }

  const moreLinesOf = (id: string) => (after: string) => askLines(ask, id, after)

  const isSent = (order: unknown) => textIn(order, 'displayFulfillmentStatus') !== 'UNFULFILLED'
  const asked = await askNodes(FULFILLMENTS, idsOf(orders.filter(isSent)), ORDERS_AT_ONCE)
  if (!asked.ok) return asked
  const byOrder = new Map<string, Fulfillment[]>()
  for (const [id, node] of asked.nodes) {
    const listed = await listOfOrder(id, node)
    if (!listed.ok) return listed
    const fulfillments = fulfillmentsIn(listed.list)
    if (fulfillments === null) return failed(200, MISSING)
    byOrder.set(id, fulfillments)
  }
  const long = [...byOrder.values()].flat().filter(hasMoreLines)
  const longer = await askNodes(LONG, idsOf(long), LONG_AT_ONCE)
  if (!longer.ok) return longer
  const linesOf = new Map<string, unknown[]>()
  for (const { id } of long) {
    const first = fieldOf(longer.nodes.get(id), 'fulfillmentLineItems')
    if (!Array.isArray(fieldOf(first, 'nodes'))) return failed(200, MISSING)
    const lines = await nodesOfAllPages(first, moreLinesOf(id))
    if (!lines.ok) return lines
    linesOf.set(id, lines.nodes)
  }
  const withAll = orders.map((order) => {
    const sent = isSent(order) ? byOrder.get(textIn(order, 'id')) : []
    const fulfillments = sent?.map(({ id, status, lines }) => ({
      id,
      status,
      fulfillmentLineItems: { nodes: linesOf.get(id) ?? fieldOf(lines, 'nodes') },
    }))
    return fulfillments && { ...Object(order), fulfillments }
  })
  return withAll.includes(undefined) ? failed(200, MISSING) : { ok: true, orders: withAll }
}
