import type { SentLine } from './shopify-parcels.ts'

interface Sent {
  id?: string | undefined
  status: string
  trackingNumber?: string | undefined
  pieces: SentLine[]
}

/**
 * Returns functions that answer a Shopify query for fulfillments: for some orders, for one order, and for more of its
 * lines.
 */
export function fulfillmentsFor<Order>(
  orders: ReadonlyMap<string, Order>,
  fulfillmentsOf: (order: Order) => Sent[],
) {
  /**
   * Returns the fulfillments of an order. A fulfillment of the shop's staff gets an id from its position in the list.
   */
  const sentOf = (orderId: string) => {
    const order = orders.get(orderId)
    return (order ? fulfillmentsOf(order) : []).map((each, index) => ({
      ...each,
      id: each.id ?? `gid://shopify/Fulfillment/${orderId}-${index}`,
    }))
  }

  const piecesOf = (id: string) =>
    [...orders.keys()].flatMap(sentOf).find((each) => each.id === id)?.pieces ?? []

  /**
   * Number of lines on each page after the first. It is less than in Shopify, so that an order with few lines has
   * several pages.
   */
  const MORE_LINES = 2
  const fulfillmentLines = (all: Sent['pieces'], from: number, first: number) => {
    const end = from + first
    return {
      nodes: all.slice(from, end).map(({ sku, quantity, lineItem = { sku } }) => ({ quantity, lineItem })),
      pageInfo: { hasNextPage: all.length > end, endCursor: String(end) },
    }
  }
  /** Returns the page sizes (`first`) in a query: of the fulfillments, and of their lines. */
  const sizesIn = (words: string) => {
    const sizeOf = (field: string) => Number(new RegExp(`\\b${field}\\(first: (\\d+)`).exec(words)?.[1] ?? 0)
    return { parcels: sizeOf('fulfillments'), lines: sizeOf('fulfillmentLineItems') }
  }
  const ofOrder = (id: string, words: string) => {
    const orderId = id.split('/').at(-1) ?? ''
    if (!orders.has(orderId)) return null
    const all = sentOf(orderId)
    const { parcels, lines } = sizesIn(words)
    return {
      id,
      ...(words.includes('fulfillmentsCount') && { fulfillmentsCount: { count: all.length } }),
      fulfillments: all.slice(0, parcels).map(({ id: own, status, trackingNumber: number, pieces }) => ({
        id: own,
        status,
        ...(words.includes('trackingInfo') && { trackingInfo: number === undefined ? [] : [{ number }] }),
        ...(words.includes('fulfillmentLineItems') && {
          fulfillmentLineItems: fulfillmentLines(pieces, 0, lines),
        }),
      })),
    }
  }
  const list = (ids: readonly string[], words: string) => ({
    nodes: ids.map((id) =>
      id.includes('/Fulfillment/')
        ? { id, fulfillmentLineItems: fulfillmentLines(piecesOf(id), 0, sizesIn(words).lines) }
        : ofOrder(id, words),
    ),
  })
  const moreLines = (id: string, from: number) => ({
    fulfillmentLineItems: fulfillmentLines(piecesOf(id), from, MORE_LINES),
  })
  return { list, ofOrder, moreLines }
}
