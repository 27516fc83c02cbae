import { expect, it } from 'vitest'
import { buildTestApp } from '../../../test/support/build-test-app.ts'
import { anItem, anOrder } from '../../../test/support/stock-factories.ts'
import { readOrders } from './orders.queries.ts'

/** How often PostgreSQL plans a prepared statement for its values before it may keep one plan for all values. */
const PLANNED_AT_MOST = 5

it('reading one order is not planned again for each order', async () => {
  const app = await buildTestApp()
  await anItem(app, { sku: 'HOOK', quantity: 1 })
  const line = { sku: 'HOOK', name: 'Hook', quantity: 1, unitPriceMinor: 100 }
  const id = await anOrder(app, { lines: [line] })
  await anOrder(app, { lines: [line] })
  await app.database.sql`analyze`
  const connection = await app.database.sql.reserve()
  try {
    // Planning seems almost free. PostgreSQL then plans again whenever the values promise a cheaper plan, as it does among
    // 100,000 orders.
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
