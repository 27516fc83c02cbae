/** Pieces of an order line in a fulfillment. `lineItem` contains the fields of the line if it has more than a SKU. */
export interface SentLine {
  sku: string
  quantity: number
  lineItem?: object | undefined
}

export interface ShopifyOrder {
  node: Record<string, unknown> & { id: string; updatedAt: string }
  /**
   * The lines of the parcels (fulfillment orders) of the order. A line without `parcel` is in the parcel named
   * `parcel`.
   */
  open: { id: string; sku: string; remainingQuantity: number; parcel?: string; lineItem?: object }[]
  /**
   * The status and location of parcels, by the name of the parcel. A missing parcel is open and at the primary
   * location.
   */
  parcels?: Record<string, { status?: string; location?: string }>
  fulfillments: Record<string, unknown>[]
  /** Fulfillments of the shop's own staff. */
  sent?: {
    id?: string | undefined
    status: 'SUCCESS' | 'CANCELLED'
    trackingNumber?: string | undefined
    pieces: SentLine[]
  }[]
}

/** The input of the mutation that adds a fulfillment: the open lines and their pieces. */
export interface Fulfilment {
  lineItemsByFulfillmentOrder: {
    fulfillmentOrderId: string
    fulfillmentOrderLineItems: { id: string; quantity: number }[]
  }[]
}

interface Tracking {
  company?: string | null
  number?: string | null
  url?: string | null
}

/** Returns the fields of an object that a query names. A response contains no other fields, as in Shopify. */
export const askedOf = (node: object, words: string): Record<string, unknown> =>
  Object.fromEntries(Object.entries(node).filter(([name]) => new RegExp(`\\b${name}\\b`).test(words)))

/** Returns the page size (`first`) of a connection in a query, which is at most 250 in Shopify. */
export const firstOf = (field: string, asked: string) =>
  Math.min(250, Number(new RegExp(`\\b${field}\\(first: (\\d+)`).exec(asked)?.[1]))

/**
 * Returns functions that answer queries for the parcels (fulfillment orders) of a shop's orders, and that send, cancel
 * and change parcels.
 */
export function parcelsFor(orders: ReadonlyMap<string, ShopifyOrder>, nextId: (kind: string) => string) {
  /** Our fulfillments by id, each with its order. */
  const byId = new Map<string, { order: ShopifyOrder; fulfillment: Record<string, unknown> }>()
  /**
   * Returns the total number of pieces of a line. If the parcel of the line stays closed, the pieces of a cancelled
   * fulfillment still count.
   */
  const totalOf = ({ fulfillments }: ShopifyOrder, { id, remainingQuantity }: ShopifyOrder['open'][number]) =>
    (fulfillments as unknown as Fulfilment[])
      .filter((each) => !('status' in each && each.status === 'CANCELLED') || remainingQuantity === 0)
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
    if (given.lineItemsByFulfillmentOrder.some((each) => each.fulfillmentOrderLineItems.length > 512))
      return { set: { userErrors: [{ message: 'Only 512 line items are accepted.' }] } }
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
    const fulfillmentId = nextId('Fulfillment')
    for (const order of sent) {
      const fulfillment = { ...given, id: fulfillmentId }
      order.fulfillments.push(fulfillment)
      byId.set(fulfillmentId, { order, fulfillment })
      touch(order)
    }
    return { set: { fulfillment: { id: fulfillmentId }, userErrors: [] } }
  }

  /** Sets the time of the order's last change, as each change of a fulfillment does. */
  const touch = ({ node }: ShopifyOrder) => {
    const at = new Date().toISOString()
    if (node.updatedAt < at) node.updatedAt = at
  }

  const findSent = (ids: readonly string[]) => ({
    nodes: ids.map((id) => {
      const known = byId.get(id)
      const { status = 'SUCCESS', updatedAt = known?.order.node.updatedAt } = known?.fulfillment ?? {}
      return known ? { id, status, updatedAt } : null
    }),
  })

  /**
   * Cancels a fulfillment as Shopify documents it. A parcel that was sent in part gets its pieces back. A parcel that
   * was sent as a whole stays closed, and a new parcel gets its pieces.
   */
  const cancelFulfilment = (id: string) => {
    const known = byId.get(id)
    if (!known) return { set: { userErrors: [{ message: 'Fulfillment does not exist.' }] } }
    const { order, fulfillment } = known
    if (fulfillment['status'] === 'CANCELLED' || fulfillment['displayStatus'] === 'DELIVERED')
      return { set: { userErrors: [{ message: 'The fulfillment cannot be cancelled.' }] } }
    fulfillment['status'] = 'CANCELLED'
    const { lineItemsByFulfillmentOrder: parts } = fulfillment as unknown as Fulfilment
    for (const part of parts.flatMap((each) => each.fulfillmentOrderLineItems)) {
      const line = order.open.find((each) => each.id === part.id)
      if (!line) continue
      if (statusOfParcel(order, parcelOf(line)) === 'CLOSED') {
        const again = nextId('FulfillmentOrderLineItem')
        order.open.push({
          ...line,
          id: again,
          parcel: `again-${again.split('/').at(-1)}`,
          remainingQuantity: part.quantity,
        })
      } else line.remainingQuantity += part.quantity
    }
    touch(order)
    const { updatedAt } = order.node
    Object.assign(fulfillment, { updatedAt })
    return { set: { fulfillment: { id, status: 'CANCELLED', updatedAt }, userErrors: [] } }
  }

  const shownTracking = ({ company = null, number = null, url = null }: Tracking) =>
    company === null && number === null && url === null ? [] : [{ company, number, url }]

  const findTracking = (ids: readonly string[]) => ({
    nodes: ids.map((id) => {
      const { status = 'SUCCESS', trackingInfo } = byId.get(id)?.fulfillment ?? {}
      return byId.has(id)
        ? { id, status, trackingInfo: shownTracking((trackingInfo ?? {}) as Tracking) }
        : null
    }),
  })

  /** Changes the tracking of a fulfillment. A real shop then sends a message to the customer. */
  const changeTracking = (id: string, trackingInfo: Tracking) => {
    const known = byId.get(id)
    if (!known)
      return { set: { fulfillment: null, userErrors: [{ message: 'Fulfillment does not exist.' }] } }
    known.fulfillment['trackingInfo'] = trackingInfo
    touch(known.order)
    return { set: { fulfillment: { id }, userErrors: [] } }
  }

  return {
    findOpen,
    moreParcelLines,
    fulfil,
    findSent,
    cancelFulfilment,
    findTracking,
    changeTracking,
  }
}
