import type { RefusedOrder } from '@pegasus/contracts/orders/refused-orders'
import type { Alert } from '@pegasus/contracts/alerts/alerts'
import { expect, it } from 'vitest'
import { aMainSite } from '../../../../test/servers/main-site-server.ts'
import { buildTestApp } from '../../../../test/support/build-test-app.ts'
import { untilWaiting } from '../../../../test/support/database/lock-waits.ts'
import { act, ordersOf, sync } from '../../../../test/support/shop-apps.ts'
import { WEBHOOK_SECRET, sendWebhook, standardHeaders } from '../../../../test/support/webhooks.ts'
import { MINUTE_MS, SECOND_MS } from '../../../platform/clock.ts'
import { lockOrderNumber } from '../intake/order-intake.queries.ts'

const ORDER = {
  order_number: '1001',
  external_id: '1001',
  customer_name: 'Ada',
  total_amount: 6,
  items: [{ sku: 'HOOK', name: 'Hook', quantity: 1, unit_price: 6 }],
}

async function aShop() {
  const site = await aMainSite()
  const variables = { MAIN_SITE_URL: site.url, MAIN_SITE_WEBHOOK_SECRET: WEBHOOK_SECRET }
  const app = await buildTestApp({ variables })
  const headers = await app.as('staff')
  const sendOrder = async (order: object) => {
    const body = JSON.stringify({ type: 'order.updated', order })
    return (await sendWebhook(app, 'pegasus', body, standardHeaders(body, { at: app.clock.now() }))).body
  }
  const remove = async (id: string | undefined) => {
    const url = `/api/orders/${id}`
    const removed = await app.http.inject({
      method: 'DELETE',
      url,
      headers: { ...headers, 'if-match': '*' },
    })
    expect(removed.statusCode).toBe(204)
  }
  const refused = async () =>
    (await app.http.inject({ url: '/api/orders/refused', headers })).json<RefusedOrder[]>()
  return { app, sendOrder, remove, refused }
}

it('an order with the number of another order of the shop is refused and changes nothing, until the number is free', async () => {
  const { app, sendOrder, remove, refused } = await aShop()
  await sendOrder(ORDER)
  const [first] = await ordersOf(app)
  const stranger = { ...ORDER, external_id: '5551', customer_name: 'Grace' }
  const detail = 'Another order has the number 1001.'
  expect(await sendOrder(stranger)).toEqual({ outcome: 'failed', detail })
  expect(await ordersOf(app)).toEqual([first])
  expect(await refused()).toMatchObject([{ order_number: '1001', detail }])
  // A change of the known order keeps the refused order in the list.
  expect((await sendOrder({ ...ORDER, notes: 'gift' })).outcome).toBe('updated')
  expect(await refused()).toHaveLength(1)
  await sync(app)
  expect(await refused()).toHaveLength(1)
  await remove(first?.id)
  await sync(app)
  expect(await ordersOf(app)).toMatchObject([{ order_number: '1001', customer_name: 'Grace' }])
  expect(await refused()).toEqual([])
})

it('a refused order is tried again, even if a hundred earlier ones are refused every time', async () => {
  const { app, sendOrder, remove, refused } = await aShop()
  await sendOrder(ORDER)
  const [first] = await ordersOf(app)
  for (let id = 1; id <= 100; id += 1)
    await sendOrder({ ...ORDER, external_id: `${id}`, order_number: `E-${id}`, currency: 'EUR' })
  app.clock.advance(SECOND_MS)
  expect(await sendOrder({ ...ORDER, external_id: '5551', customer_name: 'Grace' })).toMatchObject({
    outcome: 'failed',
  })
  await remove(first?.id)
  for (let comparisons = 0; comparisons < 2; comparisons += 1) {
    app.clock.advance(MINUTE_MS)
    await sync(app)
  }
  expect(await ordersOf(app)).toMatchObject([{ order_number: '1001', customer_name: 'Grace' }])
  expect(await refused()).toHaveLength(100)
})

it('an order that a person entered is updated when the shop sends an order with the same number', async () => {
  const { app, sendOrder } = await aShop()
  await app.http.inject({
    method: 'POST',
    url: '/api/orders',
    headers: await app.as('staff'),
    payload: { order_number: '1001', customer_name: 'Ada', items: [] },
  })
  expect((await sendOrder({ ...ORDER, notes: 'gift' })).outcome).toBe('updated')
  expect(await ordersOf(app)).toMatchObject([{ order_number: '1001', external_id: '1001', notes: 'gift' }])
})

it('a comparison applies the waiting change of an order whose restoration was interrupted', async () => {
  const { app, sendOrder, remove } = await aShop()
  await sendOrder(ORDER)
  const [order] = await ordersOf(app)
  await remove(order?.id)
  expect((await sendOrder({ ...ORDER, notes: 'gift' })).outcome).toBe('unchanged')
  // Imitates a process that restored the order but ended before it applied the change.
  await app.database.sql`update orders set deleted_at = null`
  expect(await ordersOf(app)).toMatchObject([{ notes: null }])
  await sync(app)
  expect(await ordersOf(app)).toMatchObject([{ id: order?.id, notes: 'gift' }])
  expect(await app.database.sql`select from orders where source_waiting is not null`).toEqual([])
})

it('a waiting change is kept if the restored order is deleted again before the change is applied', async () => {
  const { app, sendOrder, remove } = await aShop()
  await sendOrder(ORDER)
  const [order] = await ordersOf(app)
  await remove(order?.id)
  expect((await sendOrder({ ...ORDER, notes: 'gift' })).outcome).toBe('unchanged')
  const { sql } = app.database
  await sql`update orders set deleted_at = null`
  const compared = await app.database.transaction(async (tx) => {
    await lockOrderNumber(tx, ORDER.order_number)
    const answer = sync(app)
    await untilWaiting(app, 1)
    await tx`update orders set deleted_at = now()`
    return { answer }
  })
  await compared.answer
  expect(
    await sql`select from orders where deleted_at is not null and source_waiting is not null`,
  ).toHaveLength(1)
  expect(await act(app, order?.id, 'restore')).toMatchObject({ id: order?.id, notes: 'gift' })
})

it('people are alerted to a refused order even if another order with its number was refused earlier', async () => {
  const { app, sendOrder, refused } = await aShop()
  const headers = await app.as('staff')
  const alerts = async () => {
    await app.alerts.run()
    const asked = await app.http.inject({ url: '/api/alerts', headers })
    return asked.json<Alert[]>().map(({ facts }) => facts)
  }
  const one = { orders: 1, reason: 'Orders must use the currency USD' }
  const euros = { ...ORDER, currency: 'EUR' }
  await sendOrder(euros)
  expect(await alerts()).toEqual([one])
  await sendOrder({ ...euros, notes: 'gift' })
  expect(await alerts()).toEqual([one])
  await sendOrder({ ...euros, external_id: '5551' })
  expect(await alerts()).toEqual([one, one])
  expect(await refused()).toHaveLength(1)
})

it('a change that arrives while an order is being restored is applied', async () => {
  const { app, sendOrder, remove } = await aShop()
  await sendOrder(ORDER)
  const [order] = await ordersOf(app)
  await remove(order?.id)
  const late = await app.database.transaction(async (tx) => {
    await tx`update orders set deleted_at = null`
    const answer = sendOrder({ ...ORDER, notes: 'gift' })
    await untilWaiting(app, 1)
    return { answer }
  })
  expect((await late.answer).outcome).toBe('updated')
  expect(await ordersOf(app)).toMatchObject([{ id: order?.id, notes: 'gift' }])
})
