import { expect, it } from 'vitest'
import {
  act,
  aShopifyApp,
  ordersOf,
  shopifyEvent,
  shopifyOrder,
  sync,
} from '../../../../../test/support/shop-apps.ts'
import { anItem } from '../../../../../test/support/stock-factories.ts'
import { sendWebhook, shopifyHeaders } from '../../../../../test/support/webhooks.ts'
import { SECOND_MS, addMs } from '../../../../platform/clock.ts'

const money = (amount: string) => ({ shopMoney: { amount } })

/** Returns an order whose two pieces were cancelled. Shopify's current amounts therefore contain only the shipping. */
const aCancelledOrder = (id: string, { isTaxIncluded, price }: { isTaxIncluded: boolean; price: string }) =>
  shopifyOrder(id, {
    cancelledAt: '2026-11-01T11:00:00Z',
    taxesIncluded: isTaxIncluded,
    currentTotalPriceSet: money('11.90'),
    currentTotalTaxSet: money('1.90'),
    currentTotalDiscountsSet: money('0.00'),
    currentShippingPriceSet: money(isTaxIncluded ? '11.90' : '10.00'),
    shippingLines: {
      nodes: [
        {
          originalPriceSet: money(isTaxIncluded ? '11.90' : '10.00'),
          taxLines: [{ rate: 0.19, priceSet: money('1.90') }],
        },
      ],
    },
    lineItems: {
      nodes: [
        {
          sku: 'DRG',
          name: 'Dragon',
          quantity: 2,
          currentQuantity: 0,
          originalUnitPriceSet: money(price),
          taxLines: [{ rate: 0.19, priceSet: money('38.00') }],
        },
      ],
    },
  })

const taxed = (rate: number) => ({ rate, priceSet: money('1.00') })

it.each([
  { isTaxIncluded: false, rate: 0, total_amount: 24.94, tax_amount: 0 },
  { isTaxIncluded: true, rate: 0, total_amount: 24.94, tax_amount: 0 },
  // The current tax is 0.94. The removed tax is 3.80 or, if prices include tax, 3.19.
  { isTaxIncluded: false, rate: 0.19, total_amount: 28.74, tax_amount: 4.74 },
  { isTaxIncluded: true, rate: 0.19, total_amount: 24.94, tax_amount: 4.13 },
])(
  'Shopify can cancel an open order although sums of its amounts are not exact, with a tax rate of $rate, included in prices: $isTaxIncluded',
  async ({ isTaxIncluded, rate, total_amount, tax_amount }) => {
    const { shop, app } = await aShopifyApp()
    const line = { sku: 'DRG', name: 'Dragon', quantity: 1, currentQuantity: 1 }
    const priced = { ...line, originalUnitPriceSet: money('19.99'), taxLines: rate > 0 ? [taxed(rate)] : [] }
    const amounts = {
      taxesIncluded: isTaxIncluded,
      currentTotalDiscountsSet: money('0.00'),
      currentShippingPriceSet: money('4.95'),
    }
    const node = shopifyOrder('1', { ...amounts, lineItems: { nodes: [priced] } })
    shop.orders.set('1', { node, open: [], fulfillments: [] })
    await sync(app)
    expect(await ordersOf(app)).toMatchObject([{ status: 'pending' }])
    const now = app.clock.now().toISOString()
    Object.assign(node, {
      updatedAt: now,
      cancelledAt: now,
      currentTotalPriceSet: money('4.95'),
      currentTotalTaxSet: money(rate > 0 ? '0.94' : '0.00'),
      lineItems: { nodes: [{ ...priced, currentQuantity: 0 }] },
    })
    expect(await sync(app)).toMatchObject({ failed: [] })
    expect(await ordersOf(app)).toMatchObject([{ status: 'cancelled', total_amount, tax_amount }])
  },
)

it.each([
  { isTaxIncluded: false, price: '100.00' },
  { isTaxIncluded: true, price: '119.00' },
])(
  'a cancelled order of Shopify keeps its lines, and its amounts add up to its total, if prices include tax: $isTaxIncluded',
  async (prices) => {
    const { shop, app } = await aShopifyApp()
    const cancelled = aCancelledOrder('1', prices)
    const [line] = cancelled.lineItems.nodes
    const open = { ...cancelled, cancelledAt: null, lineItems: { nodes: [{ ...line, currentQuantity: 2 }] } }
    shop.orders.set('1', { node: open, open: [], fulfillments: [] })
    await sync(app)
    const node = { ...cancelled, updatedAt: app.clock.now().toISOString() }
    shop.orders.set('1', { node, open: [], fulfillments: [] })
    await sync(app)
    expect(await ordersOf(app)).toMatchObject([
      {
        status: 'cancelled',
        total_amount: 249.9,
        tax_amount: 39.9,
        shipping_amount: 10,
        discount_amount: 0,
        items: [{ sku: 'DRG', quantity: 2, unit_price: 100 }],
      },
    ])
  },
)

it.each([
  ['', { totalDiscountsSet: money('4.00') }, {}],
  [
    ', but not the discount on the shipping',
    {
      totalDiscountsSet: money('8.90'),
      currentTotalDiscountsSet: money('8.90'),
      currentTotalPriceSet: money('39.00'),
      subtotalPriceSet: money('36.00'),
      shippingLines: { nodes: [{ originalPriceSet: money('4.90'), discountedPriceSet: money('0.00') }] },
    },
    {
      total_discounts: '8.90',
      subtotal_price: '36.00',
      shipping_lines: [{ price: '4.90', discount_allocations: [{ amount: '4.90' }] }],
    },
  ],
])(
  'a sent piece keeps its discount%s, and so its revenue, if Shopify cancels the order',
  async (_, ordered, told) => {
    const { shop, app } = await aShopifyApp()
    await anItem(app, { sku: 'DRG', quantity: 2 })
    const node = shopifyOrder('7', ordered)
    shop.orders.set('7', { node, open: [], fulfillments: [] })
    await sync(app)
    const [before] = await ordersOf(app)
    await act(app, before?.id, 'ship', { items: [{ line_id: before?.items[0]?.id, quantity: 1 }] })
    app.clock.advance(5 * SECOND_MS)
    const now = addMs(app.clock.now(), SECOND_MS).toISOString()
    const [line] = node.lineItems.nodes
    Object.assign(node, {
      updatedAt: now,
      cancelledAt: now,
      displayFinancialStatus: 'REFUNDED',
      currentTotalPriceSet: money('0.00'),
      currentTotalTaxSet: money('0.00'),
      currentTotalDiscountsSet: money('0.00'),
      currentShippingPriceSet: money('0.00'),
      lineItems: { nodes: [{ ...line, currentQuantity: 0 }] },
    })
    expect(await sync(app)).toMatchObject({ updated: 1, failed: [] })
    const cancelled = { status: 'cancelled', total_amount: 36, discount_amount: 4 }
    expect(await ordersOf(app)).toMatchObject([cancelled])
    const text = shopifyEvent({
      updated_at: addMs(app.clock.now(), 2 * SECOND_MS).toISOString(),
      cancelled_at: now,
      note: 'Hurry',
      current_total_price: '0.00',
      current_total_tax: '0.00',
      current_total_discounts: '0.00',
      current_shipping_price_set: { shop_money: { amount: '0.00' } },
      total_discounts: '4.00',
      line_items: [{ sku: 'DRG', name: 'Dragon', quantity: 2, current_quantity: 0, price: '20.00' }],
      ...told,
    })
    expect((await sendWebhook(app, 'shopify', text, shopifyHeaders(text))).body.outcome).toBe('updated')
    expect(await ordersOf(app)).toMatchObject([{ ...cancelled, notes: 'Hurry' }])
    const url = `/api/orders/${before?.id}/earnings`
    const earnings = await app.http.inject({ url, headers: await app.as('staff') })
    expect(earnings.json()).toMatchObject({ revenue: 18 })
  },
)
