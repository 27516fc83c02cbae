import { expect, it } from 'vitest'
import { type TestApp, buildTestApp } from '../../../test/support/build-test-app.ts'
import { anItem, anOrder } from '../../../test/support/stock-factories.ts'
import { findOrder, findOrders, readOrders } from './orders.queries.ts'

const LINES = 200
/**
 * Maximum number of reads of a row per line. A line is read a few times: for its order, for its share of the
 * free pieces, and for its item. A quadratic query would read far more.
 */
const VISITS_OF_A_LINE = 12

const line = (sku: string) => ({ sku, name: sku, quantity: 2, unitPriceMinor: 100 })

/** Returns the number of rows of `order_lines` that a function reads. */
const visitsOf = (app: TestApp, read: (tx: Parameters<typeof findOrder>[0]) => Promise<unknown>) =>
  app.database.transaction(async (tx) => {
    const visits = async () => {
      const [row] = await tx<[{ visits: number }]>`
        select (seq_tup_read + idx_tup_fetch)::float8 as visits from pg_stat_xact_user_tables
        where relname = 'order_lines'`
      return row.visits
    }
    const before = await visits()
    await read(tx)
    return (await visits()) - before
  })

it('reading an order with many lines of one item reads each line only a few times', async () => {
  const app = await buildTestApp()
  await anItem(app, { sku: 'HOOK', quantity: 300 })
  const id = await anOrder(app, { lines: Array.from({ length: LINES }, () => line('HOOK')) })
  await app.database.sql`analyze order_lines`
  const order = await findOrder(app.database.sql, id)
  const allocated = order?.lines.map((each) => each.allocated_quantity)
  expect(allocated).toEqual([...Array<number>(150).fill(2), ...Array<number>(50).fill(0)])
  expect(await visitsOf(app, (tx) => findOrder(tx, id))).toBeLessThan(LINES * VISITS_OF_A_LINE)
})

it('reading a page of orders that wait for one item reads each line only a few times', async () => {
  const app = await buildTestApp()
  await anItem(app, { sku: 'HOOK', quantity: 99 })
  for (let number = 0; number < LINES; number += 1) await anOrder(app, { lines: [line('HOOK')] })
  await app.database.sql`analyze order_lines`
  const found = await findOrders(app.database.sql, {}, { limit: 100, cursor: null }, null)
  const ids = found.page.slice(0, 100).map((order) => order.id)
  expect((await readOrders(app.database.sql, ids)).map((order) => order.id)).toEqual(ids)
  expect(await visitsOf(app, (tx) => readOrders(tx, ids))).toBeLessThan(LINES * VISITS_OF_A_LINE)
})
