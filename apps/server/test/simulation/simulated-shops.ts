import { type SiteBehavior, aMainSite, json } from '../servers/main-site-server.ts'
import type { ShopifyOrder } from '../servers/shopify-parcels.ts'
import { aShopifyShop, SHOPIFY_TOKEN } from '../servers/shopify-server.ts'
import { type WooOrder, aWooShop, WOO_KEY, WOO_SECRET } from '../servers/woo-server.ts'
import { WEBHOOK_SECRET, shopifyHeaders, standardHeaders, wooHeaders } from '../support/webhooks.ts'

/** A line of an order. A shop has one line for each SKU. */
export interface SimulatedLine {
  sku: string
  quantity: number
  /** Pieces that the shop has refunded. */
  refunded: number
}

/** An order as the shop stores it. Amounts are whole dollars. */
export interface SimulatedOrder {
  id: number
  lines: SimulatedLine[]
  shipping: number
  surcharge: number
  discount: number
  isCancelled: boolean
  placedAt: Date
  changedAt: Date
}

/** A shop of one kind. The simulation places and changes its orders. */
export interface SimulatedShop {
  kind: 'pegasus' | 'woocommerce' | 'shopify'
  /** The variables that configure a server to trade with this shop. */
  variables: Record<string, string>
  /** Whether the shop reports refunds. The order of any other shop has fewer pieces after a refund. */
  hasRefunds: boolean
  /** Places an order, or changes it. The shop changes the stock of the product by the pieces that it sells. */
  put(order: SimulatedOrder): void
  /** Returns when an order was changed last, possibly by our report of a parcel. Undefined if the shop has no such order. */
  changedAt(id: number): Date | undefined
  /** Returns the event about an order, with a current signature. */
  eventOf(order: SimulatedOrder): { body: string; headers: Record<string, string> }
  /** Returns the number of an order's parcels that were reported to the shop. */
  parcelsOf(id: number): number
  /**
   * Returns the number of pieces of a SKU of an order that the shop counts as sent: in our parcels, and in those of its own
   * staff. Returns null for a shop that only lists parcels.
   */
  piecesSentOf(id: number, sku: string): number | null
  /** The shop's staff send a piece of an order. Null for a shop that counts no pieces. */
  sendPiece: ((order: SimulatedOrder, sku: string) => boolean) | null
  /** The shop's staff cancel their last parcel of a SKU. */
  cancelSent(order: SimulatedOrder, sku: string): boolean
  /** Returns the stock of the product in the shop, or undefined before the first stock update. */
  stock(): number | undefined
  /** Sets how the shop responds from now on. If it is null, the shop works normally. */
  behave(behavior: SiteBehavior | null): void
}

/** The product of the simulated shops. */
export const DRAGON = {
  name: 'Dragon',
  slug: 'dragon',
  category: 'miniatures',
  price: 20,
  stock: 5,
  description: 'Breathes fire',
  images: ['https://cdn.example/dragon.jpg'],
  license: 'cc0',
}

export const SKU = 'DRG'
/** Another SKU of the shop. People map it to the item and remove the mapping again. */
export const OTHER_SKU = 'DRG-GIFT'
/** A SKU of the shop whose item is not published, so that the shop counts no stock of it. */
export const EGG_SKU = 'EGG'
const PRICES: Readonly<Record<string, number>> = { [SKU]: 20, [OTHER_SKU]: 25, [EGG_SKU]: 5 }
export const priceOf = (sku: string): number => PRICES[sku] ?? 1
/**
 * Returns the number of an order. All numbers have the same length, so that a search for one number finds no
 * other.
 */
export const orderNumberOf = (id: number): string => `SIM-${String(id).padStart(5, '0')}`

export const leftOf = ({ quantity, refunded }: SimulatedLine): number => quantity - refunded

/** Returns the total of an order after its refunds. A cancelled order keeps its total. */
export const totalOf = ({ lines, shipping, surcharge, discount }: SimulatedOrder): number =>
  lines.reduce((sum, line) => sum + leftOf(line) * priceOf(line.sku), 0) + shipping + surcharge - discount

/** Counts the pieces of the product that a shop has sold. Pieces of the other SKUs are not in its stock. */
function createSales() {
  const sold = new Map<number, number>()
  return {
    /** Saves the new state of an order. Returns the stock of the product after it. */
    stockAfter({ id, lines, isCancelled }: SimulatedOrder, stock: number): number {
      const before = sold.get(id) ?? 0
      const after = isCancelled ? 0 : (lines.find((line) => line.sku === SKU)?.quantity ?? 0)
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
  const parcels = new Map<string, Map<string, { sku: string; quantity: number }[]>>()
  /** The pieces that the staff have sent, by order and SKU. */
  const sentByStaff = new Map<string, number>()
  const staffOf = (id: number, sku: string) => sentByStaff.get(`${id} ${sku}`) ?? 0
  const sentOf = (id: number, sku: string) =>
    [...(parcels.get(orderNumberOf(id))?.values() ?? [])]
      .flat()
      .filter((each) => each.sku === sku)
      .reduce((sum, { quantity }) => sum + quantity, staffOf(id, sku))
  const sales = createSales()
  let stock: number | undefined
  const wordsOf = (order: SimulatedOrder) => ({
    order_number: orderNumberOf(order.id),
    external_id: String(order.id),
    status: order.isCancelled ? 'cancelled' : 'pending',
    customer_name: 'Ada',
    total_amount: totalOf(order),
    shipping_amount: order.shipping,
    surcharge_amount: order.surcharge,
    discount_amount: order.discount,
    placed_at: wire(order.placedAt),
    updated_at: wire(order.changedAt),
    items: order.lines.map(({ sku, quantity }) => ({
      sku,
      name: sku,
      quantity,
      unit_price: priceOf(sku),
      sent_quantity: sentOf(order.id, sku),
    })),
  })
  const asItShould: SiteBehavior = (response, request) => {
    const { pathname } = new URL(request.path, site.url)
    const body = request.body as Record<string, unknown> | null
    if (pathname === '/api/admin/orders')
      return json(200, { orders: [...orders.values()].map(wordsOf), next: null })(response, request)
    const [, number] = /^\/api\/admin\/orders\/([^/]+)\/shipments$/.exec(pathname) ?? []
    if (number !== undefined) {
      const items = (body?.['items'] ?? []) as { sku: string; quantity: number }[]
      parcels.set(number, (parcels.get(number) ?? new Map()).set(String(body?.['id']), items))
      const shipped = [...orders.values()].find(({ id }) => orderNumberOf(id) === number)
      if (shipped) shipped.changedAt = new Date()
      return json(200, {})(response, request)
    }
    if (pathname === '/api/admin/stock') {
      const [level] = (body?.['products'] ?? []) as { stock: number }[]
      stock = level?.stock
      return json(200, {})(response, request)
    }
    // A shop does not have to offer the completion of an order.
    if (request.method === 'GET' || pathname.startsWith('/api/admin/orders/'))
      return json(404, { error: 'Not found' })(response, request)
    return json(201, { id: 'p-1', slug: body?.['slug'], url: '/products/dragon' })(response, request)
  }
  site.behave(asItShould)
  return {
    kind: 'pegasus',
    hasRefunds: false,
    variables: settings('pegasus', site.url, 'the-admin-key'),
    put(order) {
      orders.set(order.id, structuredClone(order))
      if (stock !== undefined) stock = sales.stockAfter(order, stock)
    },
    changedAt: (id) => orders.get(id)?.changedAt,
    eventOf(order) {
      const body = JSON.stringify({ type: 'order.updated', order: wordsOf(order) })
      return { body, headers: standardHeaders(body, { at: new Date() }) }
    },
    parcelsOf: (id) => parcels.get(orderNumberOf(id))?.size ?? 0,
    piecesSentOf: sentOf,
    sendPiece({ id, lines }, sku) {
      const line = lines.find((each) => each.sku === sku)
      if (!line || sentOf(id, sku) >= leftOf(line)) return false
      sentByStaff.set(`${id} ${sku}`, staffOf(id, sku) + 1)
      return true
    },
    cancelSent({ id }, sku) {
      if (staffOf(id, sku) < 1) return false
      sentByStaff.set(`${id} ${sku}`, staffOf(id, sku) - 1)
      return true
    },
    stock: () => stock,
    behave: (behavior) => site.behave(behavior ?? asItShould),
  }
}

async function wooShop(): Promise<SimulatedShop> {
  const shop = await aWooShop()
  const sales = createSales()
  const wordsOf = (order: SimulatedOrder) => ({
    id: order.id,
    number: orderNumberOf(order.id),
    status: order.isCancelled ? 'cancelled' : 'processing',
    currency: 'USD',
    date_created_gmt: wire(order.placedAt).slice(0, -1),
    date_modified_gmt: wire(order.changedAt).slice(0, -1),
    // The shop leaves the lines and the total as they were before the refunds.
    total: String(totalOf({ ...order, lines: order.lines.map((line) => ({ ...line, refunded: 0 })) })),
    shipping_total: String(order.shipping),
    discount_total: String(order.discount),
    fee_lines: order.surcharge > 0 ? [{ id: 1, total: String(order.surcharge), total_tax: '0' }] : [],
    billing: { first_name: 'Ada' },
    line_items: order.lines.map(({ sku, quantity }, index) => ({
      id: index + 1,
      sku,
      name: sku,
      quantity,
      subtotal: String(quantity * priceOf(sku)),
    })),
  })
  /** Adds the refunds of the pieces that are not refunded yet. */
  const refund = (order: SimulatedOrder) => {
    const known = (shop.refunds.get(order.id) ?? []).flatMap((each) => each.line_items)
    for (const [index, { sku, refunded }] of order.lines.entries()) {
      const before = known.filter((line) => line.sku === sku).reduce((sum, line) => sum - line.quantity, 0)
      if (refunded <= before) continue
      const total = String((refunded - before) * priceOf(sku))
      const lines = { [index + 1]: { quantity: refunded - before, total } }
      shop.refund(order.id, { amount: total, lines, at: wire(order.changedAt).slice(0, -1) })
    }
    const all = shop.refunds.get(order.id) ?? []
    return all.map((each) => ({ id: each.id, reason: '', total: `-${each.amount}` }))
  }
  return {
    kind: 'woocommerce',
    hasRefunds: true,
    variables: settings('woocommerce', shop.url, `${WOO_KEY}:${WOO_SECRET}`),
    put(order) {
      const known = shop.orders.get(order.id)
      const status = !order.isCancelled && known?.status === 'completed' ? 'completed' : undefined
      const notes = known?.notes ?? []
      shop.orders.set(order.id, { ...wordsOf(order), ...(status && { status }), refunds: [], notes })
      Object.assign(shop.orders.get(order.id)!, { refunds: refund(order) })
      for (const product of shop.products.values())
        if (typeof product['stock_quantity'] === 'number')
          product['stock_quantity'] = sales.stockAfter(order, product['stock_quantity'])
    },
    changedAt: () => undefined,
    eventOf(order) {
      const { status = 'processing', refunds = [] } = shop.orders.get(order.id) ?? ({} as Partial<WooOrder>)
      const body = JSON.stringify({ ...wordsOf(order), ...(!order.isCancelled && { status }), refunds })
      return { body, headers: wooHeaders(body) }
    },
    parcelsOf: (id) => shop.orders.get(id)?.notes.length ?? 0,
    piecesSentOf: () => null,
    sendPiece: null,
    cancelSent: () => false,
    stock: () => [...shop.products.values()][0]?.['stock_quantity'] as number | undefined,
    behave: shop.behave,
  }
}

async function shopifyShop(): Promise<SimulatedShop> {
  const shop = await aShopifyShop()
  const sales = createSales()
  const money = (amount: number) => ({ shopMoney: { amount: String(amount) } })
  const restMoney = (amount: number) => ({ shop_money: { amount: String(amount) } })
  /** The pieces of each SKU that an order's parcel has or had to contain. */
  const ordered = new Map<number, Map<string, number>>()
  const fulfillmentsOf = (id: number) => {
    const known = shop.orders.get(String(id))
    return known ? shop.fulfillmentsOf(known) : []
  }
  return {
    kind: 'shopify',
    hasRefunds: true,
    variables: settings('shopify', shop.url, SHOPIFY_TOKEN),
    put(order) {
      const { id, isCancelled, changedAt } = order
      for (const [product, stock] of shop.stock) shop.stock.set(product, sales.stockAfter(order, stock))
      const known = shop.orders.get(String(id))
      /** The pieces of a SKU that were sent, so that the rest stays open. */
      const sentOf = (sku: string) => {
        const open = known?.open.find((line) => line.sku === sku)?.remainingQuantity ?? 0
        return known ? (ordered.get(id)?.get(sku) ?? 0) - open : 0
      }
      const open = order.lines.map((line) => {
        const remainingQuantity = Math.max(0, leftOf(line) - sentOf(line.sku))
        return { id: `line-${id}-${line.sku}`, sku: line.sku, remainingQuantity }
      })
      ordered.set(
        id,
        new Map(order.lines.map(({ sku }, at) => [sku, sentOf(sku) + open[at]!.remainingQuantity])),
      )
      shop.orders.set(String(id), {
        node: {
          id: `gid://shopify/Order/${id}`,
          name: `#${orderNumberOf(id)}`,
          createdAt: wire(order.placedAt),
          updatedAt: wire(changedAt),
          cancelledAt: isCancelled ? wire(changedAt) : null,
          displayFinancialStatus: 'PAID',
          displayFulfillmentStatus: 'UNFULFILLED',
          currencyCode: 'USD',
          customer: { displayName: 'Ada' },
          // The surcharge is part of the price of the shipping, because this shop has no other fees.
          currentTotalPriceSet: money(totalOf(order)),
          currentShippingPriceSet: money(order.shipping + order.surcharge),
          currentTotalDiscountsSet: money(order.discount),
          lineItems: {
            nodes: order.lines.map((line) => ({
              sku: line.sku,
              name: line.sku,
              quantity: line.quantity,
              currentQuantity: leftOf(line),
              originalUnitPriceSet: money(priceOf(line.sku)),
            })),
          },
        },
        open,
        fulfillments: known?.fulfillments ?? [],
        sent: known?.sent ?? [],
      })
    },
    changedAt(id) {
      const known = shop.orders.get(String(id))
      return known && new Date(known.node.updatedAt)
    },
    eventOf(order) {
      const { id, isCancelled, changedAt } = order
      const body = JSON.stringify({
        id,
        admin_graphql_api_id: `gid://shopify/Order/${id}`,
        name: `#${orderNumberOf(id)}`,
        created_at: wire(order.placedAt),
        updated_at: wire(changedAt),
        cancelled_at: isCancelled ? wire(changedAt) : null,
        financial_status: 'paid',
        fulfillment_status: null,
        currency: 'USD',
        customer: { first_name: 'Ada' },
        fulfillments: fulfillmentsOf(id).map(({ status, pieces }) => ({
          status: status.toLowerCase(),
          line_items: pieces,
        })),
        current_total_price: String(totalOf(order)),
        current_shipping_price_set: restMoney(order.shipping + order.surcharge),
        current_total_discounts: String(order.discount),
        line_items: order.lines.map((line) => ({
          sku: line.sku,
          name: line.sku,
          quantity: line.quantity,
          current_quantity: leftOf(line),
          price: String(priceOf(line.sku)),
        })),
      })
      return { body, headers: shopifyHeaders(body) }
    },
    parcelsOf: (id) => shop.orders.get(String(id))?.fulfillments.length ?? 0,
    piecesSentOf: (id, sku) =>
      fulfillmentsOf(id)
        .filter(({ status }) => status === 'SUCCESS')
        .flatMap(({ pieces }) => pieces)
        .filter((each) => each.sku === sku)
        .reduce((sum, { quantity }) => sum + quantity, 0),
    sendPiece({ id }, sku) {
      const known = shop.orders.get(String(id))
      const line = known?.open.find((each) => each.sku === sku)
      if (!known || !line || line.remainingQuantity < 1) return false
      line.remainingQuantity -= 1
      known.sent = [...(known.sent ?? []), { status: 'SUCCESS', pieces: [{ sku, quantity: 1 }] }]
      return true
    },
    cancelSent({ id }, sku) {
      const known = shop.orders.get(String(id))
      const line = known?.open.find((each) => each.sku === sku)
      const isOf = (each: NonNullable<ShopifyOrder['sent']>[number]) =>
        each.status === 'SUCCESS' && each.pieces[0]?.sku === sku
      const last = known?.sent?.findLast(isOf)
      if (!line || !last) return false
      last.status = 'CANCELLED'
      line.remainingQuantity += 1
      return true
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
