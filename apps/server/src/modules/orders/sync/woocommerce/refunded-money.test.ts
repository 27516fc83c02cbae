import type { SalesRow } from '@pegasus/contracts/orders/sales'
import { expect, it } from 'vitest'
import type { TestApp } from '../../../../../test/support/build-test-app.ts'
import { act, aWooApp, orderOf, sync, wooOrder } from '../../../../../test/support/shop-apps.ts'
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

/** Ships dragons of an order with lines of 40.00, shipping of 4.90, tax of 3.00 and a discount of 4.00. */
async function aShippedOrder(quantity = 2) {
  const { shop, app } = await aWooApp()
  await anItem(app, { sku: 'DRG', quantity: 2 })
  shop.orders.set(7, wooOrder(7))
  await sync(app)
  const { id, items } = await orderOf(app)
  await act(app, id, 'ship', { items: [{ line_id: items[0]?.id, quantity }] })
  const month = app.clock.now().toISOString().slice(0, 7)
  app.clock.advance(31 * DAY_MS)
  const nextDay = () => {
    app.clock.advance(DAY_MS)
    return addMs(app.clock.now(), SECOND_MS).toISOString().slice(0, 19)
  }
  const refund = async (amount: string) => {
    shop.refund(7, { amount, at: nextDay() })
    await sync(app)
    return orderOf(app)
  }
  const withdrawRefund = async () => {
    shop.refunds.delete(7)
    Object.assign(shop.orders.get(7)!, { refunds: [], status: 'processing', date_modified_gmt: nextDay() })
    await sync(app)
    return orderOf(app)
  }
  const takeBack = (pieces: number) =>
    act(app, id, 'return', { items: [{ line_id: items[0]?.id, quantity: pieces, to: 'stock' }] })
  return { app, id, month, refund, withdrawRefund, takeBack }
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

it('a refund above the price of the pieces lowers the shipping and the tax, and the revenue ends at zero', async () => {
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

it('a refund of money for pieces that were returned before lowers the revenue only to zero', async () => {
  const { app, id, refund, takeBack } = await aShippedOrder()
  await takeBack(1)
  expect(await revenueOf(app, id)).toBe(18)
  expect(await refund('43.00')).toMatchObject({ total_amount: 0.9, discount_amount: 40 })
  expect(await revenueOf(app, id)).toBe(0)
})

it('money that the shop keeps of refunded pieces is a surcharge, so that the amounts add up', async () => {
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
    discount_amount: 2,
    shipping_amount: 4.9,
    tax_amount: 3,
    items: [{ quantity: 1, unit_price: 20 }],
  })
})
