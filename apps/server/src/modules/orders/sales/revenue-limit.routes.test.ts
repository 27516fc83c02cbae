import type { Order } from '@pegasus/contracts/orders/orders'
import type { OrderEarnings } from '@pegasus/contracts/orders/sales'
import { expect, it } from 'vitest'
import { aSalesShop, line } from '../../../../test/support/sales-shop.ts'
import { anOrder } from '../../../../test/support/stock-factories.ts'

/** An order, with helpers that use a number of pieces of the line with a SKU. */
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
    /** Returns the revenue of the order. The report of all months has the same sum. */
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

it('pieces that are shipped after the others were returned and refunded have no revenue below zero', async () => {
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
  // Pieces of an ignored SKU are in no stock, so the status of the order stays the same.
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

it('money that a person keeps of removed pieces is revenue, but not more than the surcharge', async () => {
  const { app, id, ship, revenue } = await anOrderOf([['DRG', 2, 1000]])
  const edit = async (payload: object) => {
    const headers = { ...(await app.as('staff')), 'if-match': '*' }
    const answer = await app.http.inject({ method: 'PUT', url: `/api/orders/${id}`, headers, payload })
    expect(answer.statusCode, answer.body).toBe(200)
    return answer.json<Order>()
  }
  const items = [{ sku: 'DRG', name: 'A DRG', quantity: 1, unit_price: 10 }]
  expect(await edit({ items, surcharge_amount: 4, kept_amount: 9 })).toMatchObject({ kept_amount: 9 })
  expect(await revenue()).toBe(4)
  await edit({ kept_amount: 4 })
  await ship('DRG', 1)
  expect(await revenue()).toBe(14)
  await edit({ surcharge_amount: null, kept_amount: null })
  expect(await revenue()).toBe(10)
})
