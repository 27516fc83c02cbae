import type { Order } from '@pegasus/contracts/orders/orders'
import { ORDER_STATUSES } from '@pegasus/contracts/statuses'
import { expect, it } from 'vitest'
import { buildTestApp } from '../../../../test/support/build-test-app.ts'
import { anItem } from '../../../../test/support/stock-factories.ts'

it('an order is entered with each status, and a completed one takes its pieces from the stock', async () => {
  const app = await buildTestApp()
  const item = await anItem(app, { sku: 'DRG', quantity: 9 })
  const headers = await app.as('staff')
  const enter = (payload: object) => app.http.inject({ method: 'POST', url: '/api/orders', headers, payload })
  const stock = () =>
    app.database.sql`select quantity::int, available_quantity::int from stock_items where id = ${item}`
  const items = [{ sku: 'DRG', name: 'Dragon', quantity: 2, unit_price: 5 }]
  for (const status of ORDER_STATUSES) {
    const answer = await enter({ status, items })
    expect(answer.statusCode).toBe(201)
    const shipped_quantity = status === 'completed' ? 2 : 0
    expect(answer.json<Order>()).toMatchObject({ status, source: 'manual', items: [{ shipped_quantity }] })
  }
  expect([...(await stock())]).toEqual([{ quantity: 7, available_quantity: 7 }])
  expect((await enter({})).json<Order>()).toMatchObject({ status: 'pending' })
  expect((await enter({ status: 'lost' })).statusCode).toBe(422)
})

it('an entered or edited line has at most as many pieces as a print job, and the error names the limit', async () => {
  const app = await buildTestApp()
  const headers = await app.as('staff')
  const items = (quantity: number) => [{ sku: 'DRG', name: 'Dragon', quantity, unit_price: 5 }]
  const enter = (quantity: number) =>
    app.http.inject({ method: 'POST', url: '/api/orders', headers, payload: { items: items(quantity) } })
  const message = 'quantity must be a whole number from 1 to 1,000,000'
  const tooMany = await enter(1_000_001)
  expect([tooMany.statusCode, tooMany.json()]).toMatchObject([422, { errors: [{ message }] }])
  const { id } = (await enter(1_000_000)).json<Order>()
  const edit = await app.http.inject({
    method: 'PUT',
    url: `/api/orders/${id}`,
    headers,
    payload: { items: items(1_000_001) },
  })
  expect([edit.statusCode, edit.json()]).toMatchObject([422, { errors: [{ message }] }])
})
