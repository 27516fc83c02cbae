import type { SalesRow } from '@pegasus/contracts/orders/sales'
import { expect, it } from 'vitest'
import type { TestApp } from '../../../../../test/support/build-test-app.ts'
import { act, aWooApp, orderOf, sync, wooOrder } from '../../../../../test/support/shop-apps.ts'
import { anItem } from '../../../../../test/support/stock-factories.ts'
import { DAY_MS, SECOND_MS } from '../../../../platform/clock.ts'

const monthsOf = async (app: TestApp) => {
  const report = await app.http.inject({
    url: '/api/reports/sales?from=2026-01-01&to=2030-12-31&by=month',
    headers: await app.as('staff'),
  })
  return Object.fromEntries(report.json<SalesRow[]>().map(({ key, revenue }) => [key, revenue]))
}

/** Imports an order of three dragons at 20.00. Returns helpers that refund a piece and change the order. */
async function anOrder() {
  const { shop, app } = await aWooApp()
  app.clock.advance(Date.parse('2027-03-15T12:00:00Z') - app.clock.now().getTime())
  const line = { id: 1, sku: 'DRG', name: 'Dragon', quantity: 3, subtotal: '60.00', total: '60.00' }
  const placedAt = '2027-01-10T10:00:00'
  const order = {
    date_created_gmt: placedAt,
    date_modified_gmt: placedAt,
    total: '67.90',
    discount_total: '0.00',
  }
  shop.orders.set(7, wooOrder(7, { ...order, line_items: [line] }))
  await sync(app)
  /** Refunds one piece, at a given time, for less than its price. The order is changed now. */
  const refundPiece = (total: string, at: string) => {
    shop.refund(7, { amount: total, lines: { 1: { quantity: 1, total } }, at })
    change({})
  }
  const change = (fields: object) => {
    app.clock.advance(2 * SECOND_MS)
    const date_modified_gmt = app.clock.now().toISOString().slice(0, 19)
    Object.assign(shop.orders.get(7)!, fields, { date_modified_gmt })
  }
  return { shop, app, refundPiece, change }
}

it('kept money counts in the months of its refunds, although the order is read weeks later', async () => {
  const { shop, app, refundPiece, change } = await anOrder()
  refundPiece('13.00', '2027-02-20T10:00:00')
  refundPiece('16.00', '2027-01-31T23:30:00')
  for (let twice = 0; twice < 2; twice += 1) {
    await sync(app)
    expect(await monthsOf(app)).toEqual({ '2027-01': 4, '2027-02': 7 })
  }
  // A person corrects the kept money, and later the shop withdraws its refunds. Each change counts in its own month.
  const { id, revision } = await orderOf(app)
  const edit = await app.http.inject({
    method: 'PUT',
    url: `/api/orders/${id}`,
    headers: { ...(await app.as('staff')), 'if-match': `"${revision}"` },
    payload: { kept_amount: 9 },
  })
  expect(edit.statusCode, edit.body).toBe(200)
  expect(await monthsOf(app)).toEqual({ '2027-01': 4, '2027-02': 7, '2027-03': -2 })
  shop.refunds.delete(7)
  app.clock.advance(31 * DAY_MS)
  change({ refunds: [] })
  await sync(app)
  const withdrawn = { '2027-01': 4, '2027-02': 7, '2027-03': -2, '2027-04': -9 }
  expect(await monthsOf(app)).toEqual(withdrawn)
  // The money was withdrawn in April, so the same refund counts again only from April on.
  app.clock.advance(31 * DAY_MS)
  refundPiece('16.00', '2027-02-20T10:00:00')
  refundPiece('18.00', '2030-01-01T10:00:00')
  await sync(app)
  expect(await monthsOf(app)).toEqual({ ...withdrawn, '2027-04': -5, '2027-05': 2 })
})

it('kept money never counts before the order was placed, nor before its pieces are back', async () => {
  const { app, refundPiece } = await anOrder()
  refundPiece('16.00', '2026-12-20T10:00:00')
  await sync(app)
  expect(await monthsOf(app)).toEqual({ '2027-01': 4 })
  await anItem(app, { sku: 'DRG', quantity: 2 })
  const { id, items } = await orderOf(app)
  await act(app, id, 'ship')
  app.clock.advance(31 * DAY_MS)
  await act(app, id, 'return', { items: [{ line_id: items[0]?.id, quantity: 1, to: 'stock' }] })
  app.clock.advance(31 * DAY_MS)
  refundPiece('17.00', '2027-03-20T10:00:00')
  await sync(app)
  expect(await monthsOf(app)).toEqual({ '2027-01': 4, '2027-03': 40, '2027-04': -20 + 3 })
})

it('money that is refunded without pieces lowers the revenue in the months of the refunds, although the order is read weeks later', async () => {
  const { shop, app, change } = await anOrder()
  await anItem(app, { sku: 'DRG', quantity: 3 })
  const { id, items } = await orderOf(app)
  const ship = (quantity: number) => act(app, id, 'ship', { items: [{ line_id: items[0]?.id, quantity }] })
  await ship(2)
  expect(await monthsOf(app)).toEqual({ '2027-03': 40 })
  const refund = (amount: string, at: string) => {
    shop.refund(7, { amount, at })
    change({})
  }
  app.clock.advance(61 * DAY_MS)
  await ship(1)
  refund('6.00', '2027-04-30T23:30:00')
  refund('3.00', '2027-05-02T10:00:00')
  // A refund from before the shipments counts with them.
  refund('12.00', '2027-02-20T10:00:00')
  app.clock.advance(31 * DAY_MS)
  for (let twice = 0; twice < 2; twice += 1) {
    await sync(app)
    expect(await monthsOf(app)).toEqual({ '2027-03': 40 - 8, '2027-04': -4, '2027-05': 20 - 4 - 2 - 3 })
  }
  // The staff deletes a refund, and makes it again. It was taken back in June, so it counts again only from June on.
  const [last, ...others] = shop.refunds.get(7) ?? []
  shop.refunds.set(7, others)
  const named = shop.orders.get(7)?.['refunds'] as { id: number }[]
  change({ refunds: named.filter((each) => each.id !== last?.id) })
  await sync(app)
  const months = await monthsOf(app)
  expect(months).toMatchObject({ '2027-03': 32, '2027-04': -4, '2027-05': 11, '2027-06': 12 })
  app.clock.advance(31 * DAY_MS)
  refund('48.00', '2027-04-01T10:00:00')
  await sync(app)
  expect(await monthsOf(app)).toEqual({ ...months, '2027-06': -36 })
})

it('a refund of the whole total lowers the revenue in the month of the change in the shop', async () => {
  const { shop, app, change } = await anOrder()
  await anItem(app, { sku: 'DRG', quantity: 3 })
  await act(app, (await orderOf(app)).id, 'ship')
  app.clock.advance(31 * DAY_MS)
  shop.refund(7, { amount: '67.90', at: app.clock.now().toISOString().slice(0, 19) })
  change({})
  app.clock.advance(31 * DAY_MS)
  await sync(app)
  expect(await monthsOf(app)).toEqual({ '2027-03': 60, '2027-04': -60 })
})
