import type { InventoryItem } from '@pegasus/contracts/inventory/items'
import type { Order } from '@pegasus/contracts/orders/orders'
import { expect, it } from 'vitest'
import { callsOf } from '../../../test/support/api-calls.ts'
import { buildTestApp } from '../../../test/support/build-test-app.ts'
import { rowsRead } from '../../../test/support/database/rows-read.ts'
import { anItem, anOrder } from '../../../test/support/stock-factories.ts'
import { findOrder, findOrders, readOrders } from './orders.queries.ts'

const LINES = 200
/**
 * Maximum number of times that each line is read. A line is read a few times: for its order, for its share of the free
 * pieces, and for its item. A quadratic query would read it far more often.
 */
const READS_OF_A_LINE = 12

const line = (sku: string) => ({ sku, name: sku, quantity: 2, unitPriceMinor: 100 })

it('reading an order with many lines of one item reads each line only a few times', async () => {
  const app = await buildTestApp()
  await anItem(app, { sku: 'HOOK', quantity: 300 })
  const id = await anOrder(app, { lines: Array.from({ length: LINES }, () => line('HOOK')) })
  await app.database.sql`analyze order_lines`
  const order = await findOrder(app.database.sql, id)
  const allocated = order?.lines.map((each) => each.allocated_quantity)
  expect(allocated).toEqual([...Array<number>(150).fill(2), ...Array<number>(50).fill(0)])
  expect(await rowsRead(app, 'order_lines', (tx) => findOrder(tx, id))).toBeLessThan(LINES * READS_OF_A_LINE)
})

it('reading a page of orders that wait for one item reads each line only a few times', async () => {
  const app = await buildTestApp()
  await anItem(app, { sku: 'HOOK', quantity: 99 })
  for (let number = 0; number < LINES; number += 1) await anOrder(app, { lines: [line('HOOK')] })
  await app.database.sql`analyze order_lines`
  const { ids } = await findOrders(app.database.sql, { words: [] }, { limit: 100, cursor: null }, null)
  expect(ids).toHaveLength(100)
  expect((await readOrders(app.database.sql, ids)).map((order) => order.id)).toEqual(ids)
  expect(await rowsRead(app, 'order_lines', (tx) => readOrders(tx, ids))).toBeLessThan(
    LINES * READS_OF_A_LINE,
  )
})

it('each step of an order with many lines writes an item only once, and each movement starts from the quantity that the previous one leaves', async () => {
  const app = await buildTestApp()
  const staff = callsOf(app, await app.as('staff'))
  const items = [
    await anItem(app, { sku: 'HOOK', quantity: 100, reorder_point: 60 }),
    await anItem(app, { sku: 'BOLT', quantity: 100 }),
  ]
  const skus = Array.from({ length: 60 }, (_, index) => (index % 3 === 0 ? 'BOLT' : 'HOOK'))
  const id = await anOrder(app, { lines: skus.map(line) })
  const lines = async () => (await findOrder(app.database.sql, id))?.lines ?? []
  const stockOf = async () => {
    const read = items.map(async (item) => (await staff(`GET /api/inventory/${item}`)).json<InventoryItem>())
    return (await Promise.all(read)).map(
      ({ quantity, reserved_quantity: reserved, revision }) => [quantity, reserved, revision] as const,
    )
  }
  const first = await stockOf()
  const revisions = first.map(([, , revision]) => revision)
  const after = (steps: number, ...stock: [number, number][]) =>
    stock.map(([quantity, reserved], index) => [quantity, reserved, (revisions[index] ?? 0) + steps])
  const act = async (step: string, body: object = {}) => {
    expect((await staff(`POST /api/orders/${id}/${step}`, body)).status).toBeLessThan(300)
    return (await lines()).map((each) => [each.reserved_quantity, each.shipped_quantity])
  }
  const all = (...counts: [number, number]) => skus.map(() => counts)
  expect(await act('reserve')).toEqual(all(2, 0))
  expect(await stockOf()).toEqual(after(1, [100, 80], [100, 40]))
  expect(await act('ship')).toEqual(all(0, 2))
  expect(await stockOf()).toEqual(after(2, [20, 0], [60, 0]))
  const [shipment] = await app.database.sql<[{ id: string }]>`select id from shipments where order_id = ${id}`
  expect(await act('undo-shipment', { shipment_id: shipment.id })).toEqual(all(2, 0))
  expect(await stockOf()).toEqual(after(3, [100, 80], [100, 40]))
  expect(await act('release')).toEqual(all(0, 0))
  expect(await act('ship')).toEqual(all(0, 2))
  const back = (await lines()).map((each, index) => ({
    line_id: each.id,
    quantity: 1,
    to: index < 30 ? 'stock' : 'scrap',
  }))
  await act('return', { items: back })
  expect(await stockOf()).toEqual(after(6, [40, 0], [70, 0]))
  const gaps = await app.database.sql`
    select from (
      select quantity_after, reserved_after, sum(delta) over so_far as quantity, sum(reserved_delta) over so_far as reserved
      from movements window so_far as (partition by item_id order by created_at)
    ) steps where (quantity_after, reserved_after) <> (quantity, reserved)`
  expect(gaps).toHaveLength(0)
  // Each of the two shipments lowered the hooks to their reorder point.
  expect(await app.database.sql`select from low_stock_crossings`).toHaveLength(2)
})

it('an order of 1,000 lines is received, reserved and shipped as a whole, and one of 1,001 lines is refused', async () => {
  const app = await buildTestApp()
  const headers = await app.as('staff')
  const item = await anItem(app, { sku: 'HOOK', quantity: 1500 })
  const enter = (count: number) =>
    app.http.inject({
      method: 'POST',
      url: '/api/orders',
      headers,
      payload: {
        items: Array.from({ length: count }, () => ({ sku: 'HOOK', quantity: 1, unit_price: 0.01 })),
      },
    })
  expect((await enter(1001)).statusCode).toBe(422)
  const entered = await enter(1000)
  expect(entered.statusCode).toBe(201)
  const { id, items } = entered.json<Order>()
  expect(items).toHaveLength(1000)
  for (const step of ['reserve', 'ship']) {
    const done = await app.http.inject({ method: 'POST', url: `/api/orders/${id}/${step}`, headers })
    expect(done.statusCode, step).toBeLessThan(300)
  }
  const order = (await app.http.inject({ url: `/api/orders/${id}`, headers })).json<Order>()
  expect(order).toMatchObject({ status: 'completed', total_amount: 10, shipments: [{ number: 1 }] })
  expect(order.items.every((each) => each.shipped_quantity === 1 && each.reserved_quantity === 0)).toBe(true)
  const stock = await app.http.inject({ url: `/api/inventory/${item}`, headers })
  expect(stock.json<InventoryItem>()).toMatchObject({ quantity: 500, reserved_quantity: 0 })
})
