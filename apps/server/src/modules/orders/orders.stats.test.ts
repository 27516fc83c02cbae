import { expect, it } from 'vitest'
import { type TestApp, buildTestApp } from '../../../test/support/build-test-app.ts'
import { anOrder } from '../../../test/support/stock-factories.ts'
import { DAY_MS, addMs } from '../../platform/clock.ts'
import { readOrderFigures } from './orders.stats.queries.ts'

/** Returns the figures, and the number of orders that were read from the table instead of an index. */
async function readFigures(app: TestApp) {
  const daysAgo = (days: number) => addMs(app.clock.now(), -days * DAY_MS)
  // PostgreSQL reads an index without the table only for pages that VACUUM has marked as visible to all. A page is
  // marked once its log is on disk. With `freeze`, VACUUM waits for pages that another process uses, instead of leaving
  // them unmarked.
  const pagesWithoutMark = async () => {
    await app.database.sql`vacuum (freeze, analyze) orders`
    const [table] = await app.database.sql<[{ pages: number }]>`
      select relpages - relallvisible as pages from pg_class where relname = 'orders'`
    return table.pages
  }
  await expect.poll(pagesWithoutMark).toBeLessThan(3)
  return app.database.transaction(async (tx) => {
    const periods = { weekAgo: daysAgo(7), monthAgo: daysAgo(30), twoMonthsAgo: daysAgo(60) }
    const figures = await readOrderFigures(tx, { currency: 'USD', ...periods })
    const [read] = await tx<[{ rows: number }]>`
      select (seq_tup_read + idx_tup_fetch)::int as rows from pg_stat_xact_user_tables where relname = 'orders'`
    return { figures, rows: read.rows }
  })
}

it('the figures of the dashboard read as many rows with thousands of finished orders as with a few', async () => {
  const app = await buildTestApp()
  const lines = [{ sku: 'HOOK', quantity: 1, unitPriceMinor: 100 }]
  for (let count = 0; count < 3; count += 1) await anOrder(app, { totalMinor: 100, lines })
  await app.database.transaction(async (tx) => {
    await tx`set local synchronous_commit = on`
    await tx`
    insert into orders (id, order_number, customer_name, status, total_minor, currency, placed_at, source, is_settled, notes, created_at, updated_at)
    select gen_random_uuid(), 'OLD-' || n, 'Ada', 'completed', 100, 'USD', ${addMs(app.clock.now(), -400 * DAY_MS)}::timestamptz,
           'manual', true, repeat('An order of a shop is about this long. ', 40), ${app.clock.now()}, ${app.clock.now()}
    from generate_series(1, 4000) n`
  })
  const { figures, rows } = await readFigures(app)
  expect(figures).toMatchObject({
    total_orders: 4003,
    pending_orders: 3,
    orders_this_week: 3,
    total_revenue_minor: 400_300,
    revenue_30_days_minor: 300,
    revenue_previous_30_days_minor: 0,
  })
  expect(rows).toBeLessThan(50)
})
