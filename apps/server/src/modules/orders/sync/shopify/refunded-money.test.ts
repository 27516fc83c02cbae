import type { SalesRow } from '@pegasus/contracts/orders/sales'
import { expect, it } from 'vitest'
import type { TestApp } from '../../../../../test/support/build-test-app.ts'
import {
  act,
  aShopifyApp,
  orderOf,
  ordersOf,
  shopifyEvent,
  shopifyOrder,
  sync,
} from '../../../../../test/support/shop-apps.ts'
import { anItem } from '../../../../../test/support/stock-factories.ts'
import { sendWebhook, shopifyHeaders } from '../../../../../test/support/webhooks.ts'
import { DAY_MS, SECOND_MS, addMs } from '../../../../platform/clock.ts'

const money = (amount: string) => ({ shopMoney: { amount } })

const earningsOf = async (app: TestApp, id: string) =>
  (await app.http.inject({ url: `/api/orders/${id}/earnings`, headers: await app.as('staff') })).json<
    Record<string, number>
  >()

const revenueByMonth = async (app: TestApp) => {
  const report = await app.http.inject({
    url: '/api/reports/sales?from=2026-01-01&to=2027-12-31&by=month',
    headers: await app.as('staff'),
  })
  return report.json<SalesRow[]>().map(({ key, revenue }) => [key, revenue])
}

/** Ships both dragons of an order: lines of 40.00, shipping of 4.90, tax of 3.00 and a discount of 4.00. */
async function aShippedOrder() {
  const { shop, app } = await aShopifyApp()
  await anItem(app, { sku: 'DRG', quantity: 2 })
  shop.orders.set('7', { node: shopifyOrder('7'), open: [], fulfillments: [] })
  await sync(app)
  const { id } = await orderOf(app)
  await act(app, id, 'ship')
  expect(await earningsOf(app, id)).toMatchObject({ revenue: 36 })
  const month = app.clock.now().toISOString().slice(0, 7)
  app.clock.advance(31 * DAY_MS)
  const now = () => addMs(app.clock.now(), SECOND_MS).toISOString()
  return { shop, app, id, month, now }
}

const refundOf = (createdAt: string, amount: string, taxAmount = '0.00') => ({
  createdAt,
  orderAdjustments: { nodes: [{ amountSet: money(amount), taxAmountSet: money(taxAmount) }] },
})

/** Returns an event about an order with refunded amounts, but without refunded pieces. */
const eventOf = (updatedAt: string, more: object) =>
  shopifyEvent({
    updated_at: updatedAt,
    financial_status: 'partially_refunded',
    fulfillment_status: 'fulfilled',
    current_total_price: '43.90',
    current_total_discounts: '4.00',
    current_shipping_price_set: { shop_money: { amount: '4.90' } },
    ...more,
  })

it.each([
  ['leaves in the total', '43.90'],
  ['has subtracted from the total', '33.90'],
])(
  'money that Shopify refunds without pieces, and %s, lowers the revenue in the month of the refund',
  async (_, total) => {
    const { shop, app, id, month, now } = await aShippedOrder()
    const refunded = {
      displayFinancialStatus: 'PARTIALLY_REFUNDED',
      displayFulfillmentStatus: 'FULFILLED',
      currentTotalPriceSet: money(total),
      refundDiscrepancySet: money('-10.00'),
    }
    shop.orders.get('7')!.node = shopifyOrder('7', { updatedAt: now(), ...refunded })
    expect(await sync(app)).toMatchObject({ updated: 1, failed: [] })
    const left = { total_amount: 33.9, shipping_amount: 4.9, tax_amount: 3, discount_amount: 14 }
    expect(await orderOf(app)).toMatchObject({ ...left, status: 'completed', items: [{ quantity: 2 }] })
    expect(await earningsOf(app, id)).toMatchObject({ revenue: 26 })
    expect(await revenueByMonth(app)).toEqual([
      [month, 36],
      [app.clock.now().toISOString().slice(0, 7), -10],
    ])
    // The event about the refund changes nothing more, and neither does the next comparison.
    const adjustment = { kind: 'refund_discrepancy', amount: '-10.00', tax_amount: '0.00' }
    const text = eventOf(now(), {
      current_total_price: total,
      refunds: [{ refund_line_items: [], order_adjustments: [adjustment] }],
    })
    expect((await sendWebhook(app, 'shopify', text, shopifyHeaders(text))).body.outcome).toBe('unchanged')
    expect(await sync(app)).toMatchObject({ updated: 0, failed: [] })
    expect(await orderOf(app)).toMatchObject(left)
  },
)

it.each(['event', 'comparison'])(
  'money that Shopify refunds without pieces counts in the months of the refunds, although its %s is read weeks later',
  async (way) => {
    const { shop, app, id, month } = await aShippedOrder()
    const [first, second] = [app.clock.now().toISOString(), addMs(app.clock.now(), 31 * DAY_MS).toISOString()]
    app.clock.advance(62 * DAY_MS)
    const updatedAt = addMs(app.clock.now(), -DAY_MS).toISOString()
    const taxed = { taxesIncluded: true, currentTotalTaxSet: money('7.01') }
    const refunds = [refundOf(second, '-6.00'), refundOf(first, '-10.00', '-2.00')]
    const more = { updatedAt, ...taxed, displayFulfillmentStatus: 'FULFILLED', refunds }
    shop.orders.get('7')!.node = shopifyOrder('7', { ...more, refundDiscrepancySet: money('-18.00') })
    const text = eventOf(updatedAt, {
      taxes_included: true,
      current_total_tax: '7.01',
      refunds: [
        { created_at: second, order_adjustments: [{ amount: '-6.00', tax_amount: '0.00' }] },
        { created_at: first, order_adjustments: [{ amount: '-10.00', tax_amount: '-2.00' }] },
      ],
    })
    if (way === 'event') await sendWebhook(app, 'shopify', text, shopifyHeaders(text))
    else expect(await sync(app)).toMatchObject({ updated: 1, failed: [] })
    const { discount_amount: discount } = await orderOf(app)
    const parts = (await revenueByMonth(app)).slice(1)
    expect(parts.map(([key]) => key)).toEqual([first.slice(0, 7), second.slice(0, 7)])
    expect(await earningsOf(app, id)).toMatchObject({ revenue: 40 - (discount ?? 0) })
    expect(Number(parts[0]?.[1]) / Number(parts[1]?.[1])).toBeCloseTo(2, 1)
    expect((await revenueByMonth(app))[0]).toEqual([month, 36])
  },
)

it('an event of Shopify lowers the revenue by the refunded amounts, but not by refunded shipping', async () => {
  const { app, id, now } = await aShippedOrder()
  const text = eventOf(now(), {
    current_total_price: '39.00',
    current_shipping_price_set: { shop_money: { amount: '0.00' } },
    refunds: [
      { order_adjustments: [{ kind: 'shipping_refund', amount: '-4.90', tax_amount: '0.00' }] },
      { order_adjustments: [{ kind: 'refund_discrepancy', amount: '-5.00', tax_amount: '-1.00' }] },
    ],
  })
  expect((await sendWebhook(app, 'shopify', text, shopifyHeaders(text))).body.outcome).toBe('updated')
  expect(await orderOf(app)).toMatchObject({ total_amount: 33, shipping_amount: 0, discount_amount: 10 })
  expect(await earningsOf(app, id)).toMatchObject({ revenue: 30 })
})

it('a full refund of a sent Shopify order without a return leaves it completed, and without revenue', async () => {
  const { shop, app, id, now } = await aShippedOrder()
  const refunded = { displayFinancialStatus: 'REFUNDED', refundDiscrepancySet: money('-43.90') }
  shop.orders.set('8', { node: shopifyOrder('8', { updatedAt: now() }), open: [], fulfillments: [] })
  await sync(app)
  app.clock.advance(DAY_MS)
  shop.orders.get('7')!.node = shopifyOrder('7', {
    updatedAt: now(),
    displayFulfillmentStatus: 'FULFILLED',
    ...refunded,
  })
  // No piece of this order was shipped, so the refund cancels it.
  shop.orders.get('8')!.node = shopifyOrder('8', { updatedAt: now(), ...refunded })
  expect(await sync(app)).toMatchObject({ updated: 2, failed: [] })
  const orders = await ordersOf(app)
  expect(orders.find(({ order_number: number }) => number === '7')).toMatchObject({
    status: 'completed',
    total_amount: 0,
    shipping_amount: 0,
    tax_amount: 0,
    discount_amount: 40,
    shop_problem: null,
  })
  expect(await earningsOf(app, id)).toMatchObject({ revenue: 0 })
  expect(orders.find(({ order_number: number }) => number === '8')).toMatchObject({
    status: 'cancelled',
    total_amount: 43.9,
    discount_amount: 4,
  })
})

it('money that is refunded from prices with tax lowers the revenue without its tax', async () => {
  const { shop, app } = await aShopifyApp()
  const taxLines = [{ rate: 0.19, priceSet: money('3.80') }]
  const line = { sku: 'DRG', name: 'Dragon', quantity: 1, currentQuantity: 1, taxLines }
  shop.orders.set('7', {
    node: shopifyOrder('7', {
      taxesIncluded: true,
      displayFulfillmentStatus: 'FULFILLED',
      currentTotalPriceSet: money('23.80'),
      currentTotalTaxSet: money('3.80'),
      currentTotalDiscountsSet: money('0.00'),
      currentShippingPriceSet: money('0.00'),
      refundDiscrepancySet: money('-5.95'),
      lineItems: { nodes: [{ ...line, originalUnitPriceSet: money('23.80') }] },
    }),
    open: [],
    fulfillments: [],
  })
  await sync(app)
  expect(await orderOf(app)).toMatchObject({
    total_amount: 17.85,
    tax_amount: 2.85,
    discount_amount: 5,
    items: [{ unit_price: 20 }],
  })
})

/** Returns an order of three dragons at 20.00. Two were refunded, and the shop kept 30.00 of their price. */
const keptOrder = (id: string, more: object = {}) => ({
  node: shopifyOrder(id, {
    currentTotalPriceSet: money('50.00'),
    currentTotalTaxSet: money('0.00'),
    currentTotalDiscountsSet: money('0.00'),
    currentShippingPriceSet: money('0.00'),
    refundDiscrepancySet: money('30.00'),
    netPaymentSet: money('50.00'),
    lineItems: {
      nodes: [
        { sku: 'DRG', name: 'Dragon', quantity: 3, currentQuantity: 1, originalUnitPriceSet: money('20.00') },
      ],
    },
    ...more,
  }),
  open: [],
  fulfillments: [],
})

it('money that a Shopify shop keeps of refunded pieces is revenue in the month of the refund, and part of the surcharge', async () => {
  const { shop, app } = await aShopifyApp()
  await anItem(app, { sku: 'DRG', quantity: 1 })
  const refunds = [
    refundOf('2026-12-05T10:00:00Z', '9.00', '1.00'),
    refundOf('2026-11-05T10:00:00Z', '20.00'),
  ]
  shop.orders.set('7', keptOrder('7', { refunds }))
  app.clock.advance(Date.parse('2027-01-15T12:00:00Z') - app.clock.now().getTime())
  await sync(app)
  expect(await orderOf(app)).toMatchObject({
    total_amount: 50,
    surcharge_amount: 30,
    kept_amount: 30,
    discount_amount: 0,
    items: [{ quantity: 1, unit_price: 20 }],
  })
  const months = [
    ['2026-11', 20],
    ['2026-12', 10],
  ]
  expect(await revenueByMonth(app)).toEqual(months)
  const { id } = await orderOf(app)
  await act(app, id, 'ship')
  expect(await earningsOf(app, id)).toMatchObject({ revenue: 50, pieces: 1 })
  expect(await revenueByMonth(app)).toEqual([...months, ['2027-01', 20]])
  // One piece was removed before the customer paid for the others, so only the later refund left kept money.
  shop.orders.set(
    '8',
    keptOrder('8', {
      updatedAt: addMs(app.clock.now(), SECOND_MS).toISOString(),
      currentTotalPriceSet: money('28.00'),
      refundDiscrepancySet: money('28.00'),
      netPaymentSet: money('28.00'),
      refunds: [refundOf('2026-11-05T10:00:00Z', '20.00'), refundOf('2026-12-20T10:00:00Z', '8.00')],
    }),
  )
  expect(await sync(app)).toMatchObject({ created: 1 })
  expect(await revenueByMonth(app)).toEqual([
    ['2026-11', 20],
    ['2026-12', 18],
    ['2027-01', 20],
  ])
})

it('money that a Shopify shop has not taken does not count as kept', async () => {
  const { shop, app } = await aShopifyApp()
  const orders: [id: string, displayFinancialStatus: string, netPayment: string, kept: number | null][] = [
    ['10', 'AUTHORIZED', '0.00', null],
    ['11', 'PARTIALLY_PAID', '20.00', null],
    ['12', 'PARTIALLY_PAID', '32.00', 12],
    // The pieces were removed before the customer paid for the others.
    ['13', 'PAID', '20.00', null],
    ['14', 'PARTIALLY_REFUNDED', '50.00', 30],
  ]
  for (const [id, displayFinancialStatus, netPayment] of orders)
    shop.orders.set(id, keptOrder(id, { displayFinancialStatus, netPaymentSet: money(netPayment) }))
  // The total does not contain the price of the refunded pieces, so no surcharge is left for kept money.
  shop.orders.set('15', keptOrder('15', { currentTotalPriceSet: money('20.00') }))
  // A tip is not kept money.
  shop.orders.set('16', keptOrder('16', { totalTipReceivedSet: money('5.00') }))
  // Duties are not kept money until they are refunded.
  const duties = { originalTotalDutiesSet: money('5.00') }
  shop.orders.set('17', keptOrder('17', { ...duties, currentTotalDutiesSet: money('5.00') }))
  shop.orders.set('18', keptOrder('18', { ...duties, currentTotalDutiesSet: money('0.00') }))
  await sync(app)
  const keptOf = async () =>
    Object.fromEntries((await ordersOf(app)).map((order) => [order.order_number, order.kept_amount]))
  const kept = Object.fromEntries(orders.map(([id, , , amount]) => [id, amount]))
  expect(await keptOf()).toEqual({ ...kept, 15: null, 16: 25, 17: 25, 18: 30 })
  const text = shopifyEvent({
    updated_at: addMs(app.clock.now(), SECOND_MS).toISOString(),
    financial_status: 'authorized',
    refunds: [{ order_adjustments: [{ kind: 'refund_discrepancy', amount: '20.00', tax_amount: '0.00' }] }],
  })
  expect((await sendWebhook(app, 'shopify', text, shopifyHeaders(text))).body.outcome).toBe('created')
  expect(await keptOf()).toMatchObject({ 7: null })
})

it('money that a Shopify shop keeps of an order without a shipment is revenue on the day of the refund', async () => {
  const { shop, app } = await aShopifyApp()
  shop.orders.set('7', { node: shopifyOrder('7'), open: [], fulfillments: [] })
  await sync(app)
  const { id } = await orderOf(app)
  expect(await revenueByMonth(app)).toEqual([])
  const refundedAt = app.clock.now().toISOString()
  app.clock.advance(31 * DAY_MS)
  const updatedAt = addMs(app.clock.now(), SECOND_MS).toISOString()
  const event = {
    updated_at: updatedAt,
    financial_status: 'partially_refunded',
    current_total_price: '4.10',
    current_total_tax: '0.00',
    current_total_discounts: '0.00',
    current_shipping_price_set: { shop_money: { amount: '0.00' } },
    line_items: [{ sku: 'DRG', name: 'Dragon', quantity: 2, current_quantity: 0, price: '20.00' }],
    refunds: [
      {
        created_at: refundedAt,
        order_adjustments: [{ kind: 'refund_discrepancy', amount: '1.10', tax_amount: '0.00' }],
      },
      {
        created_at: refundedAt,
        order_adjustments: [{ kind: 'refund_discrepancy', amount: '2.20', tax_amount: '0.80' }],
      },
    ],
  }
  const send = async (fields: object) => {
    const text = shopifyEvent({ ...event, ...fields })
    return (await sendWebhook(app, 'shopify', text, shopifyHeaders(text))).body.outcome
  }
  // An event does not contain how much money the shop has taken, so only the comparison shows what was kept.
  expect([await send({}), await send({})]).toEqual(['updated', 'unchanged'])
  expect(await orderOf(app)).toMatchObject({ status: 'cancelled', kept_amount: null })
  shop.orders.get('7')!.node = keptOrder('7', {
    updatedAt,
    displayFinancialStatus: 'PARTIALLY_REFUNDED',
    currentTotalPriceSet: money('4.10'),
    refundDiscrepancySet: money('4.10'),
    netPaymentSet: money('4.10'),
    lineItems: {
      nodes: [
        { sku: 'DRG', name: 'Dragon', quantity: 2, currentQuantity: 0, originalUnitPriceSet: money('20.00') },
      ],
    },
    refunds: [refundOf(refundedAt, '1.10'), refundOf(refundedAt, '2.20', '0.80')],
  }).node
  expect(await sync(app)).toMatchObject({ updated: 1, failed: [] })
  for (const outcome of ['unchanged', 'updated']) {
    expect(await orderOf(app)).toMatchObject({ status: 'cancelled', kept_amount: 4.1 })
    expect(await earningsOf(app, id)).toMatchObject({ revenue: 4.1, margin: 4.1 })
    expect(await revenueByMonth(app)).toEqual([[refundedAt.slice(0, 7), 4.1]])
    const later = addMs(new Date(updatedAt), SECOND_MS).toISOString()
    expect(await send(outcome === 'updated' ? { updated_at: later, note: 'Hurry' } : {})).toBe(outcome)
  }
  expect(await orderOf(app)).toMatchObject({ notes: 'Hurry', kept_amount: 4.1 })
})
