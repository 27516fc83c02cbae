import { expect, it } from 'vitest'
import { type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'
import { anItem } from '../../../../test/support/stock-factories.ts'
import { readyToPack } from './line-account.queries.ts'

const ORDERS = 300

interface PlanNode {
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: PlanNode[]
}

/** Returns the largest number of rows that one step of a query plan reads. */
const mostRows = (node: PlanNode): number =>
  Math.max(
    (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'],
    ...(node.Plans ?? []).map(mostRows),
  )

/** Adds orders of one hook each. With `hasJobs`, each order also gets a print job. */
async function addOrders(app: TestApp, hasJobs: boolean): Promise<void> {
  const itemId = await anItem(app, { sku: 'HOOK', quantity: 0 })
  await app.database.transaction(async (tx) => {
    await tx`
      create temporary table numbered on commit drop as
      select n, gen_random_uuid() as order_id, gen_random_uuid() as line_id from generate_series(1, ${ORDERS}::int) n`
    await tx`
      insert into orders (id, order_number, customer_name, status, total_minor, currency, placed_at, source, created_at, updated_at)
      select order_id, 'N-' || n, 'Ada', 'in_progress', 100, 'USD', now(), 'manual', now(), now() from numbered`
    await tx`
      insert into order_lines (id, order_id, position, sku, name, quantity, unit_price_minor, item_id)
      select line_id, order_id, 0, 'HOOK', 'Hook', 1, 100, ${itemId}::uuid from numbered`
    await tx`
      insert into print_jobs (id, item_id, quantity, status, priority, position, order_id, order_line_id, created_at, updated_at)
      select gen_random_uuid(), ${itemId}::uuid, 1, 'pending', 5, n, order_id, line_id, now(), now() from numbered
      where ${hasJobs}`
  })
}

/**
 * Returns the largest number of rows that one step of the query plan reads to find the orders that are ready to pack.
 */
async function mostRowsOfReady({ database: { sql } }: TestApp): Promise<number> {
  const [row] = await sql<[{ 'QUERY PLAN': [{ Plan: PlanNode }] }]>`
    explain (analyze, timing off, format json) ${readyToPack(sql)}`
  return mostRows(row['QUERY PLAN'][0].Plan)
}

it('the account of many orders with print jobs does not compare each job with each line', async () => {
  const app = await buildTestApp()
  await addOrders(app, true)
  await app.database.sql`analyze orders, order_lines, print_jobs`
  expect(await mostRowsOfReady(app)).toBeLessThan(10 * ORDERS)
})

it('many orders that are ready to pack are found in one pass, even without statistics about a fresh import', async () => {
  const app = await buildTestApp()
  await addOrders(app, false)
  expect(await mostRowsOfReady(app)).toBeLessThan(10 * ORDERS)
})
