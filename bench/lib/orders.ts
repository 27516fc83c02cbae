import { openDatabase } from '../../apps/server/src/platform/database/database.ts'
import { makeFloorOrders } from '../servers/floor-tables.ts'
import { benchLog } from './log.ts'
import { IS_TRIAL, ORDER_COUNT } from './settings.ts'
import type { Stock } from './stock.ts'

/** Number of open orders, which are the newest ones. Stock is allocated to each of their lines. */
const OPEN_COUNT = IS_TRIAL ? 50 : 500
/** Number of items that the orders contain. Like in a real shop, the same items are ordered again and again. */
const SOLD_ITEMS = 300

/** Adds 100,000 orders with one to three lines each to a database that already contains items. */
export async function makeOrders({ databaseUrl }: Stock): Promise<void> {
  const startedAt = performance.now()
  const database = await openDatabase({ url: databaseUrl, log: benchLog, applicationName: 'bench' })
  await database.transaction(async (tx) => {
    await tx`set local statement_timeout = 0`
    // The triggers are not needed, because the inserted lines already contain what they would compute.
    await tx`alter table order_lines disable trigger order_lines_open`
    await tx`
      insert into orders (id, order_number, customer_name, customer_email, status, total_minor, currency, placed_at, due_at,
                          source, created_at, updated_at)
      select gen_random_uuid(), 'N-' || n, 'Customer ' || n % 9000, 'customer' || n % 9000 || '@example.com',
             case when n <= ${ORDER_COUNT - OPEN_COUNT} then 'completed' else 'pending' end, 1000 + n % 9000, 'EUR',
             timestamptz '2026-01-01' + n * interval '4 minutes', timestamptz '2026-01-08' + n * interval '4 minutes',
             'manual', timestamptz '2026-01-01' + n * interval '4 minutes', timestamptz '2026-01-01' + n * interval '4 minutes'
      from generate_series(1, ${ORDER_COUNT}) n`
    await tx`
      with sold as (
        select id, sku, name, row_number() over (order by created_at) as number from items order by created_at limit ${SOLD_ITEMS}
      ),
      placed as (select *, row_number() over (order by placed_at) as n from orders)
      insert into order_lines (id, order_id, position, sku, name, quantity, unit_price_minor, item_id, is_open, shipped_quantity,
                               turn_due_at, turn_placed_at, turn_number)
      select gen_random_uuid(), o.id, position, i.sku, i.name, 1 + (o.n + position) % 4, 500 + o.n % 4000, i.id,
             o.status = 'pending', case when o.status = 'pending' then 0 else 1 + (o.n + position) % 4 end,
             o.due_at, o.placed_at, o.order_number
      from placed o cross join lateral generate_series(0, (o.n % 3)::int) position
      join sold i on i.number = 1 + (o.n * 7 + position * 31) % ${SOLD_ITEMS}`
    await tx`alter table order_lines enable trigger order_lines_open`
  })
  await makeFloorOrders(database.sql)
  await database.sql`vacuum analyze`
  await database.close()
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  console.log(`\n(${ORDER_COUNT.toLocaleString('en-GB')} orders were created in ${seconds} s.)`)
}
