import type { Order } from '@pegasus/contracts/orders/orders'
import { expect, it } from 'vitest'
import { v7 as uuidv7 } from 'uuid'
import { type TestApp, buildTestApp } from '../../../test/support/build-test-app.ts'
import { aModel } from '../../../test/support/library/library-factories.ts'
import { aMovement, aPrintJob, aPrinter, anItem, anOrder } from '../../../test/support/stock-factories.ts'
import { DAY_MS, addMs } from '../../platform/clock.ts'
import { deleteOldRowChanges } from '../../platform/database/row-changes.ts'

/**
 * Adds two open orders that need the same item, and a completed order. The stock has two pieces: the earlier order gets
 * the one that it needs, and the later order gets the other.
 */
async function aShop() {
  const app = await buildTestApp()
  const { sql } = app.database
  const modelId = await aModel(app)
  const itemId = await anItem(app, { sku: 'HOOK', quantity: 2, stl_file_id: modelId })
  const line = (quantity: number) => ({ sku: 'HOOK', name: 'Hook', quantity, unitPriceMinor: 100 })
  const make = (days: number, quantity: number) =>
    anOrder(app, { dueAt: addMs(app.clock.now(), days * DAY_MS), lines: [line(quantity)] })
  const [earlier, later] = [await make(1, 1), await make(2, 2)]
  await anOrder(app, { status: 'completed', lines: [line(1), { ...line(1), sku: 'LATER' }] })
  const printerId = await aPrinter(app, 'Ada')
  const jobId = await aPrintJob(app, { itemId, orderId: later, quantity: 3 })
  const headers = await app.as('staff')
  const post = async (path: string, payload: object = {}) => {
    const answer = await app.http.inject({ method: 'POST', url: `/api/orders/${path}`, headers, payload })
    expect(answer.statusCode).toBeLessThan(300)
    return answer.json<Order>()
  }
  return { app, sql, modelId, itemId, earlier, later, printerId, jobId, post }
}

type Shop = Awaited<ReturnType<typeof aShop>>

/** One change of each kind that affects the data of an order in the list, by name. */
const CHANGES: Readonly<Record<string, (shop: Shop) => Promise<unknown>>> = {
  'another note': ({ sql, later }) => sql`update orders set notes = 'gift' where id = ${later}`,
  'a reservation': ({ post, later }) => post(`${later}/reserve`),
  'a released reservation': ({ post, later }) => post(`${later}/release`),
  'an earlier order on hold': ({ post, earlier }) => post(`${earlier}/hold`),
  'an earlier order that goes on': ({ post, earlier }) => post(`${earlier}/resume`),
  'an earlier order that is due later': ({ app, sql, earlier }) =>
    sql`update orders set due_at = ${addMs(app.clock.now(), 9 * DAY_MS)} where id = ${earlier}`,
  'a count of the item': ({ app, itemId }) =>
    aMovement(app, { itemId, kind: 'count', delta: 5, reason: 'counted' }),
  'another colour': ({ sql }) => sql`update items set color_hex = 'FF0000'`,
  'a new item for an unknown SKU': ({ app, sql }) =>
    sql`update order_lines set item_id = (select id from items limit 1) where sku = 'LATER'`.then(() =>
      anItem(app, { sku: 'OTHER' }),
    ),
  'a picture': ({ sql }) => sql`update stl_versions set thumbnail_key = 'picture'`,
  'a deleted model': ({ app, sql, modelId }) =>
    sql`update stl_files set deleted_at = ${app.clock.now()} where id = ${modelId}`,
  'another number of a job': ({ sql, jobId }) => sql`update print_jobs set quantity = 5 where id = ${jobId}`,
  'a plan': ({ app, sql, jobId, printerId }) => sql`
    insert into planned_prints (printer_id, n, print_job_id, plates, pieces, starts_at, ends_at, is_running, is_guess)
    values (${printerId}, 1, ${jobId}, 1, 5, ${app.clock.now()}, ${addMs(app.clock.now(), DAY_MS)}, false, false)`,
  'a later end of a plan': ({ sql }) => sql`update planned_prints set ends_at = ends_at + interval '1 hour'`,
  'no plan': ({ sql }) => sql`delete from planned_prints`,
  'a job of another order': ({ sql, jobId, earlier }) =>
    sql`update print_jobs set order_id = ${earlier}, order_line_id = null where id = ${jobId}`,
  'a parcel': ({ post, earlier }) => post(`${earlier}/ship`, { carrier: 'DHL' }),
  'a parcel that the shop knows': ({ app, sql }) => sql`update shipments set told_at = ${app.clock.now()}`,
  'another line': ({ sql, later }) => sql`
    insert into order_lines (id, order_id, position, sku, name, quantity, unit_price_minor)
    values (${uuidv7()}, ${later}, 7, 'NEW', 'New', 1, 5)`,
  'a line less': ({ sql }) => sql`delete from order_lines where sku = 'NEW'`,
  'an item in the trash': ({ app, sql, itemId }) =>
    sql`update items set deleted_at = ${app.clock.now()} where id = ${itemId}`,
}

const list = async (app: TestApp, headers: Record<string, string>) =>
  (await app.http.inject({ url: '/api/orders', headers })).json<Order[]>()

it('after each change, the list of orders shows the same data as each single order, on each replica', async () => {
  const shop = await aShop()
  const replicas = [shop.app, await shop.app.replica()]
  const headers = await shop.app.as('viewer')
  let before = await list(shop.app, headers)
  for (const app of replicas) expect(await list(app, headers)).toEqual(before)
  for (const [name, change] of Object.entries(CHANGES)) {
    await change(shop)
    const pages = await Promise.all(
      before.map(async ({ id }) =>
        (await shop.app.http.inject({ url: `/api/orders/${id}`, headers })).json<Order>(),
      ),
    )
    expect(pages, name).not.toEqual(before)
    for (const app of replicas) expect(await list(app, headers), name).toEqual(pages)
    before = pages
  }
})

it('the records of changed rows are deleted after a day', async () => {
  const { app, sql } = await aShop()
  expect(await deleteOldRowChanges(sql, app.clock)).toBe(0)
  await sql`update row_changes set at = ${addMs(app.clock.now(), -DAY_MS - 1)}`
  expect(await deleteOldRowChanges(sql, app.clock)).toBeGreaterThan(0)
  expect(await sql`select from row_changes`).toHaveLength(0)
})
