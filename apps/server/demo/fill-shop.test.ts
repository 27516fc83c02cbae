import { describe, expect, it } from 'vitest'
import { type TestApp, buildTestApp, OWNER_PASSWORD } from '../test/support/build-test-app.ts'
import { analyzed } from '../test/support/library/model-upload.ts'
import { UNKNOWN_SKU } from './add-unusual-orders.ts'
import { fillShop } from './fill-shop.ts'
import { DEMO_MODELS, INCH_MODEL, OPEN_MODEL } from './models/catalog.ts'
import { DEMO_PASSWORD, DEMO_PEOPLE } from './people.ts'
import type { Shop } from './shop.ts'

/** A third of the models is enough for the test. The two models with warnings are included. */
const MODELS = DEMO_MODELS.filter(
  ({ fileName }, i) => i % 3 === 0 || fileName === OPEN_MODEL || fileName === INCH_MODEL,
)

const TABLES = [
  'accounts',
  'stl_files',
  'items',
  'movements',
  'spools',
  'spool_ledger',
  'orders',
  'order_lines',
  'print_jobs',
  'job_transitions',
  'products',
  'sessions',
] as const

const shopOf = (app: TestApp, signal?: AbortSignal): Shop => ({
  app,
  database: app.database,
  clock: app.clock,
  currency: app.config.currency,
  ...(signal && { signal }),
})

async function countRows({ database }: TestApp): Promise<Record<string, number>> {
  const counts = await Promise.all(
    TABLES.map(async (table) => {
      const [row] = await database.sql<
        [{ rows: number }]
      >`select count(*)::int as rows from ${database.sql(table)}`
      return [table, row.rows] as const
    }),
  )
  return Object.fromEntries(counts)
}

/** Counts what the office has done, which is the last part of the filling. */
const countOfficeWork = ({ database }: TestApp) => database.sql`
  select (select count(*)::int from api_keys) as keys, (select count(*)::int from maintenance_plans) as plans,
         (select count(*) > 0 from labelled_things where printed_at is not null) as has_printed_labels`

/** Returns the rules that some rows violate. */
const findContradictions = ({ database }: TestApp) => database.sql<{ rule: string }[]>`
  select 'nobody is told of what ran low or failed long ago' as rule
  where exists (select from low_stock_crossings) or exists (select from failed_print_jobs)
  union all
  select 'stock is the sum of its movements' from items i
  join lateral (
    select coalesce(sum(delta), 0) as quantity, coalesce(sum(reserved_delta), 0) as reserved
    from movements where item_id = i.id) m on true
  where (i.quantity, i.reserved_quantity) <> (m.quantity, m.reserved)
  union all
  select 'a movement follows the one before it' from (
    select quantity_after - delta as before, lag(quantity_after) over each_item as last
    from movements window each_item as (partition by item_id order by created_at, id)) m
  where last is not null and before <> last
  union all
  select 'a spool is the sum of its ledger' from spools s
  where remaining_grams <> (select coalesce(sum(delta_grams), 0) from spool_ledger where spool_id = s.id)
  union all
  select 'what was shipped of an order is what was ordered' from orders o
  where status = 'completed' and (select sum(quantity) from order_lines where order_id = o.id)
    <> (select -sum(delta) from movements where order_id = o.id and kind = 'ship')
  union all
  select 'nothing was shipped of an order that is open or cancelled' from movements m join orders o on o.id = m.order_id
  where m.kind = 'ship' and o.status <> 'completed'
  union all
  select 'a finished print brought its good pieces into stock' from print_jobs j
  where status = 'completed' and good_quantity <> coalesce(
    (select sum(delta) from movements where print_job_id = j.id), 0)
  union all
  select 'an order costs what its lines cost, with or without shipping' from orders o
  where total_minor - (select sum(quantity * unit_price_minor) from order_lines where order_id = o.id) not in (0, 490)
  union all
  select 'the shop would refuse no parcel, because it knows none of the open orders' from orders
  where source <> 'manual' and status not in ('completed', 'cancelled')
  union all
  select 'every line but one has an item' from order_lines where item_id is null and sku <> ${UNKNOWN_SKU}
  union all
  select 'a printer holds the spool that it prints with' from job_plates p
  where p.state = 'printing' and p.spool_id is not null and not exists (
    select from printer_slots s where s.printer_id = p.printer_id and s.spool_id = p.spool_id)
  union all
  select 'the filament of a print is booked once' from job_plates p
  where p.state in ('done', 'failed') and p.used_grams <> (
    select coalesce(-sum(delta_grams), 0) from spool_ledger where print_job_id = p.print_job_id)
  union all
  select 'no parcel was sent without its postage' from shipment_lines l
  where not exists (select from postage_entries e where e.order_line_id = l.order_line_id)
  union all
  select 'no item was sold or printed before it was added' from items i
  where exists (select from movements where item_id = i.id and created_at < i.created_at)
    or exists (select from products where item_id = i.id and created_at < i.created_at)
    or i.created_at < (select created_at from stl_files where id = i.stl_file_id)
  union all
  select 'no piece costs more than its price' from items where cost_snapshot is not null and selling_price_minor > 0
    and coalesce(material_cost_minor, 0) + coalesce(labor_cost_minor, 0) >= selling_price_minor
  union all
  select 'a return comes some days after its parcel' from order_returns r join order_lines l on l.id = r.order_line_id
  join orders o on o.id = l.order_id where r.created_at < o.placed_at + interval '5 days'
  union all
  select 'no printer had maintenance before it was bought' from maintenance_plans m
  join printers p on p.id = m.printer_id where m.done_at < p.created_at
  union all
  select 'nothing happens in the future' from (
    select created_at from movements union all select created_at from spool_ledger
    union all select placed_at from orders union all select created_at from stl_files) moments
  where created_at > now() + interval '1 minute'`

describe('filling a demo shop', () => {
  it('filling the demo shop gives consistent numbers, and a second run changes nothing', {
    timeout: 300_000,
  }, async () => {
    const app = await buildTestApp()
    const options = { now: new Date(), ownerPassword: OWNER_PASSWORD, models: MODELS, days: 25 }
    expect(await fillShop(shopOf(app), options)).toBe(true)
    const first = await countRows(app)
    expect(await findContradictions(app)).toEqual([])
    expect(first['orders']).toBeGreaterThan(60)
    expect(first['sessions']).toBe(0)
    expect(first['accounts']).toBe(DEMO_PEOPLE.length)

    expect(await fillShop(shopOf(app), { ...options, now: new Date() })).toBe(false)
    expect(await countRows(app)).toEqual(first)

    for (const { username } of DEMO_PEOPLE.slice(1)) await app.signIn(username, DEMO_PASSWORD)
    const authorization = { authorization: `Bearer ${await app.signIn('staff', DEMO_PASSWORD)}` }
    const get = async <T>(url: string) => (await app.http.inject({ url, headers: authorization })).json<T>()
    const [newest] = await get<{ id: string }[]>('/api/stl-files?limit=1')
    const model = await analyzed(app, authorization, newest?.id ?? '')
    expect(model).toMatchObject({ analysis_status: 'done', is_watertight: true })
    const stats = await get<Record<string, number>>('/api/stats')
    expect(stats).toMatchObject({ total_files: MODELS.length, total_orders: first['orders'] })
    expect(stats['total_revenue']).toBeGreaterThan(3000)
    expect(stats['print_jobs_in_progress']).toBeGreaterThan(0)
    expect(stats['low_stock_items']).toBeGreaterThanOrEqual(1)
    expect(await get('/api/orders/unknown-skus')).toMatchObject([{ sku: UNKNOWN_SKU }])
    const [returned] = await app.database.sql`select 1 from order_returns`
    expect(returned).toBeDefined()
    // Most costs are measured, but not all, so that the demo shows the note about estimates.
    const [costs] = await app.database.sql`
      select count(*) filter (where (cost_snapshot ->> 'is_measured')::boolean)::int as measured, count(*)::int as all
      from print_jobs where status = 'completed'`
    expect(costs?.['measured'] / costs?.['all']).toBeGreaterThan(0.8)
    expect(costs?.['measured']).toBeLessThan(costs?.['all'])
    expect((await get<unknown[]>('/api/labels/queue?limit=100')).length).toBeLessThan(10)
    const admin = { authorization: `Bearer ${await app.signIn('admin', DEMO_PASSWORD)}` }
    const answer = await app.http.inject({ url: '/api/api-keys', headers: admin })
    const keys = answer.json<{ is_active: boolean; expires_at: string | null; usage_count: number }[]>()
    expect(keys.map((key) => key.is_active)).toContain(false)
    expect(keys.some((key) => key.expires_at !== null && Date.parse(key.expires_at) < Date.now())).toBe(true)
    expect(keys.map((key) => key.usage_count)).toContain(6)
  })

  it('filling the demo shop continues where it was interrupted', { timeout: 120_000 }, async () => {
    const app = await buildTestApp()
    const stop = new AbortController()
    const options = { now: new Date(), ownerPassword: OWNER_PASSWORD, models: MODELS.slice(0, 6), days: 12 }
    const cutOff = fillShop(shopOf(app, stop.signal), options)
    const refused = expect(cutOff).rejects.toThrow('enough')
    await expect
      .poll(async () => (await countRows(app))['stl_files'], { timeout: 60_000, interval: 5 })
      .toBeGreaterThan(2)
    stop.abort(new Error('enough'))
    await refused
    expect((await countRows(app))['items']).toBe(0)

    expect(await fillShop(shopOf(app), options)).toBe(true)
    expect(await countRows(app)).toMatchObject({ stl_files: 6, accounts: DEMO_PEOPLE.length })
    expect(await findContradictions(app)).toEqual([])

    // An interruption at the end leaves some keys and some plans.
    const all = { keys: 4, plans: 10, has_printed_labels: true }
    expect(await countOfficeWork(app)).toMatchObject([all])
    await app.database.sql`delete from api_keys where label = 'Farm agent, rack 2'`
    await app.database.sql`delete from maintenance_plans where name = 'Grease the rails'`
    expect(await fillShop(shopOf(app), options)).toBe(true)
    expect(await countOfficeWork(app)).toMatchObject([all])
    expect(await fillShop(shopOf(app), options)).toBe(false)
  })
})
