import type { BulkOrdersResult } from '@pegasus/contracts/orders/bulk-orders'
import type { Order } from '@pegasus/contracts/orders/orders'
import type { OrderEarnings } from '@pegasus/contracts/orders/sales'
import { expect, it } from 'vitest'
import { aKey } from '../../../../test/support/accounts/api-keys.ts'
import { aSalesShop, line } from '../../../../test/support/sales-shop.ts'
import { anOrder } from '../../../../test/support/stock-factories.ts'

/** Adds an order, and returns helpers that ship and return pieces of one line, and that refund money. */
async function anOrderOf(lines: Parameters<typeof line>[], amounts: object = {}) {
  const shop = await aSalesShop()
  const { app, act, send, report } = shop
  const id = await anOrder(app, { lines: lines.map((each) => line(...each)), ...amounts })
  const parts = async (sku: string, quantity: number) => {
    const found = (await send<Order>(`/api/orders/${id}`)).items.find((each) => each.sku === sku)
    return { line_id: found?.id, quantity }
  }
  return {
    ...shop,
    id,
    ship: async (sku: string, quantity: number) => act(id, 'ship', { items: [await parts(sku, quantity)] }),
    takeBack: async (sku: string, quantity: number) =>
      act(id, 'return', { items: [{ ...(await parts(sku, quantity)), to: 'stock' }] }),
    /** Sets the discount, as a shop does when it refunds money without pieces. */
    refundMoney: (minor: number) =>
      app.database.sql`update orders set discount_minor = ${minor} where id = ${id}`,
    /** Returns the revenue of the order, after checking that the months of the report have the same sum. */
    revenue: async () => {
      const { revenue } = await send<OrderEarnings>(`/api/orders/${id}/earnings`)
      const months = await report('by=month&from=2031-01-01&to=2031-12-31')
      expect(months.reduce((sum, month) => sum + month.revenue, 0)).toBeCloseTo(revenue)
      return revenue
    },
    byProduct: async () =>
      (await report('by=product&from=2031-01-01&to=2031-12-31')).map(({ key, revenue }) => [key, revenue]),
  }
}

it('pieces that are shipped after the other pieces were returned and refunded have no revenue below zero', async () => {
  const { ship, takeBack, refundMoney, revenue } = await anOrderOf([['DRG', 4, 1000]])
  await ship('DRG', 2)
  await takeBack('DRG', 2)
  await refundMoney(3000)
  expect(await revenue()).toBe(0)
  await ship('DRG', 1)
  expect(await revenue()).toBe(0)
  await ship('DRG', 1)
  expect(await revenue()).toBe(0)
})

it('a refund for returned pieces counts again when their return is undone', async () => {
  const { app, act, id, send, ship, takeBack, refundMoney, revenue } = await anOrderOf([['WRAP', 2, 1000]])
  // Pieces of an ignored SKU take nothing from the stock, so the order keeps its status.
  await send('/api/orders/unknown-skus/ignore', { sku: 'WRAP' })
  await ship('WRAP', 2)
  await takeBack('WRAP', 2)
  await refundMoney(1500)
  expect(await revenue()).toBe(0)
  const [booked] = await app.database.sql<{ booking_id: string }[]>`select booking_id from order_returns`
  await act(id, 'undo-return', { return_id: booked?.booking_id })
  expect(await revenue()).toBe(5)
})

it('a refund belongs to the pieces that were not returned, also in the report by product', async () => {
  const { ship, takeBack, refundMoney, revenue, byProduct } = await anOrderOf([
    ['DRG', 1, 2000],
    ['STD', 1, 2000],
  ])
  await ship('DRG', 1)
  await ship('STD', 1)
  await takeBack('DRG', 1)
  await refundMoney(2000)
  expect(await revenue()).toBe(0)
  expect(await byProduct()).toEqual([
    ['DRG', 0],
    ['STD', 0],
  ])
  await takeBack('STD', 1)
  expect(await revenue()).toBe(0)
})

it('undoing a shipment after a refund leaves no revenue below zero', async () => {
  const { act, id, ship, takeBack, refundMoney, revenue } = await anOrderOf([['DRG', 2, 1000]])
  await ship('DRG', 1)
  await takeBack('DRG', 1)
  const { shipments } = await ship('DRG', 1)
  await refundMoney(1000)
  expect(await revenue()).toBe(0)
  await act(id, 'undo-shipment', { shipment_id: shipments.at(-1)?.id })
  expect(await revenue()).toBe(0)
  await ship('DRG', 1)
  expect(await revenue()).toBe(0)
})

it('a discount above the price of the pieces lowers the shipping, and the revenue ends at zero', async () => {
  const { act, id, send, revenue } = await anOrderOf([['DRG', 1, 1000]], {
    totalMinor: 300,
    shippingMinor: 500,
    discountMinor: 1200,
  })
  await act(id, 'ship', { postage_amount: 1 })
  expect(await revenue()).toBe(0)
  expect(await send<OrderEarnings>(`/api/orders/${id}/earnings`)).toMatchObject({ shipping_income: 3 })
})

it('money that a person keeps is revenue up to its limit, also after a cancellation, and prevents a deletion', async () => {
  const { app, act, send, report, id, ship, revenue } = await anOrderOf([['DRG', 2, 1000]], {
    totalMinor: 2000,
  })
  const call = async (method: 'PUT' | 'POST' | 'DELETE', url: string, payload?: object, more = {}) => {
    const headers = { ...(await app.as('staff')), 'if-match': '*', ...more }
    const answer = await app.http.inject({ method, url, headers, ...(payload && { payload }) })
    const { detail, errors } =
      answer.body === '' ? {} : answer.json<{ detail?: string; errors?: unknown[] }>()
    return { status: answer.statusCode, detail, errors }
  }
  const edit = (payload: object) => call('PUT', `/api/orders/${id}`, payload)
  const amounts = { surcharge_amount: 4, kept_amount: 9 }
  const tooMuch = 'The money kept from refunds must be at most the surcharges.'
  const refused = { status: 422, errors: [{ path: 'kept_amount', message: tooMuch }] }
  expect(await edit(amounts)).toMatchObject(refused)
  const other = { order_number: 'OTHER', total_amount: 4, ...amounts }
  expect(await call('POST', '/api/orders', other)).toMatchObject(refused)
  const { key } = await aKey(app, { scope: ['integration'] })
  const sent = await call('POST', '/api/integration/orders', other, { authorization: `Bearer ${key}` })
  expect(sent).toMatchObject(refused)
  expect(await edit({ ...amounts, kept_amount: 4 })).toMatchObject({ status: 200 })
  expect(await revenue()).toBe(4)
  const reason = 'Money of this order is in the sales report, so the order cannot be deleted.'
  expect(await call('DELETE', `/api/orders/${id}`)).toMatchObject({ status: 409, detail: reason })
  const bulk = await send<BulkOrdersResult>('/api/orders/bulk', { ids: [id], action: 'delete' })
  expect(JSON.stringify(bulk)).toContain(reason)
  expect(await edit({ surcharge_amount: 2 })).toMatchObject(refused)
  await ship('DRG', 1)
  expect(await revenue()).toBe(14)
  await act(id, 'cancel')
  expect(await revenue()).toBe(14)
  expect(await edit({ kept_amount: 25 })).toMatchObject({
    status: 422,
    detail: 'The money kept from refunds must be at most the total of the cancelled order.',
  })
  expect(await edit({ surcharge_amount: null, kept_amount: null })).toMatchObject({ status: 200 })
  expect(await revenue()).toBe(10)
  // The limit is the total of the cancelled order. An amount of a shop above it is accepted, but only the total counts.
  const cancelled = { ...other, status: 'cancelled', surcharge_amount: null, kept_amount: 4 }
  expect(await call('POST', '/api/orders', cancelled)).toMatchObject({ status: 201 })
  await app.database.sql`
    update orders set kept_minor = 900, revision = revision + 1 where order_number = 'OTHER'`
  const [total] = await report('by=month&from=2031-01-01&to=2031-12-31')
  expect(total).toMatchObject({ revenue: 14 })
})
