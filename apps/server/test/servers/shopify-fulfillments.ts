import type { SentLine } from './shopify-parcels.ts'

interface Sent {
  status: string
  pieces: SentLine[]
}

/** The responses of a Shopify shop to the queries of fulfillments. */
export function fulfillmentsFor<Order>(
  orders: ReadonlyMap<string, Order>,
  fulfillmentsOf: (order: Order) => Sent[],
) {
  /** A page after the first one is shorter than at Shopify, so that an order of few lines has several. */
  const MORE_LINES = 2
  const fulfillmentLines = (id: string, from: number, first: number) => {
    const [orderId = '', index = ''] = (id.split('/').at(-1) ?? '').split('-')
    const order = orders.get(orderId)
    const all = (order && fulfillmentsOf(order)[Number(index)])?.pieces ?? []
    const end = from + first
    return {
      nodes: all.slice(from, end).map(({ sku, quantity, lineItem = { sku } }) => ({ quantity, lineItem })),
      pageInfo: { hasNextPage: all.length > end, endCursor: String(end) },
    }
  }
  /** Returns the `first` of the fulfillments and that of their lines in a query. */
  const sizesIn = (words: string) => {
    const sizeOf = (field: string) => Number(new RegExp(`\\b${field}\\(first: (\\d+)`).exec(words)?.[1] ?? 0)
    return { parcels: sizeOf('fulfillments'), lines: sizeOf('fulfillmentLineItems') }
  }
  const ofOrder = (id: string, words: string) => {
    const orderId = id.split('/').at(-1) ?? ''
    const order = orders.get(orderId)
    if (!order) return null
    const all = fulfillmentsOf(order)
    const { parcels, lines } = sizesIn(words)
    return {
      id,
      ...(words.includes('fulfillmentsCount') && { fulfillmentsCount: { count: all.length } }),
      fulfillments: all.slice(0, parcels).map(({ status }, index) => {
        const own = `gid://shopify/Fulfillment/${orderId}-${index}`
        return { id: own, status, fulfillmentLineItems: fulfillmentLines(own, 0, lines) }
      }),
    }
  }
  const list = (ids: readonly string[], words: string) => ({
    nodes: ids.map((id) =>
      id.includes('/Fulfillment/')
        ? { id, fulfillmentLineItems: fulfillmentLines(id, 0, sizesIn(words).lines) }
        : ofOrder(id, words),
    ),
  })
  const moreLines = (id: string, from: number) => ({
    fulfillmentLineItems: fulfillmentLines(id, from, MORE_LINES),
  })
  return { list, ofOrder, moreLines }
}
