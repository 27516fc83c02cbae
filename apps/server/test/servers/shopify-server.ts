import { aMainSite, json, type SiteBehavior, type SiteRequest, type TestSite } from './main-site-server.ts'
import { costOf, MAX_COST } from './shopify-cost.ts'
import { fulfillmentsFor } from './shopify-fulfillments.ts'
import { askedOf, firstOf, type Fulfilment, parcelsFor, type ShopifyOrder } from './shopify-parcels.ts'

export const SHOPIFY_TOKEN = 'shpat_0123456789abcdef'

interface File {
  id: string
  source: string
  image: { url: string } | null
}
export interface ShopifyStored {
  id: string
  handle: string
  title: string
  variants: { id: string; price: string; inventoryQuantity: number }[]
  files: File[]
  metafields: Map<string, string>
  input: Record<string, unknown>
}

/**
 * A Shopify shop that supports the calls of the adapter. It identifies products by their handle, and copies
 * pictures.
 */
export interface ShopifyShop {
  url: string
  requests: TestSite['requests']
  products: Map<string, ShopifyStored>
  /** The orders by the last part of their id. */
  orders: Map<string, ShopifyOrder>
  /** The stock at the primary location, by the id of the inventory item. */
  stock: Map<string, number>
  /** The pieces of each product at the other locations. */
  stockElsewhere: number
  /** The ids of products that the primary location does not stock. */
  unstocked: Set<string>
  /** The primary location. Tests may change it. */
  primary: { id: string }
  /** Returns the fulfillments of an order: ours, and those of the shop's staff. */
  fulfillmentsOf(order: ShopifyOrder): NonNullable<ShopifyOrder['sent']>
  /** Returns the number of copied pictures. */
  copied(): number
  /**
   * Sets how the shop responds to the next requests. Null means normally. A behavior may first `take` the
   * request, so that the request has its effect.
   */
  behave(behavior: SiteBehavior | null): void
  take(request: SiteRequest): SiteBehavior
}

interface Input {
  title: string
  handle: string
  files: { id?: string; originalSource?: string; filename?: string }[]
  variants: { id?: string; price: string; inventoryQuantities?: { quantity: number; locationId: string }[] }[]
  metafields?: { key: string; value: string }[]
}

const query = (request: SiteRequest): string => String((request.body as { query?: string } | null)?.query)
/** Returns whether a request creates or changes a product. */
export const isSetting = (request: SiteRequest): boolean => query(request).startsWith('mutation Publish')

/** Returns Shopify's response to too many calls: status 200 with the remaining budget, as documented. */
export const throttled = ({ lacking }: { lacking: number }): SiteBehavior =>
  json(200, {
    errors: [{ message: 'Throttled', extensions: { code: 'THROTTLED' } }],
    extensions: {
      cost: {
        requestedQueryCost: 100 + lacking,
        actualQueryCost: null,
        throttleStatus: { maximumAvailable: 2000, currentlyAvailable: 100, restoreRate: 100 },
      },
    },
  })

export async function aShopifyShop(): Promise<ShopifyShop> {
  const site = await aMainSite()
  const products = new Map<string, ShopifyStored>()
  let lastId = 100
  let copies = 0
  const nextId = (kind: string) => {
    lastId += 1
    return `gid://shopify/${kind}/${lastId}`
  }

  const primary = { id: 'gid://shopify/Location/1' }
  const unstocked: ShopifyShop['unstocked'] = new Set()
  /** Returns the stock of a product at a location, or null if the location does not stock it. */
  const levelOf = ({ id, variants }: ShopifyStored, locationId: unknown) => {
    if (locationId !== primary.id)
      return { quantities: [{ name: 'available', quantity: shop.stockElsewhere }] }
    const quantity = stock.get(`${id}/stock`) ?? variants[0]?.inventoryQuantity ?? 0
    return unstocked.has(id) ? null : { quantities: [{ name: 'available', quantity }] }
  }

  const presentProduct = (product: ShopifyStored | undefined) =>
    product
      ? {
          id: product.id,
          handle: product.handle,
          title: product.title,
          onlineStoreUrl: `${site.url}/products/${product.handle}`,
          variants: { nodes: product.variants },
          media: { nodes: product.files.map(({ id, image }) => ({ id, image })) },
          own: product.metafields.has('slug') ? { value: product.metafields.get('slug') } : null,
          sentMedia: product.metafields.has('media') ? { value: product.metafields.get('media') } : null,
        }
      : null

  const set = (input: Input) => {
    const known = products.get(input.handle)
    const files = input.files.map((file) => {
      const there = known?.files.find(({ id }) => id === file.id)
      if (there) return there
      copies += 1
      const url = `https://cdn.shopify.com/s/files/1/files/${file.filename ?? 'x.jpg'}?v=${copies}`
      return { id: nextId('MediaImage'), source: file.originalSource ?? '', image: { url } }
    })
    const product: ShopifyStored = {
      id: known?.id ?? nextId('Product'),
      handle: input.handle,
      title: input.title,
      variants: input.variants.map(({ id, price, inventoryQuantities }) => ({
        id: id ?? nextId('ProductVariant'),
        price: Number(price).toFixed(2),
        inventoryQuantity: inventoryQuantities?.[0]?.quantity ?? 0,
      })),
      files,
      metafields:
        input.metafields === undefined
          ? (known?.metafields ?? new Map())
          : new Map(input.metafields.map(({ key, value }) => [key, value])),
      input: { ...input },
    }
    products.set(input.handle, product)
    // Setting the stock of a product at a location also stocks the product there.
    if (input.variants[0]?.inventoryQuantities?.[0]?.locationId === primary.id) unstocked.delete(product.id)
    return { set: { product: presentProduct(product), userErrors: [] } }
  }

  const orders: ShopifyShop['orders'] = new Map()
  const stock: ShopifyShop['stock'] = new Map()
  /** Returns a page of an order's lines or shipping lines. */
  const linesOf = (
    node: ShopifyOrder['node'],
    from: number,
    asked: string,
    name: 'lineItems' | 'shippingLines' = 'lineItems',
  ) => {
    const { nodes } = (node[name] ?? { nodes: [] }) as { nodes: object[] }
    const end = from + firstOf(name, asked)
    return {
      nodes: nodes.slice(from, end).map((line) => askedOf(line, asked)),
      pageInfo: { hasNextPage: nodes.length > end, endCursor: String(end) },
    }
  }

  /**
   * Returns the status of an order of which some pieces were sent. If all pieces were sent, the test itself sets the
   * status.
   */
  const statusOf = (order: ShopifyOrder) =>
    order.node['displayFulfillmentStatus'] === 'UNFULFILLED' &&
    fulfillmentsOf(order).some(({ status }) => status === 'SUCCESS') && {
      displayFulfillmentStatus: 'PARTIALLY_FULFILLED',
    }

  const listOrders = ({ after, query: words }: Record<string, unknown>, asked: string) => {
    const since = /updated_at:>='([^']+)'/.exec(String(words))?.[1] ?? ''
    const changed = [...orders.values()]
      .map((order) => ({ ...order.node, ...statusOf(order) }))
      .filter(({ updatedAt }) => updatedAt >= since)
      .toSorted((a, b) => (a.updatedAt < b.updatedAt ? -1 : 1))
    const from = Number(after ?? 0)
    const end = from + firstOf('orders', asked)
    return {
      orders: {
        nodes: changed.slice(from, end).map((node) => ({
          ...askedOf(node, asked),
          lineItems: linesOf(node, 0, asked),
          shippingLines: linesOf(node, 0, asked, 'shippingLines'),
        })),
        pageInfo: { hasNextPage: changed.length > end, endCursor: String(end) },
      },
    }
  }

  const listUnpaid = ({ after, query: words }: Record<string, unknown>, asked: string) => {
    const since = /created_at:>='([^']+)'/.exec(String(words))?.[1] ?? ''
    const found = [...orders.values()]
      .map(({ node }) => node)
      .filter((node) => String(node['createdAt']) >= since)
      .filter((node) => ['PENDING', 'EXPIRED'].includes(String(node['displayFinancialStatus'])))
    const from = Number(after ?? 0)
    const end = from + firstOf('orders', asked)
    return {
      orders: {
        nodes: found
          .slice(from, end)
          .map((node) => ({ ...askedOf(node, asked), lineItems: linesOf(node, 0, asked) })),
        pageInfo: { hasNextPage: found.length > end, endCursor: String(end) },
      },
    }
  }

  const moreLines = ({ id, after }: Record<string, unknown>, asked: string) => {
    const order = orders.get(String(id).split('/').at(-1) ?? '')
    const name = asked.startsWith('query ShippingLines') ? 'shippingLines' : 'lineItems'
    return { order: order ? { [name]: linesOf(order.node, Number(after), asked, name) } : null }
  }

  /** Returns the fulfillments of an order: ours, and those of the shop's staff. */
  const fulfillmentsOf: ShopifyShop['fulfillmentsOf'] = (order) => [
    ...order.fulfillments.map((given) => ({
      id: given['id'] as string | undefined,
      trackingNumber: (given['trackingInfo'] as { number?: string } | undefined)?.number,
      status: given['status'] === 'CANCELLED' ? ('CANCELLED' as const) : ('SUCCESS' as const),
      pieces: (given as unknown as Fulfilment).lineItemsByFulfillmentOrder
        .flatMap((each) => each.fulfillmentOrderLineItems)
        .map(({ id, quantity }) => {
          const line = order.open.find((each) => each.id === id)
          return { sku: line?.sku ?? '', quantity, lineItem: line?.lineItem }
        }),
    })),
    ...(order.sent ?? []),
  ]
  const parcels = fulfillmentsFor(orders, fulfillmentsOf)
  const { findOpen, moreParcelLines, fulfil, findSent, cancelFulfilment, ...tracking } = parcelsFor(
    orders,
    nextId,
  )
  const stockItems = (ids: readonly string[]) => ({
    location: primary,
    nodes: ids.map((id) => ({ id, variants: { nodes: [{ inventoryItem: { id: `${id}/stock` } }] } })),
  })

  const setStock = (request: SiteRequest, variables: Record<string, unknown>): SiteBehavior => {
    const { quantities } = variables['input'] as {
      quantities: { inventoryItemId: string; quantity: number; changeFromQuantity?: number | null }[]
    }
    // Shopify has required both fields since 2026-04.
    if (!query(request).includes('@idempotent(key: $key)') || typeof variables['key'] !== 'string')
      return json(200, { errors: [{ message: 'The @idempotent directive is required for this mutation.' }] })
    if (quantities.some((each) => each.changeFromQuantity === undefined))
      return json(200, { errors: [{ message: 'changeFromQuantity is required.' }] })
    if (quantities.some(({ inventoryItemId: id }) => unstocked.has(id.replace(/\/stock$/, ''))))
      return json(200, {
        data: {
          set: { userErrors: [{ message: 'The specified inventory item is not stocked at the location.' }] },
        },
      })
    for (const { inventoryItemId, quantity } of quantities) stock.set(inventoryItemId, quantity)
    return json(200, { data: { set: { userErrors: [] } } })
  }

  const pageIn = (request: SiteRequest) => {
    const { variables } = request.body as { variables: Record<string, unknown> }
    return { after: Number(variables['after'] ?? 0), asked: query(request) }
  }

  const take = (request: SiteRequest): SiteBehavior => {
    if (request.headers['x-shopify-access-token'] !== SHOPIFY_TOKEN)
      return json(401, {
        errors: '[API] Invalid API key or access token (unrecognized login or wrong password)',
      })
    if (!/^\/admin\/api\/\d{4}-\d{2}\/graphql\.json$/.test(request.path))
      return json(404, { errors: 'Not Found' })
    const { variables } = request.body as { variables: Record<string, unknown> }
    // The app has no access to customers. The address of an order needs only the access to orders.
    if (/\bcustomer\b/.test(query(request)))
      return json(200, {
        data: null,
        errors: [
          {
            message: 'Access denied for customer field. Required access: `read_customers` access scope.',
            extensions: { code: 'ACCESS_DENIED' },
          },
        ],
      })
    const points = costOf(query(request), variables)
    if (points > MAX_COST)
      return json(200, {
        errors: [
          {
            message: `Query cost is ${points}, which exceeds the single query max cost limit (${MAX_COST}).`,
            extensions: { code: 'MAX_COST_EXCEEDED' },
          },
        ],
      })
    if (query(request).startsWith('query Find')) {
      const stored = products.get(String(variables['handle']))
      const level = stored && levelOf(stored, variables['locationId'])
      const withStock = query(request).startsWith('query FindWithStock') && {
        stock: { nodes: [{ inventoryItem: { inventoryLevel: level } }] },
      }
      const product = stored ? { ...presentProduct(stored), ...withStock } : null
      return json(200, { data: { product, location: primary } })
    }
    if (query(request).startsWith('query Unpaid('))
      return json(200, { data: listUnpaid(variables, query(request)) })
    if (query(request).startsWith('query Orders'))
      return json(200, { data: listOrders(variables, query(request)) })
    if (/^query (?:Unpaid|Shipping)?Lines/.test(query(request)))
      return json(200, { data: moreLines(variables, query(request)) })
    if (query(request).startsWith('query Known'))
      return json(200, {
        data: {
          nodes: (variables['ids'] as string[]).map((id) =>
            orders.has(id.split('/').at(-1) ?? '') ? { id } : null,
          ),
        },
      })
    if (query(request).startsWith('query Fees'))
      return json(200, {
        data: {
          nodes: (variables['ids'] as string[]).map((id) => {
            const node = orders.get(id.split('/').at(-1) ?? '')?.node
            return node ? { id, transactions: node['transactions'] ?? [] } : null
          }),
        },
      })
    if (query(request).startsWith('query Refunds'))
      return json(200, {
        data: {
          nodes: (variables['ids'] as string[]).map((id) => {
            const node = orders.get(id.split('/').at(-1) ?? '')?.node
            const refunds = (node?.['refunds'] ?? []) as object[]
            return node ? { id, refunds: refunds.slice(0, firstOf('refunds', query(request))) } : null
          }),
        },
      })
    if (query(request).startsWith('query ParcelLines'))
      return json(200, { data: moreParcelLines(String(variables['id']), pageIn(request)) })
    if (query(request).startsWith('query Parcels'))
      return json(200, { data: findOpen(String(variables['id']), pageIn(request)) })
    if (query(request).startsWith('query FulfillmentLines'))
      return json(200, {
        data: { fulfillment: parcels.moreLines(String(variables['id']), Number(variables['after'])) },
      })
    if (/^query (?:All|Tracked)Fulfillments/.test(query(request)))
      return json(200, { data: { order: parcels.ofOrder(String(variables['id']), query(request)) } })
    if (/^query (?:Long)?Fulfillments/.test(query(request)))
      return json(200, { data: parcels.list(variables['ids'] as string[], query(request)) })
    if (query(request).startsWith('query SentParcels'))
      return json(200, { data: findSent(variables['ids'] as string[]) })
    if (query(request).startsWith('mutation CancelParcel'))
      return json(200, { data: cancelFulfilment(String(variables['id'])) })
    if (query(request).startsWith('query ParcelTracking'))
      return json(200, { data: tracking.findTracking(variables['ids'] as string[]) })
    if (query(request).startsWith('mutation ChangeTracking'))
      return json(200, {
        data: tracking.changeTracking(String(variables['id']), variables['tracking'] as object),
      })
    if (query(request).startsWith('mutation Fulfil'))
      return json(200, { data: fulfil(variables['fulfillment'] as Fulfilment) })
    if (query(request).startsWith('query StockItems'))
      return json(200, { data: stockItems(variables['ids'] as string[]) })
    if (query(request).startsWith('mutation SetStock')) return setStock(request, variables)
    if (isSetting(request)) return json(200, { data: set(variables['input'] as Input) })
    const fields = variables['metafields'] as { ownerId: string; key: string; value: string }[]
    for (const { ownerId, key, value } of fields)
      [...products.values()].find(({ id }) => id === ownerId)?.metafields.set(key, value)
    return json(200, { data: { set: { userErrors: [] } } })
  }

  const asItShould: SiteBehavior = (response, request) => take(request)(response, request)
  site.behave(asItShould)
  const shop: ShopifyShop = {
    url: site.url,
    requests: site.requests,
    products,
    orders,
    stock,
    stockElsewhere: 0,
    unstocked,
    primary,
    fulfillmentsOf,
    copied: () => copies,
    behave: (behavior) => site.behave(behavior ?? asItShould),
    take,
  }
  return shop
}
