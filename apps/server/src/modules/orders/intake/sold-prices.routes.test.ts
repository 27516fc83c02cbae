import type { IntegrationOrder } from '@pegasus/contracts/integration'
import type { Order } from '@pegasus/contracts/orders/orders'
import type { OrderEarnings, SalesRow } from '@pegasus/contracts/orders/sales'
import { expect, it } from 'vitest'
import { aKey, keyHeader } from '../../../../test/support/accounts/api-keys.ts'
import { buildTestApp } from '../../../../test/support/build-test-app.ts'
import { anItem } from '../../../../test/support/stock-factories.ts'

/** Adds an item, and returns helpers that enter, edit and ship orders. */
async function aShop() {
  const app = await buildTestApp()
  const headers = await app.as('staff')
  await anItem(app, { sku: 'HOOK', name: 'Hook', quantity: 20 })
  await anItem(app, { sku: 'PEG', name: 'Peg', quantity: 20 })
  const call = async (method: 'GET' | 'POST' | 'PUT', url: string, payload?: object) => {
    const answer = await app.http.inject({
      method,
      url,
      headers: { ...headers, 'if-match': '*' },
      ...(payload && { payload }),
    })
    return { status: answer.statusCode, body: answer.json<Order & { detail: string }>() }
  }
  const edit = (id: string, payload: object) => call('PUT', `/api/orders/${id}`, payload)
  const read = async <T>(url: string) => (await app.http.inject({ url, headers })).json<T>()
  return { app, call, edit, read }
}

const hooks = (quantity: number, price: number) => ({
  sku: 'HOOK',
  name: 'Hook',
  quantity,
  unit_price: price,
})
const AMOUNTS = {
  shipping_amount: 4,
  surcharge_amount: 1,
  tax_amount: 2,
  discount_amount: 3,
  fee_amount: 1.5,
}

it('the total of an order that a person enters follows its lines, shipping, tax and discount', async () => {
  const { call, edit } = await aShop()
  const entered = await call('POST', '/api/orders', { ...AMOUNTS, items: [hooks(2, 10)] })
  expect([entered.status, entered.body]).toEqual([
    201,
    expect.objectContaining({ ...AMOUNTS, total_amount: 24 }),
  ])
  const { id } = entered.body
  const totalAfter = async (change: object) => (await edit(id, change)).body.total_amount
  expect(await totalAfter({ shipping_amount: 6.5, discount_amount: null })).toBe(29.5)
  expect(await totalAfter({ fee_amount: 2 })).toBe(29.5)
  expect(await totalAfter({ items: [hooks(3, 10)] })).toBe(39.5)
  // A total that a person sends is kept. So is the difference that then remains between the total and the other
  // amounts.
  expect(await totalAfter({ total_amount: 40 })).toBe(40)
  expect(await totalAfter({ tax_amount: null })).toBe(38)
})

it.each([
  ['a negative amount', { tax_amount: -1 }, 'tax_amount must be a number from 0 to 1,000,000,000'],
  ['a part of a cent', { fee_amount: 1.005 }, 'fee_amount has more decimals than USD has'],
  ['another currency', { shipping_amount: 1, currency: 'EUR' }, 'Orders must use the currency USD'],
  [
    'a discount above the sum',
    { discount_amount: 21 },
    'The discount is more than the lines, shipping and tax together',
  ],
])('a person can neither enter nor edit an order with %s', async (_, amounts, sentence) => {
  const { call, edit, read } = await aShop()
  const items = [hooks(2, 10)]
  const { body } = await call('POST', '/api/orders', { items })
  for (const refused of [
    await call('POST', '/api/orders', { items, ...amounts }),
    await edit(body.id, amounts),
  ])
    expect([refused.status, refused.body.detail]).toEqual([422, sentence])
  expect(await read<Order[]>('/api/orders')).toMatchObject([{ id: body.id, revision: body.revision }])
})

it('a person can add a line and correct the fees after shipping, but cannot change the price or discount of shipped pieces', async () => {
  const { app, call } = await aShop()
  const pegs = { sku: 'PEG', name: 'Peg', quantity: 1, unit_price: 4 }
  const { body: order } = await call('POST', '/api/orders', { ...AMOUNTS, items: [hooks(3, 10), pegs] })
  await call('POST', `/api/orders/${order.id}/ship`, {
    items: [{ line_id: order.items[0]?.id, quantity: 2 }],
  })
  app.clock.advance(40 * 24 * 60 * 60_000)
  const staff = await app.as('staff')
  const report = async () =>
    (await app.http.inject({ url: '/api/reports/sales', headers: staff })).json<SalesRow[]>()
  const change = async (payload: object) => {
    const answer = await app.http.inject({
      method: 'PUT',
      url: `/api/orders/${order.id}`,
      headers: { ...staff, 'if-match': '*' },
      payload,
    })
    return { status: answer.statusCode, body: answer.json<Order & { detail: string }>() }
  }
  const before = await report()
  expect(before).toMatchObject([{ pieces: 2, revenue: 18.24 }])
  expect(await change({ items: [hooks(3, 12), pegs] })).toMatchObject({
    status: 409,
    body: {
      detail:
        'Hook: 2 shipped already at 10.00 USD, so this price cannot change. Undo the shipment first, or add another line for pieces at another price.',
    },
  })
  expect(await change({ discount_amount: 4 })).toMatchObject({
    status: 409,
    body: { detail: expect.stringContaining('enter a later reduction as fees') },
  })
  expect(await report()).toEqual(before)
  const changed = await change({
    discount_amount: 3,
    items: [hooks(2, 10), { ...pegs, unit_price: 2 }, hooks(1, 12)],
  })
  expect([
    changed.status,
    changed.body.items.map((line) => [line.shipped_quantity, line.unit_price]),
  ]).toEqual([
    200,
    [
      [2, 10],
      [0, 2],
      [0, 12],
    ],
  ])
  expect((await change({ items: [hooks(3, 10), pegs] })).status).toBe(200)
  expect(await report()).toEqual(before)
  const earned = async () =>
    (await app.http.inject({ url: `/api/orders/${order.id}/earnings`, headers: staff })).json<OrderEarnings>()
  expect((await earned()).fees).toBe(0.88)
  expect(await change({ fee_amount: 3 })).toMatchObject({
    status: 200,
    body: { total_amount: order.total_amount, fee_amount: 3 },
  })
  expect((await earned()).fees).toBe(1.76)
})

it('a price that the shop changed after shipping shows on the page, but the line and the report keep the old one', async () => {
  const { app, call, edit, read } = await aShop()
  const { key } = await aKey(app, { scope: ['integration'] })
  const send = async (price: number, more: object = {}) => {
    const answer = await app.http.inject({
      method: 'POST',
      url: '/api/integration/orders',
      headers: keyHeader(key),
      payload: { order_number: 'A-1', total_amount: 2 * price, items: [hooks(2, price)], ...more },
    })
    expect(answer.statusCode, answer.body).toBeLessThan(202)
    return answer.json<IntegrationOrder>()
  }
  const { id, items } = await send(10)
  // The price may change until pieces are shipped.
  expect((await send(11)).items[0]?.unit_price).toBe(11)
  await call('POST', `/api/orders/${id}/ship`, { items: [{ line_id: items[0]?.id, quantity: 1 }] })
  const before = await read<SalesRow[]>('/api/reports/sales')
  const kept = {
    customer_name: 'Ada',
    total_amount: 24,
    items: [{ unit_price: 11, quantity: 2 }],
    shop_problem:
      'The shop has changed the price of pieces that were shipped: Hook from 11.00 USD to 12.00 USD. The order keeps the price at which they were shipped.',
  }
  const { revision } = await read<Order>(`/api/orders/${id}`)
  const updated = await send(12, { customer_name: 'Ada' })
  expect(updated).toMatchObject(kept)
  expect(updated.revision).toBeGreaterThan(revision)
  expect(await send(12, { customer_name: 'Ada' })).toMatchObject({ ...kept, revision: updated.revision })
  expect(await read<SalesRow[]>('/api/reports/sales')).toEqual(before)
  expect((await edit(id, { notes: 'x' })).body).toMatchObject({ ...kept, notes: 'x' })
  await send(11)
  expect(await read<Order>(`/api/orders/${id}`)).toMatchObject({ shop_problem: null, total_amount: 22 })
})
