import { type SiteBehavior, aMainSite, json } from '../servers/main-site-server.ts'
import { aShopifyShop, SHOPIFY_TOKEN } from '../servers/shopify-server.ts'
import { aWooShop, WOO_KEY, WOO_SECRET } from '../servers/woo-server.ts'
import { WEBHOOK_SECRET, shopifyHeaders, standardHeaders, wooHeaders } from '../support/webhooks.ts'

/** An order with one line, as the shop stores it. */
export interface SimulatedOrder {
  id: number
  sku: string
  quantity: number
  isCancelled: boolean
  changedAt: Date
}

/** A shop of one kind. The simulation places and changes its orders. */
export interface SimulatedShop {
  kind: 'pegasus' | 'woocommerce' | 'shopify'
  /** The variables that configure a product to trade with this shop. */
  variables: Record<string, string>
  /** Places an order, or changes it. The shop changes the stock of the product by the pieces that it sells. */
  put(order: SimulatedOrder): void
  /** Returns the event about an order, with a current signature. */
  eventOf(order: SimulatedOrder): { body: string; headers: Record<string, string> }
  /** Returns the number of an order's parcels that were reported to the shop. */
  parcelsOf(id: number): number
  /**
   * Returns the number of pieces of an order that the shop counts as sent. Returns null for a shop that only
   * lists parcels.
   */
  piecesSentOf(id: number): number | null
  /** Returns the stock of the product in the shop, or undefined before the first stock update. */
  stock(): number | undefined
  /** Sets how the shop responds from now on. If it is null, the shop works normally. */
  behave(behavior: SiteBehavior | null): void
}

export const SKU = 'DRG'
/** Another SKU of the shop. People map it to the item and remove the mapping again. */
export const OTHER_SKU = 'DRG-GIFT'
const PRICE = 20
/**
 * Returns the number of an order. All numbers have the same length, so that a search for one number finds no
 * other.
 */
export const orderNumberOf = (id: number): string => `SIM-${String(id).padStart(5, '0')}`
/** Counts the pieces of the product that a shop has sold. Pieces of the other SKU are not in its stock. */
function createSales() {
  const sold = new Map<number, number>()
  return {
    /** Saves the new state of an order. Returns the stock of the product after it. */
    stockAfter({ id, sku, quantity, isCancelled }: SimulatedOrder, stock: number): number {
      const before = sold.get(id) ?? 0
      const after = isCancelled || sku !== SKU ? 0 : quantity
      sold.set(id, after)
      return Math.max(0, stock + before - after)
    },
  }
}

const wire = (date: Date): string => date.toISOString()

const settings = (kind: SimulatedShop['kind'], url: string, key: string) => ({
  MAIN_SITE_KIND: kind,
  MAIN_SITE_URL: url,
  MAIN_SITE_ADMIN_KEY: key,
  MAIN_SITE_WEBHOOK_SECRET: WEBHOOK_SECRET,
})

async function ownShop(): Promise<SimulatedShop> {
  const site = await aMainSite()
  const orders = new Map<number, SimulatedOrder>()
  const parcels = new Map<string, Set<string>>()
  const sales = createSales()
  let stock: number | undefined
  const wordsOf = ({ id, sku, quantity, isCancelled, changedAt }: SimulatedOrder) => ({
    order_number: orderNumberOf(id),
    external_id: String(id),
    status: isCancelled ? 'cancelled' : 'pending',
    customer_name: 'Ada',
    total_amount: quantity * PRICE,
    updated_at: wire(changedAt),
    items: [{ sku, name: 'Dragon', quantity, unit_price: PRICE }],
  })
  const asItShould: SiteBehavior = (response, request) => {
    const { pathname } = new URL(request.path, site.url)
    const body = request.body as Record<string, unknown> | null
    if (pathname === '/api/admin/orders')
      return json(200, { orders: [...orders.values()].map(wordsOf), next: null })(response, request)
    const [, number] = /^\/api\/admin\/orders\/([^/]+)\/shipments$/.exec(pathname) ?? []
    if (number !== undefined) {
      parcels.set(number, (parcels.get(number) ?? new Set()).add(String(body?.['id'])))
      return json(200, {})(response, request)
    }
    if (pathname === '/api/admin/stock') {
      const [level] = (body?.['products'] ?? []) as { stock: number }[]
      stock = level?.stock
      return json(200, {})(response, request)
    }
    if (request.method === 'GET') return json(404, { error: 'Not found' })(response, request)
    return json(201, { id: 'p-1', slug: body?.['slug'], url: '/products/dragon' })(response, request)
  }
  site.behave(asItShould)
  return {
    kind: 'pegasus',
    variables: settings('pegasus', site.url, 'the-admin-key'),
    put(order) {
      orders.set(order.id, { ...order })
      if (stock !== undefined) stock = sales.stockAfter(order, stock)
    },
    eventOf(order) {
      const body = JSON.stringify({ type: 'order.updated', order: wordsOf(order) })
      return { body, headers: standardHeaders(body, { at: new Date() }) }
    },
    parcelsOf: (id) => parcels.get(orderNumberOf(id))?.size ?? 0,
    piecesSentOf: () => null,
    stock: () => stock,
    behave: (behavior) => site.behave(behavior ?? asItShould),
  }
}

async function wooShop(): Promise<SimulatedShop> {
  const shop = await aWooShop()
  const sales = createSales()
  const wordsOf = ({ id, sku, quantity, isCancelled, changedAt }: SimulatedOrder) => ({
    id,
    number: orderNumberOf(id),
    status: isCancelled ? 'cancelled' : 'processing',
    currency: 'USD',
    date_created_gmt: wire(changedAt).slice(0, -1),
    date_modified_gmt: wire(changedAt).slice(0, -1),
    total: String(quantity * PRICE),
    billing: { first_name: 'Ada' },
    line_items: [{ sku, name: 'Dragon', quantity, subtotal: String(quantity * PRICE) }],
  })
  return {
    kind: 'woocommerce',
    variables: settings('woocommerce', shop.url, `${WOO_KEY}:${WOO_SECRET}`),
    put(order) {
      const known = shop.orders.get(order.id)
      shop.orders.set(order.id, { ...wordsOf(order), notes: known?.notes ?? [] })
      for (const product of shop.products.values())
        if (typeof product['stock_quantity'] === 'number')
          product['stock_quantity'] = sales.stockAfter(order, product['stock_quantity'])
    },
    eventOf(order) {
      const body = JSON.stringify(wordsOf(order))
      return { body, headers: wooHeaders(body) }
    },
    parcelsOf: (id) => shop.orders.get(id)?.notes.length ?? 0,
    piecesSentOf: () => null,
    stock: () => [...shop.products.values()][0]?.['stock_quantity'] as number | undefined,
    behave: shop.behave,
  }
}

async function shopifyShop(): Promise<SimulatedShop> {
  const shop = await aShopifyShop()
  const sales = createSales()
  const money = (amount: number) => ({ shopMoney: { amount: String(amount) } })
  return {
    kind: 'shopify',
    variables: settings('shopify', shop.url, SHOPIFY_TOKEN),
    put(order) {
      const { id, sku, quantity, isCancelled, changedAt } = order
      for (const [product, stock] of shop.stock) shop.stock.set(product, sales.stockAfter(order, stock))
      const known = shop.orders.get(String(id))
      shop.orders.set(String(id), {
        node: {
          id: `gid://shopify/Order/${id}`,
          name: `#${orderNumberOf(id)}`,
          createdAt: wire(changedAt),
          updatedAt: wire(changedAt),
          cancelledAt: isCancelled ? wire(changedAt) : null,
          displayFinancialStatus: 'PAID',
          displayFulfillmentStatus: 'UNFULFILLED',
          currencyCode: 'USD',
          customer: { displayName: 'Ada' },
          currentTotalPriceSet: money(quantity * PRICE),
          lineItems: {
            nodes: [
              {
                sku,
                name: 'Dragon',
                quantity,
                currentQuantity: quantity,
                originalUnitPriceSet: money(PRICE),
              },
            ],
          },
        },
        open: known?.open ?? [{ id: `line-${id}`, sku, remainingQuantity: quantity }],
        fulfillments: known?.fulfillments ?? [],
      })
    },
    eventOf({ id, sku, quantity, isCancelled, changedAt }) {
      const body = JSON.stringify({
        id,
        admin_graphql_api_id: `gid://shopify/Order/${id}`,
        name: `#${orderNumberOf(id)}`,
        created_at: wire(changedAt),
        updated_at: wire(changedAt),
        cancelled_at: isCancelled ? wire(changedAt) : null,
        financial_status: 'paid',
        fulfillment_status: null,
        currency: 'USD',
        customer: { first_name: 'Ada' },
        total_price: String(quantity * PRICE),
        line_items: [{ sku, name: 'Dragon', quantity, current_quantity: quantity, price: String(PRICE) }],
      })
      return { body, headers: shopifyHeaders(body) }
    },
    parcelsOf: (id) => shop.orders.get(String(id))?.fulfillments.length ?? 0,
    piecesSentOf(id) {
      const { node, open } = shop.orders.get(String(id)) ?? { node: null, open: [] }
      const lines = (node?.['lineItems'] as { nodes: { quantity: number }[] } | undefined)?.nodes ?? []
      return (
        lines.reduce((sum, line) => sum + line.quantity, 0) -
        open.reduce((sum, line) => sum + line.remainingQuantity, 0)
      )
    },
    stock: () => [...shop.stock.values()][0],
    behave: shop.behave,
  }
}

export const SIMULATED_SHOPS: Readonly<Record<SimulatedShop['kind'], () => Promise<SimulatedShop>>> = {
  pegasus: ownShop,
  woocommerce: wooShop,
  shopify: shopifyShop,
}
