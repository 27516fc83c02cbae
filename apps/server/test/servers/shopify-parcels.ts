/** Pieces of a line in a fulfillment. `lineItem` has the fields of the line, if it has more than a SKU. */
export interface SentLine {
  sku: string
  quantity: number
  lineItem?: object | undefined
}

export interface ShopifyOrder {
  node: Record<string, unknown> & { id: string; updatedAt: string }
  /** The lines of its parcels (fulfillment orders). A line without `parcel` is in the one parcel `parcel`. */
  open: { id: string; sku: string; remainingQuantity: number; parcel?: string; lineItem?: object }[]
  /** The status and the location of parcels, by name. Any other parcel is open and at the primary location. */
  parcels?: Record<string, { status?: string; location?: string }>
  fulfillments: Record<string, unknown>[]
  /** Fulfillments of the shop's own staff. */
  sent?: { status: 'SUCCESS' | 'CANCELLED'; pieces: SentLine[] }[]
}

export interface Fulfilment {
  lineItemsByFulfillmentOrder: {
    fulfillmentOrderId: string
    fulfillmentOrderLineItems: { id: string; quantity: number }[]
  }[]
}

/** Returns the fields of an object that a query names. As at Shopify, a response contains no other fields. */
export const askedOf = (node: object, words: string): Record<string, unknown> =>
  Object.fromEntries(Object.entries(node).filter(([name]) => new RegExp(`\\b${name}\\b`).test(words)))

/** Returns the `first` of a connection in a query. Shopify has at most 250 nodes in a page. */
export const firstOf = (field: string, asked: string) =>
  Math.min(250, Number(new RegExp(`\\b${field}\\(first: (\\d+)`).exec(asked)?.[1]))

/** The parcels (fulfillment orders) of a Shopify shop's orders, and the mutation that sends them. */
export function parcelsFor(orders: ReadonlyMap<string, ShopifyOrder>, nextId: (kind: string) => string) {
  const totalOf = ({ fulfillments }: ShopifyOrder, { id, remainingQuantity }: ShopifyOrder['open'][number]) =>
    (fulfillments as unknown as Fulfilment[])
      .flatMap(({ lineItemsByFulfillmentOrder: parcels }) =>
        parcels.flatMap((each) => each.fulfillmentOrderLineItems),
      )
      .filter((line) => line.id === id)
      .reduce((sum, { quantity }) => sum + quantity, remainingQuantity)

  const parcelOf = (line: ShopifyOrder['open'][number]) => line.parcel ?? 'parcel'
  const parcelLines = (
    order: ShopifyOrder,
    { parcel, from, asked }: { parcel: string; from: number; asked: string },
  ) => {
    const lines = order.open.filter((line) => parcelOf(line) === parcel)
    const end = from + firstOf('lineItems', asked)
    return {
      nodes: lines
        .slice(from, end)
        .map((line) =>
          askedOf(
            { ...line, lineItem: line.lineItem ?? { sku: line.sku }, totalQuantity: totalOf(order, line) },
            asked,
          ),
        ),
      pageInfo: { hasNextPage: lines.length > end, endCursor: String(end) },
    }
  }

  /** Returns a page of the parcels (fulfillment orders) of an order. */
  const findOpen = (id: string, { after, asked }: { after: number; asked: string }) => {
    const order = orders.get(id.split('/').at(-1) ?? '')
    if (!order) return { order: null }
    const names = [...new Set(order.open.map(parcelOf))]
    const end = after + firstOf('fulfillmentOrders', asked)
    const nodes = names.slice(after, end).map((parcel) => ({
      id: `${id}/${parcel}`,
      status: statusOfParcel(order, parcel),
      assignedLocation: { location: { id: locationOf(order, parcel) } },
      lineItems: parcelLines(order, { parcel, from: 0, asked }),
    }))
    const pageInfo = { hasNextPage: names.length > end, endCursor: String(end) }
    return { order: { fulfillmentOrders: { nodes: nodes.map((node) => askedOf(node, asked)), pageInfo } } }
  }
  const statusOfParcel = (order: ShopifyOrder, parcel: string) => {
    const isDone = order.open.every((line) => parcelOf(line) !== parcel || line.remainingQuantity === 0)
    return isDone ? 'CLOSED' : (order.parcels?.[parcel]?.status ?? 'OPEN')
  }
  const locationOf = (order: ShopifyOrder, parcel: string) =>
    order.parcels?.[parcel]?.location ?? 'gid://shopify/Location/1'

  const moreParcelLines = (id: string, { after, asked }: { after: number; asked: string }) => {
    const [orderId = '', parcel = ''] = id.split('/').slice(-2)
    const order = orders.get(orderId)
    return {
      fulfillmentOrder: order ? { lineItems: parcelLines(order, { parcel, from: after, asked }) } : null,
    }
  }

  const fulfil = (given: Fulfilment) => {
    const sent = new Set<ShopifyOrder>()
    const places = new Set(
      given.lineItemsByFulfillmentOrder.map(({ fulfillmentOrderId: id }) => {
        const [orderId = '', parcel = ''] = id.split('/').slice(-2)
        const order = orders.get(orderId)
        return order && locationOf(order, parcel)
      }),
    )
    if (places.size > 1)
      return {
        set: {
          userErrors: [{ message: 'All fulfillment orders must be assigned to the same location.' }],
        },
      }
    for (const { id, quantity } of given.lineItemsByFulfillmentOrder.flatMap(
      (each) => each.fulfillmentOrderLineItems,
    )) {
      const order = [...orders.values()].find(({ open }) => open.some((line) => line.id === id))
      const line = order?.open.find((each) => each.id === id)
      const isOpen = order && line && ['OPEN', 'IN_PROGRESS'].includes(statusOfParcel(order, parcelOf(line)))
      if (!isOpen || line.remainingQuantity < quantity)
        return {
          set: { userErrors: [{ message: 'Invalid fulfillment order line item quantity requested.' }] },
        }
      line.remainingQuantity -= quantity
      sent.add(order)
    }
    const at = new Date().toISOString()
    for (const { node, fulfillments } of sent) {
      fulfillments.push({ ...given })
      // A fulfillment changes its order.
      if (node.updatedAt < at) node.updatedAt = at
    }
    return { set: { fulfillment: { id: nextId('Fulfillment') }, userErrors: [] } }
  }

  return { findOpen, moreParcelLines, fulfil }
}
