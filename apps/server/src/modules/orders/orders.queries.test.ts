import { expect, it } from 'vitest'
import { buildTestApp } from '../../../test/support/build-test-app.ts'
import { anItem, anOrder } from '../../../test/support/stock-factories.ts'
import { readOrders } from './orders.queries.ts'

/** Number of times that PostgreSQL plans a prepared statement anew before it may keep one plan for all values. */
const PLANNED_AT_MOST = 5

it('a statement that reads one order is not planned anew for each order', async () => {
  const app = await buildTestApp()
  await anItem(app, { sku: 'HOOK', quantity: 1 })
  const line = { sku: 'HOOK', name: 'Hook', quantity: 1, unitPriceMinor: 100 }
  const id = await anOrder(app, { lines: [line] })
  await anOrder(app, { lines: [line] })
  await app.database.sql`analyze`
  const connection = await app.database.sql.reserve()
  try {
    // With this setting, planning seems almost free, so PostgreSQL plans anew whenever that promises a cheaper plan.
    // With 100,000 orders, it does so without the setting.
    await connection`set cpu_operator_cost = 0.000001`
    for (let read = 0; read < 3 * PLANNED_AT_MOST; read += 1)
      expect(await readOrders(connection, [id])).toMatchObject([{ id }])
    const plans = await connection<{ planned: number }[]>`
      select custom_plans::float8 as planned from pg_prepared_statements
      where statement like '%o.id = any (%uuid[]%proposed_cancellations%'`
    expect(plans).toEqual([{ planned: PLANNED_AT_MOST }])
  } finally {
    await connection`reset cpu_operator_cost`
    connection.release()
  }
})
