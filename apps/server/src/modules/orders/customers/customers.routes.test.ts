import type { Customer } from '@pegasus/contracts/orders/customers'
import type { Order } from '@pegasus/contracts/orders/orders'
import { expect, it } from 'vitest'
import { buildTestApp } from '../../../../test/support/build-test-app.ts'
import { anItem, anOrder } from '../../../../test/support/stock-factories.ts'

it('GET /api/customers adds up the orders with the name of the customer, in upper or lower case', async () => {
  const app = await buildTestApp()
  const viewer = await app.as('viewer')
  const get = (url: string) => app.http.inject({ url, headers: viewer })
  const hook = await anItem(app, { sku: 'HOOK', name: 'Hook' })
  const line = (sku: string, quantity: number) => ({ sku, name: `A ${sku}`, quantity, unitPriceMinor: 100 })
  const place = (day: number, order: Parameters<typeof anOrder>[1]) =>
    anOrder(app, { placedAt: new Date(`2026-11-0${day}T10:00:00Z`), currency: 'USD', ...order })
  await place(1, {
    customerName: 'Keisuke Yamanaka',
    customerEmail: 'k@example.com',
    shippingAddress: { city: 'Osaka', country: 'JP' },
    totalMinor: 1250,
    lines: [line('HOOK', 2), line('NEST', 1)],
  })
  await place(2, {
    customerName: 'KEISUKE yamanaka',
    customerEmail: 'K@example.com',
    totalMinor: 750,
    status: 'completed',
    lines: [line('HOOK', 3)],
  })
  await place(3, {
    customerName: 'Keisuke Yamanaka',
    totalMinor: 99_900,
    status: 'cancelled',
    lines: [line('HOOK', 50)],
  })
  await place(4, { customerName: 'Keisuke Yamanaka', totalMinor: 5000, currency: 'EUR' })
  await place(5, { customerName: 'Keisuke Yamanaka the younger', totalMinor: 5000 })

  const answer = await get('/api/customers?name=keisuke%20YAMANAKA')
  expect(answer.statusCode).toBe(200)
  expect(answer.json<Customer>()).toMatchObject({
    name: 'Keisuke Yamanaka',
    emails: ['K@example.com'],
    shipping_address: { city: 'Osaka', country: 'JP', name: null },
    orders: 4,
    open_orders: 2,
    cancelled_orders: 1,
    total_amount: 20,
    counted_orders: 2,
    currency: 'USD',
    first_order_at: '2026-11-01T10:00:00Z',
    last_order_at: '2026-11-04T10:00:00Z',
    items: [
      { inventory_item_id: hook, sku: 'HOOK', quantity: 5, orders: 2 },
      { inventory_item_id: null, sku: 'NEST', quantity: 1, orders: 1 },
    ],
  })
  const listed = await get('/api/orders?customer=keisuke%20yamanaka&status=completed')
  expect(listed.json<Order[]>().map(({ customer_name: name }) => name)).toEqual(['KEISUKE yamanaka'])
  expect((await get('/api/orders?customer=keisuke%20yamanaka')).headers['x-total-count']).toBe('4')
})

it('GET /api/customers returns 404 for a name without orders, and 422 for a missing or invalid name', async () => {
  const app = await buildTestApp()
  const headers = await app.as('viewer')
  const statusOf = async (query: string) =>
    (await app.http.inject({ url: `/api/customers${query}`, headers })).statusCode
  await anOrder(app, { customerName: '', lines: [] })
  expect(await statusOf('?name=Nobody%25')).toBe(404)
  expect(await statusOf('')).toBe(422)
  expect(await statusOf('?name=%20')).toBe(422)
  expect(await statusOf(`?name=${'x'.repeat(2000)}`)).toBe(422)
  expect((await app.http.inject('/api/customers?name=x')).statusCode).toBe(401)
})
