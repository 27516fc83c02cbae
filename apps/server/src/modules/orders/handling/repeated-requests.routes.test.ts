import type { InventoryItem } from '@pegasus/contracts/inventory/items'
import type { BulkOrdersResult } from '@pegasus/contracts/orders/bulk-orders'
import type { Order } from '@pegasus/contracts/orders/orders'
import { expect, it } from 'vitest'
import { buildTestApp } from '../../../../test/support/build-test-app.ts'
import { expectOneResponse } from '../../../../test/support/repeated-requests.ts'
import { anItem, anOrder } from '../../../../test/support/stock-factories.ts'

it('T93 repeated requests to reserve, release or take back pieces with one key move the pieces once', async () => {
  const app = await buildTestApp()
  const headers = await app.as('staff')
  const hook = await anItem(app, { sku: 'HOOK', quantity: 10 })
  const id = await anOrder(app, {
    lines: [{ sku: 'HOOK', name: 'A hook', quantity: 9, unitPriceMinor: 100 }],
  })
  const [line] = (await app.http.inject({ url: `/api/orders/${id}`, headers })).json<Order>().items
  const request = (what: string, quantity: number) => ({
    url: `/api/orders/${id}/${what}`,
    payload: { items: [{ line_id: line?.id, quantity }] },
  })
  /**
   * Sends the same request several times, and returns the statuses, with the quantity and the number of reserved pieces
   * of the item.
   */
  const once = async (what: string, quantity: number) => {
    const { statusCode } = await expectOneResponse(
      app,
      headers,
      request(what, quantity),
      request(what, quantity - 1),
    )
    const item = await app.http.inject({ url: `/api/inventory/${hook}`, headers })
    const stock = item.json<InventoryItem>()
    return [statusCode, stock.quantity, stock.reserved_quantity]
  }
  expect(await once('reserve', 4)).toEqual([200, 10, 4])
  expect(await once('release', 2)).toEqual([200, 10, 2])
  await app.http.inject({ method: 'POST', url: `/api/orders/${id}/ship`, headers })
  expect(await once('return', 3)).toEqual([200, 4, 0])
})

const line = (sku: string, quantity: number) => ({ sku, name: sku, quantity, unitPriceMinor: 100 })

it('T93 repeated requests to ship many orders with one key ship each order once, and get the first result', async () => {
  const app = await buildTestApp()
  const headers = await app.as('staff')
  const hook = await anItem(app, { sku: 'HOOK', quantity: 5 })
  const first = await anOrder(app, { orderNumber: 'A-1', lines: [line('HOOK', 2)] })
  const short = await anOrder(app, { orderNumber: 'A-2', lines: [line('HOOK', 9)] })
  const ids = [first, short]
  const url = '/api/orders/bulk'
  const ship = { url, payload: { action: 'ship', ids } }
  const answer = await expectOneResponse(app, headers, ship, { url, payload: { action: 'hold', ids } })
  expect(answer.json<BulkOrdersResult>()).toMatchObject({ changed: [first], failed: [{ id: short }] })
  const stock = async () =>
    (await app.http.inject({ url: `/api/inventory/${hook}`, headers })).json<InventoryItem>().quantity
  expect(await stock()).toBe(3)
  // Pieces that were taken back, or that have become free, are not shipped again by the repeated request.
  const read = async (id: string) =>
    (await app.http.inject({ url: `/api/orders/${id}`, headers })).json<Order>()
  const [shipment] = (await read(first)).shipments
  const payload = { shipment_id: shipment?.id }
  await app.http.inject({ method: 'POST', url: `/api/orders/${first}/undo-shipment`, headers, payload })
  const repeated = await app.http.inject({
    method: 'POST',
    ...ship,
    headers: { ...headers, 'idempotency-key': `key of ${url}` },
  })
  expect(repeated.body).toBe(answer.body)
  expect(await stock()).toBe(5)
})

it('a request for many orders that was interrupted is continued with its key, without the orders that are done', async () => {
  const app = await buildTestApp()
  const headers = { ...(await app.as('staff')), 'idempotency-key': 'interrupted' }
  const hook = await anItem(app, { sku: 'HOOK', quantity: 9 })
  const first = await anOrder(app, { orderNumber: 'A-1', lines: [line('HOOK', 2)] })
  const second = await anOrder(app, { orderNumber: 'A-2', lines: [line('HOOK', 3)] })
  const bulk = (action: string, ids: readonly string[]) =>
    app.http.inject({ method: 'POST', url: '/api/orders/bulk', headers, payload: { action, ids } })
  const { sql } = app.database
  await sql`
    create function fail_on_update() returns trigger language plpgsql as $$
    begin raise exception 'a fault of this server'; end $$`
  await sql`
    create trigger fails before update on orders for each row
    when (new.order_number = 'A-2') execute function fail_on_update()`
  expect((await bulk('ship', [first, second])).statusCode).toBe(500)
  const shipments = async (id: string) =>
    (await app.http.inject({ url: `/api/orders/${id}`, headers })).json<Order>().shipments
  const [shipment] = await shipments(first)
  expect(shipment).toBeDefined()
  await sql`drop trigger fails on orders`
  // Only the interrupted request can be repeated with this key, no other request.
  const other = await bulk('ship', [second])
  expect([other.statusCode, await shipments(second)]).toEqual([409, []])
  // The first order counts as done, even if its shipment was taken back in the meantime.
  const payload = { shipment_id: shipment?.id }
  await app.http.inject({
    method: 'POST',
    url: `/api/orders/${first}/undo-shipment`,
    headers: await app.as('staff'),
    payload,
  })
  const continued = await bulk('ship', [first, second])
  expect([continued.statusCode, continued.json<BulkOrdersResult>()]).toMatchObject([
    200,
    { changed: [first, second], failed: [] },
  ])
  const item = await app.http.inject({ url: `/api/inventory/${hook}`, headers })
  expect(item.json<InventoryItem>().quantity).toBe(6)
})

it('T93 two simultaneous requests to ship many orders with one key get the same, correct result', async () => {
  const app = await buildTestApp()
  const headers = await app.as('staff')
  const hook = await anItem(app, { sku: 'HOOK', quantity: 1 })
  const short = await anOrder(app, { orderNumber: 'A-1', lines: [line('HOOK', 2)] })
  const last = await anOrder(app, { orderNumber: 'A-2', lines: [line('HOOK', 1)] })
  const ship = () =>
    app.http.inject({
      method: 'POST',
      url: '/api/orders/bulk',
      headers: { ...headers, 'idempotency-key': 'twice' },
      payload: { action: 'ship', ids: [short, last] },
    })
  const countWaiting = async () => {
    const [row] = await app.database.sql<{ count: number }[]>`
      select count(*)::int as count from pg_locks where not granted`
    return row?.count
  }
  // Another transaction holds the last order, so that the first attempt waits after it has refused the short one.
  const { promise: canEnd, resolve: end } = Promise.withResolvers<void>()
  const { promise: isHeld, resolve: held } = Promise.withResolvers<void>()
  const holding = app.database.transaction(async (tx) => {
    await tx`select from orders where id = ${last} for update`
    held()
    await canEnd
  })
  await isHeld
  const first = ship()
  await expect.poll(countWaiting).toBe(1)
  const payload = { delta: 5, reason: 'found' }
  await app.http.inject({ method: 'POST', url: `/api/inventory/${hook}/adjust`, headers, payload })
  const second = ship()
  await expect.poll(countWaiting).toBe(2)
  end()
  await holding
  const answers = (await Promise.all([first, second])).map((answer) => answer.json<BulkOrdersResult>())
  expect(answers[0]).toMatchObject({ changed: [last], failed: [{ id: short }] })
  expect(answers[1]).toEqual(answers[0])
  const order = await app.http.inject({ url: `/api/orders/${short}`, headers })
  expect(order.json<Order>().shipments).toEqual([])
})
