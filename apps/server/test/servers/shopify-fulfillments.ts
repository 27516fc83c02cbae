import { json, type SiteBehavior } from './main-site-server.ts'

interface Sent {
  status: string
  pieces: { sku: string; quantity: number }[]
}

/** The responses of a Shopify shop to the queries of fulfillments. It refuses those that cost more than one query may. */
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
      nodes: all.slice(from, end).map(({ sku, quantity }) => ({ quantity, lineItem: { sku } })),
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
  /** Returns the points of a query of fulfillments, as documented: lists with `first`, objects 1, connections 2 more. */
  const pointsOf = (ids: number, words: string) => {
    const { parcels, lines } = sizesIn(words)
    const ofFulfillment = 1 + 2 + 1 + lines * 2
    return ids * (parcels > 0 ? 2 + parcels * ofFulfillment : ofFulfillment)
  }
  const list = (ids: readonly string[], words: string): SiteBehavior => {
    const points = pointsOf(ids.length, words)
    if (points > 1000)
      return json(200, {
        errors: [
          {
            message: `Query cost is ${points}, which exceeds the single query max cost limit (1000).`,
            extensions: { code: 'MAX_COST_EXCEEDED' },
          },
        ],
      })
    return json(200, {
      data: {
        nodes: ids.map((id) =>
          id.includes('/Fulfillment/')
            ? { id, fulfillmentLineItems: fulfillmentLines(id, 0, sizesIn(words).lines) }
            : ofOrder(id, words),
        ),
      },
    })
  }
  const moreLines = (id: string, from: number) => ({
    fulfillmentLineItems: fulfillmentLines(id, from, MORE_LINES),
  })
  return { list, ofOrder, moreLines }
}
