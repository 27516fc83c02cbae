import type { OrderEarnings, SalesRow } from '@pegasus/contracts/orders/sales'
import { expect, it } from 'vitest'
import { json } from '../../../../../test/servers/main-site-server.ts'
import type { TestApp } from '../../../../../test/support/build-test-app.ts'
import { act, aWooApp, orderOf, ordersOf, sync, wooOrder } from '../../../../../test/support/shop-apps.ts'
import { anItem } from '../../../../../test/support/stock-factories.ts'
import { DAY_MS, SECOND_MS, addMs } from '../../../../platform/clock.ts'

const CANCELLED_LATE =
  'This order was cancelled after 2 pieces had left. It stays completed until they are taken back.'

const revenueOf = async (app: TestApp, id: string) =>
  (await app.http.inject({ url: `/api/orders/${id}/earnings`, headers: await app.as('staff') })).json<{
    revenue: number
  }>().revenue

const revenueByMonth = async (app: TestApp) => {
  const report = await app.http.inject({
    url: '/api/reports/sales?from=2026-01-01&to=2027-12-31&by=month',
    headers: await app.as('staff'),
  })
  return report.json<SalesRow[]>().map(({ key, revenue }) => [key, revenue])
}

/** Ships dragons of an order: lines of 40.00, shipping of 4.90, tax of 3.00 and a discount of 4.00. */
async function aShippedOrder(quantity = 2, more: object = {}) {
  const { shop, app } = await aWooApp()
  await anItem(app, { sku: 'DRG', quantity: 2 })
  shop.orders.set(7, wooOrder(7, more))
  await sync(app)
  const { id, items } = await orderOf(app)
  await act(app, id, 'ship', { items: [{ line_id: items[0]?.id, quantity }] })
  const month = app.clock.now().toISOString().slice(0, 7)
  app.clock.advance(31 * DAY_MS)
  const nextDay = () => {
    app.clock.advance(DAY_MS)
    return addMs(app.clock.now(), SECOND_MS).toISOString().slice(0, 19)
  }
  const changeOrder = (fields: object) => Object.assign(shop.orders.get(7)!, fields)
  const forgetRefunds = (fields: object) => {
    shop.refunds.delete(7)
    changeOrder({ ...fields, refunds: [] })
  }
  const refund = async (amount: string, lines: Parameters<typeof shop.refund>[1]['lines'] = {}) => {
    shop.refund(7, { amount, lines, at: nextDay() })
    await sync(app)
    return orderOf(app)
  }
  const withdrawRefund = async () => {
    forgetRefunds({ status: 'processing', date_modified_gmt: nextDay() })
    await sync(app)
    return orderOf(app)
  }
  const takeBack = (pieces: number) =>
    act(app, id, 'return', { items: [{ line_id: items[0]?.id, quantity: pieces, to: 'stock' }] })
  return { app, id, month, nextDay, refund, withdrawRefund, forgetRefunds, changeOrder, takeBack }
}

it('a full refund of a sent WooCommerce order lowers the revenue on its day, and not when the pieces come back', async () => {
  const { app, id, month, refund, takeBack } = await aShippedOrder()
  const returned = { total_amount: 0, discount_amount: 40, shipping_amount: 0, tax_amount: 0 }
  expect(await refund('43.90')).toMatchObject({
    ...returned,
    status: 'completed',
    shop_problem: CANCELLED_LATE,
  })
  const months = [
    [month, 36],
    [app.clock.now().toISOString().slice(0, 7), -36],
  ]
  expect([await revenueOf(app, id), await revenueByMonth(app)]).toEqual([0, months])
  const { revision } = await orderOf(app)
  await sync(app)
  expect(await orderOf(app)).toMatchObject({ ...returned, revision })
  await takeBack(2)
  expect(await orderOf(app)).toMatchObject({ ...returned, status: 'cancelled', shop_problem: null })
  await sync(app)
  expect([await revenueOf(app, id), await revenueByMonth(app)]).toEqual([0, months])
})

it('a full refund of an order that was sent in part leaves no revenue of its pieces', async () => {
  const { app, id, refund } = await aShippedOrder(1)
  expect(await revenueOf(app, id)).toBe(18)
  expect(await refund('43.90')).toMatchObject({ status: 'cancelled', total_amount: 0 })
  expect(await revenueOf(app, id)).toBe(0)
})

it('a full refund that an earlier version read without booking it lowers the revenue after the update', async () => {
  const { app, id, refund } = await aShippedOrder(1)
  await refund('43.90')
  const { sql } = app.database
  await sql`
    update orders
    set total_minor = 4390, discount_minor = 400, shipping_minor = 490, tax_minor = 300,
        source_told = source_told - 'money_returned'
    where id = ${id}`
  expect(await revenueOf(app, id)).toBe(18)
  await sql`update shop_readings set reader = reader - 1`
  expect(await sync(app)).toMatchObject({ updated: 1, failed: [] })
  expect(await orderOf(app)).toMatchObject({ status: 'cancelled', total_amount: 0, discount_amount: 40 })
  expect(await revenueOf(app, id)).toBe(0)
  expect(await sync(app)).toMatchObject({ updated: 0, failed: [] })
})

it.each([2, 1])(
  'a full refund that the shop withdraws after %i of 2 pieces were sent no longer counts',
  async (sent) => {
    const { app, id, refund, withdrawRefund } = await aShippedOrder(sent)
    const ordered = { total_amount: 43.9, discount_amount: 4, shipping_amount: 4.9, tax_amount: 3 }
    for (let twice = 0; twice < 2; twice += 1) {
      expect(await refund('43.90')).toMatchObject({ total_amount: 0 })
      expect(await revenueOf(app, id)).toBe(0)
      expect(await withdrawRefund()).toMatchObject(ordered)
      expect(await revenueOf(app, id)).toBe(18 * sent)
    }
  },
)

it('a refund above the price of the pieces lowers the shipping and the tax, and the revenue becomes zero', async () => {
  const { app, id, refund } = await aShippedOrder()
  expect(await refund('42.00')).toMatchObject({
    status: 'completed',
    total_amount: 1.9,
    discount_amount: 40,
    shipping_amount: 0,
    tax_amount: 1.9,
  })
  expect(await revenueOf(app, id)).toBe(0)
})

it('a refund of money for pieces that were already returned lowers the revenue at most to zero', async () => {
  const { app, id, refund, takeBack } = await aShippedOrder()
  await takeBack(1)
  expect(await revenueOf(app, id)).toBe(18)
  expect(await refund('43.00')).toMatchObject({ total_amount: 0.9, discount_amount: 40 })
  expect(await revenueOf(app, id)).toBe(0)
})

it('money that the shop keeps of refunded pieces that will not be shipped is revenue, and part of the surcharge', async () => {
  const { shop, app } = await aWooApp()
  const line = { id: 1, sku: 'DRG', name: 'Dragon', quantity: 3, subtotal: '60.00', total: '54.00' }
  shop.orders.set(7, wooOrder(7, { total: '61.90', discount_total: '6.00', line_items: [line] }))
  await sync(app)
  const at = addMs(app.clock.now(), SECOND_MS).toISOString().slice(0, 19)
  shop.refund(7, { amount: '10.00', lines: { 1: { quantity: 2, total: '10.00' } }, at })
  expect(await sync(app)).toMatchObject({ updated: 1, failed: [] })
  expect(await orderOf(app)).toMatchObject({
    total_amount: 51.9,
    surcharge_amount: 26,
    kept_amount: 26,
    discount_amount: 2,
    shipping_amount: 4.9,
    tax_amount: 3,
    items: [{ quantity: 1, unit_price: 20 }],
  })
  const { id } = await orderOf(app)
  expect(await revenueOf(app, id)).toBe(26)
  await anItem(app, { sku: 'DRG', quantity: 3 })
  await act(app, id, 'ship')
  expect(await revenueOf(app, id)).toBe(44)
  // A refund of only the shipping does not change the kept money. Withdrawing the refunds removes it.
  const later = (seconds: number) =>
    addMs(app.clock.now(), seconds * SECOND_MS)
      .toISOString()
      .slice(0, 19)
  shop.refund(7, { amount: '4.90', shipping: '4.90', at: later(2) })
  await sync(app)
  expect(await orderOf(app)).toMatchObject({ shipping_amount: 0, kept_amount: 26 })
  expect(await revenueOf(app, id)).toBe(44)
  shop.refunds.delete(7)
  Object.assign(shop.orders.get(7)!, { refunds: [], date_modified_gmt: later(3) })
  await sync(app)
  expect(await orderOf(app)).toMatchObject({ surcharge_amount: 0, kept_amount: null })
  await act(app, id, 'ship')
  expect(await revenueOf(app, id)).toBe(54)
})

it('money that the shop keeps of an order without a shipment counts once in every figure', async () => {
  const { shop, app } = await aWooApp()
  const fee = [
    { key: '_stripe_fee', value: '1.58' },
    { key: '_stripe_currency', value: 'USD' },
  ]
  shop.orders.set(7, wooOrder(7, { meta_data: fee }))
  await sync(app)
  app.clock.advance(31 * DAY_MS)
  const change = async (fields: object) => {
    app.clock.advance(DAY_MS)
    const at = addMs(app.clock.now(), SECOND_MS).toISOString().slice(0, 19)
    Object.assign(shop.orders.get(7)!, fields, { date_modified_gmt: at })
    await sync(app)
    return orderOf(app)
  }
  shop.refund(7, {
    amount: '32.00',
    lines: { 1: { quantity: 2, total: '32.00' } },
    at: '2026-11-01T11:00:00',
  })
  const { id, ...cancelled } = await change({})
  expect(cancelled).toMatchObject({ status: 'cancelled', total_amount: 43.9, kept_amount: 4 })
  const read = async <T>(url: string, accept = 'application/json') =>
    app.http
      .inject({ url, headers: { ...(await app.as('staff')), accept } })
      .then((answer) => (accept === 'text/csv' ? (answer.body as T) : answer.json<T>()))
  const earned = async () => {
    const { revenue, margin } = await read<OrderEarnings>(`/api/orders/${id}/earnings`)
    return [revenue, margin]
  }
  const period = 'from=2026-01-01&to=2027-12-31'
  const figures = async () => ({
    order: await earned(),
    months: await revenueByMonth(app),
    products: (await read<SalesRow[]>(`/api/reports/sales?${period}&by=product`)).map(
      ({ key, revenue, fees, margin, pieces, orders }) => [key, revenue, fees, margin, pieces, orders],
    ),
    csv: (await read<string>(`/api/reports/sales/lines?${period}&by=product`, 'text/csv'))
      .split('\r\n')
      .slice(1, -1)
      .map((row) => row.split(',').slice(1)),
    tile: (await read<{ total_revenue: number }>('/api/stats')).total_revenue,
  })
  const counted = {
    order: [4, 2.42],
    // The shop refunded in November, although the order was read later.
    months: [['2026-11', 4]],
    products: [['Kept from refunds', 4, 1.58, 2.42, 0, 0]],
    csv: [['"7"', '""', '"Kept from refunds"', '0', '0', '4', '0', '1.58', '0', '0', '2.42', '0']],
    // The dashboard adds up only the totals of orders that are not cancelled.
    tile: 0,
  }
  expect(await figures()).toEqual(counted)
  expect(await change({})).toMatchObject({ revision: cancelled.revision })
  expect(await change({ status: 'cancelled' })).toMatchObject({ kept_amount: 4, shop_problem: null })
  expect(await figures()).toEqual(counted)
  expect(await change({ status: 'refunded' })).toMatchObject({ status: 'cancelled', kept_amount: null })
  expect(await figures()).toMatchObject({
    order: [0, null],
    products: [['Kept from refunds', 0, 0, 0, 0, 0]],
    tile: 0,
  })
})

it('money that the shop keeps of one of two shipped pieces counts when the piece is back', async () => {
  const { app, id, nextDay, refund, takeBack, withdrawRefund, forgetRefunds, changeOrder } =
    await aShippedOrder()
  const oneRefunded = { status: 'completed', kept_amount: 4, items: [{ quantity: 2, refunded_quantity: 1 }] }
  expect(await refund('14.00', { 1: { quantity: 1, total: '14.00' } })).toMatchObject(oneRefunded)
  expect(await revenueOf(app, id)).toBe(36)
  await takeBack(1)
  expect(await revenueOf(app, id)).toBe(22)
  const [booked] = await app.database.sql<{ booking_id: string }[]>`select booking_id from order_returns`
  await act(app, id, 'undo-return', { return_id: booked?.booking_id })
  expect(await revenueOf(app, id)).toBe(36)
  await takeBack(1)
  await withdrawRefund()
  expect(await revenueOf(app, id)).toBe(18)
  const keep = (total: string) => refund(total, { 1: { quantity: 1, total } })
  await keep('14.00')
  expect(await revenueOf(app, id)).toBe(22)
  // The shop keeps more, and cancels the order. The other piece is still with the customer.
  forgetRefunds({ status: 'cancelled' })
  expect(await keep('12.00')).toMatchObject({ status: 'completed', kept_amount: 6 })
  expect(await revenueOf(app, id)).toBe(22)
  changeOrder({ status: 'processing', date_modified_gmt: nextDay() })
  await sync(app)
  expect(await orderOf(app)).toMatchObject({ status: 'completed', kept_amount: 6, shop_problem: null })
  expect(await revenueOf(app, id)).toBe(24)
})

it('money that the shop keeps of all pieces of a sent order counts when they are back', async () => {
  // The surcharge for the gift wrap does not count as kept money.
  const wrap = { total: '48.90', fee_lines: [{ id: 2, name: 'Gift wrap', total: '5.00' }] }
  const { app, id, refund, takeBack, withdrawRefund } = await aShippedOrder(2, wrap)
  const bothRefunded = { status: 'completed', shop_problem: CANCELLED_LATE, kept_amount: 4 }
  expect(await refund('32.00', { 1: { quantity: 2, total: '32.00' } })).toMatchObject(bothRefunded)
  expect(await withdrawRefund()).toMatchObject({ status: 'completed', kept_amount: null })
  expect(await refund('32.00', { 1: { quantity: 2, total: '32.00' } })).toMatchObject(bothRefunded)
  expect(await revenueOf(app, id)).toBe(36)
  await takeBack(2)
  expect(await orderOf(app)).toMatchObject({ status: 'cancelled', kept_amount: 4 })
  expect(await revenueOf(app, id)).toBe(4)
})

it('money that was kept earlier still counts if other pieces are refunded before they are back', async () => {
  const { shop, app } = await aWooApp()
  const skus = ['A', 'B', 'C']
  const lines = skus.map((sku, at) => ({
    id: at + 1,
    sku,
    name: sku,
    quantity: 1,
    subtotal: '20',
    total: '20',
  }))
  shop.orders.set(7, wooOrder(7, { total: '67.90', discount_total: '0', line_items: lines }))
  for (const sku of skus) await anItem(app, { sku, quantity: 1 })
  await sync(app)
  const { id } = await orderOf(app)
  const partOf = async (sku: string, more = {}) => {
    const { items } = await orderOf(app)
    return { items: [{ line_id: items.find((line) => line.sku === sku)?.id, quantity: 1, ...more }] }
  }
  const ship = async (sku: string) => act(app, id, 'ship', await partOf(sku))
  const takeBack = async (sku: string) => act(app, id, 'return', await partOf(sku, { to: 'stock' }))
  const refund = async (sku: string, total: string) => {
    app.clock.advance(31 * DAY_MS)
    const at = addMs(app.clock.now(), SECOND_MS).toISOString().slice(0, 19)
    shop.refund(7, { amount: total, lines: { [skus.indexOf(sku) + 1]: { quantity: 1, total } }, at })
    await sync(app)
  }
  await refund('A', '16.00')
  expect(await revenueOf(app, id)).toBe(4)
  await ship('B')
  await refund('B', '17.00')
  expect(await orderOf(app)).toMatchObject({ kept_amount: 7 })
  expect(await revenueOf(app, id)).toBe(24)
  await takeBack('B')
  expect(await revenueOf(app, id)).toBe(7)
  await ship('C')
  await refund('C', '20.00')
  expect(await orderOf(app)).toMatchObject({ status: 'completed', kept_amount: 7 })
  expect(await revenueOf(app, id)).toBe(27)
  await takeBack('C')
  expect(await orderOf(app)).toMatchObject({ status: 'cancelled' })
  expect(await revenueOf(app, id)).toBe(7)
})

it('money that was kept from a refund before the first comparison counts when the shop adds pieces to the order', async () => {
  const { shop, app } = await aWooApp()
  const order = wooOrder(7, { status: 'completed' })
  shop.orders.set(7, order)
  shop.refund(7, { amount: '14', lines: { 1: { quantity: 1, total: '14' } }, at: '2026-11-01T11:00:00' })
  await sync(app)
  const { id, ...imported } = await orderOf(app)
  expect(imported).toMatchObject({ is_history: true, kept_amount: 4 })
  expect(await revenueOf(app, id)).toBe(0)
  const added = { id: 2, sku: 'STD', name: 'Stand', quantity: 1, subtotal: '5.00', total: '5.00' }
  const at = addMs(app.clock.now(), SECOND_MS).toISOString().slice(0, 19)
  Object.assign(shop.orders.get(7)!, {
    status: 'processing',
    line_items: [...order.line_items, added],
    total: '48.90',
    date_modified_gmt: at,
  })
  await sync(app)
  expect(await orderOf(app)).toMatchObject({ is_history: false, kept_amount: 4 })
  const { kept } = (
    await app.http.inject({ url: `/api/orders/${id}/earnings`, headers: await app.as('staff') })
  ).json<OrderEarnings>()
  expect(kept).toBe(4)
})

it('a cancelled order whose refunds the shop does not show is cancelled at once, and read again until it shows them', async () => {
  const { shop, app } = await aWooApp()
  shop.orders.set(7, wooOrder(7))
  await sync(app)
  const at = addMs(app.clock.now(), SECOND_MS).toISOString().slice(0, 19)
  shop.refund(7, { amount: '32', lines: { 1: { quantity: 2, total: '32' } }, at })
  Object.assign(shop.orders.get(7)!, { status: 'cancelled' })
  shop.orders.set(8, wooOrder(8, { date_modified_gmt: at }))
  let refusal = json(429, { code: 'busy' })
  shop.behave((response, request) =>
    (request.path.includes('/refunds') ? refusal : shop.take(request))(response, request),
  )
  expect(await sync(app)).toMatchObject({ code: 'main_site_failed' })
  for (const next of [json(403, { code: 'firewall' }), json(500, {}), json(200, {})]) {
    refusal = next
    expect(await sync(app)).toMatchObject({ failed: [] })
    // By now, the list of changes no longer contains the order.
    app.clock.advance(DAY_MS)
    const orders = await ordersOf(app)
    const statuses = orders.map((order) => [order.order_number, [order.status, order.kept_amount]])
    expect(Object.fromEntries(statuses)).toEqual({ 7: ['cancelled', null], 8: ['pending', null] })
  }
  shop.behave(null)
  expect(await sync(app)).toMatchObject({ updated: 1, failed: [] })
  const [order] = (await ordersOf(app)).filter((each) => each.order_number === '7')
  expect(order).toMatchObject({ status: 'cancelled', kept_amount: 4, shop_problem: null })
  expect(await revenueOf(app, order!.id)).toBe(4)
  expect(await app.database.sql`select from shop_orders_to_read`).toHaveLength(0)
})
