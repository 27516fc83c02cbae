import type { ShopifyOrder } from '../servers/shopify-parcels.ts'
import { aShopifyShop, SHOPIFY_TOKEN } from '../servers/shopify-server.ts'
import { shopifyHeaders } from '../support/webhooks.ts'
import {
  type SimulatedShop,
  createSales,
  leftOf,
  orderNumberOf,
  priceOf,
  settings,
  totalOf,
  wire,
} from './simulated-orders.ts'

/** Starts a simulated Shopify shop, which runs until the test ends. */
export async function shopifyShop(): Promise<SimulatedShop> {
  const shop = await aShopifyShop()
  const sales = createSales()
  const money = (amount: number) => ({ shopMoney: { amount: String(amount) } })
  const restMoney = (amount: number) => ({ shop_money: { amount: String(amount) } })
  const sentIn = (parcels: ReturnType<typeof fulfillmentsOf>, sku: string) =>
    parcels
      .filter(({ status }) => status === 'SUCCESS')
      .flatMap(({ pieces }) => pieces)
      .reduce((sum, each) => sum + (each.sku === sku ? each.quantity : 0), 0)
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
      /** Returns how many pieces of a SKU were sent. The other pieces of the line stay open. */
      const sentOf = (sku: string) => sentIn(fulfillmentsOf(id), sku)
      const open = order.lines.map((line) => {
        const remainingQuantity = Math.max(0, leftOf(line) - sentOf(line.sku))
        const lineItem = {
          id: `gid://shopify/LineItem/${id}-${line.sku}`,
          sku: line.sku,
          quantity: line.quantity,
        }
        return { id: `line-${id}-${line.sku}`, sku: line.sku, remainingQuantity, lineItem }
      })
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
          billingAddress: { name: 'Ada' },
          // This shop has no fees, so the surcharge is part of the shipping.
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
        billing_address: { name: 'Ada' },
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
    piecesSentOf: (id, sku) => sentIn(fulfillmentsOf(id), sku),
    piecesOfStaff: (id, sku) => sentIn(shop.orders.get(String(id))?.sent ?? [], sku),
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
