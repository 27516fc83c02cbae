import { readFile } from 'node:fs/promises'
import type { IntegrationOrder } from '@pegasus/contracts/integration'
import type { Order } from '@pegasus/contracts/orders/orders'
import { expect, it } from 'vitest'
import { aKey, keyHeader } from '../../../../test/support/accounts/api-keys.ts'
import { type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'
import { aMainSite, json } from '../../../../test/servers/main-site-server.ts'
import { anItem } from '../../../../test/support/stock-factories.ts'
import { splitStatements } from '../../../platform/database/migrations/split-statements.ts'

const stockOf = async (app: TestApp, id: string) => {
  const [item] = await app.database.sql<{ quantity: number }[]>`
    select quantity::int from stock_items where id = ${id}`
  return item?.quantity
}

const HOOK = { sku: 'HOOK', name: 'Hook', quantity: 2, unit_price: 5 }

it('a new completed order of POST /api/integration/orders takes its pieces from the stock once', async () => {
  const app = await buildTestApp()
  const { key } = await aKey(app, { scope: ['integration'] })
  const item = await anItem(app, { sku: 'HOOK', quantity: 7 })
  const payload = { order_number: 'A-1', total_amount: 10, status: 'completed', items: [HOOK] }
  for (const code of [201, 200]) {
    const url = '/api/integration/orders'
    const answer = await app.http.inject({ method: 'POST', url, headers: keyHeader(key), payload })
    expect(answer.statusCode, answer.body).toBe(code)
    expect(answer.json<IntegrationOrder>()).toMatchObject({
      status: 'completed',
      items: [{ shipped_quantity: 2, not_shipped_quantity: 0 }],
    })
    expect(await stockOf(app, item)).toBe(5)
  }
})

/**
 * Starts an app with a main site. `sync` sends orders from the site, and returns, by order number, the shipped, not
 * shipped and missing pieces of each line.
 */
async function aShopOfCompletedOrders() {
  const site = await aMainSite()
  const app = await buildTestApp({
    variables: { MAIN_SITE_URL: site.url, MAIN_SITE_ADMIN_KEY: 'the-admin-key' },
  })
  const item = await anItem(app, { sku: 'HOOK', quantity: 7 })
  const headers = await app.as('staff')
  const completed = (number: string, placedAt: Date) => ({
    order_number: number,
    total_amount: 10,
    status: 'completed',
    items: [HOOK],
    placed_at: placedAt.toISOString(),
  })
  const sync = async (...orders: object[]) => {
    site.behave(json(200, { orders }))
    const answer = await app.http.inject({ method: 'POST', url: '/api/orders/sync', headers })
    expect(answer.json()).toMatchObject({ outcome: 'synced', failed: [] })
    const list = (await app.http.inject({ url: '/api/orders', headers })).json<Order[]>()
    return new Map(
      list.map((order) => [
        order.order_number,
        order.items.map((line) => [line.shipped_quantity, line.not_shipped_quantity, line.missing_quantity]),
      ]),
    )
  }
  const isHistory = async (number: string) => {
    const list = (await app.http.inject({ url: `/api/orders?search=${number}`, headers })).json<Order[]>()
    return list.map((order) => order.is_history)
  }
  return { app, item, completed, sync, isHistory }
}

it('a completed order from before the first comparison takes nothing from the stock, and a later one takes its pieces', async () => {
  const { app, item, completed, sync, isHistory } = await aShopOfCompletedOrders()
  const begun = app.clock.now()
  const old = completed('WEB-1', new Date(begun.getTime() - 60_000))
  expect((await sync(old)).get('WEB-1')).toEqual([[0, 0, 0]])
  expect(await stockOf(app, item)).toBe(7)
  app.clock.advance(300_000)
  const orders = [old, completed('WEB-2', new Date(begun.getTime() + 60_000))]
  for (const round of [orders, orders, [...orders, { ...old, order_number: 'WEB-0' }]]) {
    expect((await sync(...round)).get('WEB-2')).toEqual([[2, 0, 0]])
    expect(await stockOf(app, item)).toBe(5)
  }
  // `is_history` tells people why the first order took nothing from the stock.
  expect([await isHistory('WEB-1'), await isHistory('WEB-2')]).toEqual([[true], [false]])
})

it('if the shop reopens an order from before the first comparison, only the added pieces have to be shipped', async () => {
  const { app, item, completed, sync } = await aShopOfCompletedOrders()
  const old = completed('WEB-1', new Date(app.clock.now().getTime() - 60_000))
  await sync(old)
  const reopened = { ...old, status: 'pending' }
  expect((await sync(reopened)).get('WEB-1')).toEqual([[0, 0, 0]])
  const ring = { sku: 'RING', name: 'Ring', quantity: 1, unit_price: 1 }
  const longer = { ...reopened, items: [{ ...HOOK, quantity: 3 }, ring] }
  for (let twice = 0; twice < 2; twice += 1)
    expect((await sync(longer)).get('WEB-1')).toEqual([
      [2, 0, 0],
      [0, 0, 1],
    ])
  expect(await stockOf(app, item)).toBe(7)
})

it('if a person adds pieces to an order that the shop shows as completed, a note says so until the pieces are shipped', async () => {
  const { app, completed, sync } = await aShopOfCompletedOrders()
  await sync(completed('WEB-1', new Date(app.clock.now().getTime() + 60_000)))
  const headers = { ...(await app.as('staff')), 'if-match': '*' }
  const read = async () => (await app.http.inject({ url: '/api/orders', headers })).json<Order[]>()[0]
  const order = await read()
  expect(order).toMatchObject({ status: 'completed', shop_problem: null })
  const line = { id: order?.items[0]?.id, ...HOOK, quantity: 3 }
  const url = `/api/orders/${order?.id}`
  const edited = await app.http.inject({ method: 'PUT', url, headers, payload: { items: [line] } })
  expect(edited.statusCode, edited.body).toBe(200)
  const shop_problem =
    'The shop shows this order as completed, but it is open here and pieces are left to ship. Ship them, or complete the order.'
  expect(await read()).toMatchObject({ status: 'in_progress', shop_problem })
  const shipped = await app.http.inject({ method: 'POST', url: `${url}/ship`, headers, payload: {} })
  expect(shipped.json()).toMatchObject({ status: 'completed', shop_problem: null })
})

it('completed orders that a replica of an earlier version adds are settled once, unless they are from before the first comparison', async () => {
  const { app, item, completed, sync } = await aShopOfCompletedOrders()
  const begun = app.clock.now().getTime()
  await sync(completed('WEB-1', new Date(begun - 60_000)), completed('WEB-2', new Date(begun + 60_000)))
  // Copy the orders as if a replica of an earlier version had added them.
  const { sql } = app.database
  await sql`insert into orders (id, order_number, customer_name, status, total_minor, currency, placed_at, source, source_told, created_at, updated_at)
    select gen_random_uuid(), 'OLD-' || order_number, '', status, total_minor, currency, placed_at, source, source_told, created_at, updated_at
    from orders`
  await sql`insert into order_lines (id, order_id, position, sku, name, quantity, unit_price_minor, item_id)
    select gen_random_uuid(), o.id, 0, l.sku, l.name, l.quantity, l.unit_price_minor, l.item_id
    from orders o join orders settled on o.order_number = 'OLD-' || settled.order_number join order_lines l on l.order_id = settled.id`
  expect(await stockOf(app, item)).toBe(5)
  for (let twice = 0; twice < 2; twice += 1) {
    await app.shop.shopOrders.run()
    expect(await stockOf(app, item)).toBe(3)
  }
  const orders = await sync()
  expect(orders.get('OLD-WEB-1')).toEqual([[0, 0, 0]])
  expect(orders.get('OLD-WEB-2')).toEqual([[2, 0, 0]])
})

it('an order that cannot be settled does not stop the others, and completed or deleted orders stay as they are', async () => {
  const { app, item, completed, sync } = await aShopOfCompletedOrders()
  const later = new Date(app.clock.now().getTime() + 60_000)
  await sync(completed('WEB-1', later), { ...completed('WEB-2', later), status: 'pending' })
  const { sql } = app.database
  const [short] = await sql<{ id: string }[]>`select id from orders where order_number = 'WEB-2'`
  const url = `/api/orders/${short?.id}/complete`
  await app.http.inject({
    method: 'POST',
    url,
    headers: await app.as('staff'),
    payload: { close_short: true },
  })
  await sql`
    update orders set is_settled = false, source_told = source_told || '{"status":"completed"}' where id = ${short?.id ?? null}`
  // Add orders as a replica of an earlier version would. The first one fails to be settled.
  for (const [id, number, deletedAt] of [
    ['00000000-0000-7000-8000-000000000001', 'FAILS', null],
    ['10000000-0000-7000-8000-000000000001', 'OLD', null],
    ['20000000-0000-7000-8000-000000000001', 'TRASH', later],
  ] as const) {
    await sql`insert into orders (id, order_number, customer_name, status, total_minor, currency, placed_at, source, source_told, created_at, updated_at, deleted_at)
      select ${id}::uuid, ${number}, '', status, total_minor, currency, placed_at, source, source_told, created_at, updated_at, ${deletedAt}::timestamptz
      from orders where order_number = 'WEB-1'`
    await sql`insert into order_lines (id, order_id, position, sku, name, quantity, unit_price_minor, item_id)
      select gen_random_uuid(), ${id}::uuid, 0, l.sku, l.name, l.quantity, l.unit_price_minor, l.item_id
      from orders o join order_lines l on l.order_id = o.id where o.order_number = 'WEB-1'`
  }
  await sql`create function fail_here() returns trigger language plpgsql as $$ begin raise exception 'fails here'; end $$`
  await sql`create trigger fails before update on orders for each row when (new.order_number = 'FAILS') execute function fail_here()`
  await app.shop.shopOrders.run()
  expect(await stockOf(app, item)).toBe(3)
  const unsettled = await sql<{ number: string }[]>`
    select order_number as number from orders where not is_settled order by id`
  expect(unsettled.map(({ number }) => number)).toEqual(['FAILS', 'TRASH'])
})

it('the update marks completed orders from before the first comparison, so that their pieces do not count as not shipped', async () => {
  const { app, completed, sync } = await aShopOfCompletedOrders()
  const begun = app.clock.now().getTime()
  await sync()
  app.clock.advance(1000)
  const pending = { ...completed('WEB-3', new Date(begun - 60_000)), status: 'pending' }
  await sync(completed('WEB-1', new Date(begun - 60_000)), { ...pending, items: [{ ...HOOK, sku: 'GONE' }] })
  await sync({ ...pending, status: 'completed', items: [{ ...HOOK, sku: 'GONE' }] })
  const { sql } = app.database
  await sql`update orders set is_history = false`
  const notShipped = async () => {
    const orders = await sync()
    return ['WEB-1', 'WEB-3'].map((number) => orders.get(number)?.[0]?.[1])
  }
  expect(await notShipped()).toEqual([2, 2])
  const file = new URL('../../../../migrations/0145-earlier-orders-of-shops.sql', import.meta.url)
  const [mark = ''] = splitStatements(await readFile(file, 'utf8'))
  while ((await sql.unsafe(mark)).length > 0);
  expect(await notShipped()).toEqual([0, 2])
})
