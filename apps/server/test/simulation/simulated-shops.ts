import { type SiteBehavior, aMainSite, json } from '../servers/main-site-server.ts'
import { type WooOrder, aWooShop, WOO_KEY, WOO_SECRET } from '../servers/woo-server.ts'
import { standardHeaders, wooHeaders } from '../support/webhooks.ts'
import {
  type SimulatedOrder,
  type SimulatedShop,
  createSales,
  leftOf,
  orderNumberOf,
  priceOf,
  settings,
  totalOf,
  wire,
} from './simulated-orders.ts'
import { shopifyShop } from './simulated-shopify.ts'

async function ownShop(): Promise<SimulatedShop> {
  const site = await aMainSite()
  const orders = new Map<number, SimulatedOrder>()
  const parcels = new Map<string, Map<string, { sku: string; quantity: number }[]>>()
  /** The number of pieces that the staff have sent, by order and SKU. */
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
    // A shop need not support the request that completes an order, and this one does not.
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
    piecesOfStaff: staffOf,
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
    // A refund does not change the lines and the total of an order in WooCommerce.
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
  /** Adds refunds for the pieces that the shop has not refunded yet. Returns all refunds of the order. */
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
    piecesOfStaff: () => 0,
    sendPiece: null,
    cancelSent: () => false,
    stock: () => [...shop.products.values()][0]?.['stock_quantity'] as number | undefined,
    behave: shop.behave,
  }
}

export const SIMULATED_SHOPS: Readonly<Record<SimulatedShop['kind'], () => Promise<SimulatedShop>>> = {
  pegasus: ownShop,
  woocommerce: wooShop,
  shopify: shopifyShop,
}
