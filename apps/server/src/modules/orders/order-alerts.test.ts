import { fileURLToPath } from 'node:url'
import type { Alert } from '@pegasus/contracts/alerts/alerts'
import { alertAddress, alertSentence } from '@pegasus/contracts/alerts/alert-texts'
import { expect, it, onTestFinished } from 'vitest'
import { type TestApp, buildTestApp } from '../../../test/support/build-test-app.ts'
import { aPrintJob, advance, anItem, anOrder } from '../../../test/support/stock-factories.ts'
import { createTestDatabase } from '../../../test/support/database/test-database.ts'
import { aWooApp, sync, wooOrder } from '../../../test/support/shop-apps.ts'
import { silentLog } from '../../../test/support/silent-log.ts'
import { DAY_MS, MINUTE_MS, addMs } from '../../platform/clock.ts'
import { migrate } from '../../platform/database/migrate.ts'
import { claimRefusedOrders } from './sync/refused-orders.ts'

const LINES = [{ sku: 'HOOK', name: 'Hook', quantity: 2, unitPriceMinor: 100 }]

/** Runs the alerts and returns those of the caller, latest first. */
async function alertsOf(app: TestApp, headers: Record<string, string>): Promise<Alert[]> {
  await app.alerts.run()
  return (await app.http.inject({ url: '/api/alerts', headers })).json<Alert[]>()
}

it('a new order from the shop causes one alert, unlike an order that was entered by hand or placed last week', async () => {
  const app = await buildTestApp()
  const staff = await app.as('staff')
  const id = await anOrder(app, { source: 'main_site', orderNumber: 'WEB-1', lines: LINES })
  await anOrder(app, { source: 'manual', lines: LINES })
  await anOrder(app, { source: 'main_site', lines: LINES, placedAt: addMs(app.clock.now(), -7 * DAY_MS) })
  await anOrder(app, { source: 'main_site', lines: LINES, status: 'completed' })
  const [alert, ...others] = await alertsOf(app, staff)
  expect(others).toEqual([])
  expect(alert).toMatchObject({ kind: 'new_order', entity_id: id, title: 'WEB-1', facts: { pieces: 2 } })
  expect(alert && [alertSentence(alert), alertAddress(alert)]).toEqual([
    '2 pieces for Keisuke Yamanaka · 2 missing',
    `/?tab=orders&order=${id}`,
  ])
  expect(await alertsOf(app, staff)).toHaveLength(1)
})

it('orders that arrive after an outage of days are announced, unlike those of the first comparison', async () => {
  const { shop, app } = await aWooApp()
  const staff = await app.as('staff')
  const place = (id: number) => {
    const at = app.clock.now().toISOString().slice(0, 19)
    shop.orders.set(id, wooOrder(id, { date_created_gmt: at, date_modified_gmt: at }))
  }
  place(1)
  app.clock.advance(MINUTE_MS)
  await sync(app)
  expect(await alertsOf(app, staff)).toEqual([])
  app.clock.advance(MINUTE_MS)
  place(2)
  app.clock.advance(3 * DAY_MS)
  await sync(app)
  const later = await app.as('staff')
  expect(await alertsOf(app, later)).toMatchObject([{ kind: 'new_order', title: '2' }])
  // Orders of another program are not compared with a shop, so they are announced if they are recent.
  const placedAt = addMs(app.clock.now(), -2 * DAY_MS)
  await anOrder(app, { source: 'integration', orderNumber: 'EARLIER', lines: LINES, placedAt })
  await anOrder(app, { source: 'integration', orderNumber: 'NEW', lines: LINES })
  expect((await alertsOf(app, later)).map(({ title }) => title)).toEqual(['NEW', '2'])
})

it('an order causes one alert for each due time that passes', async () => {
  const app = await buildTestApp()
  const staff = await app.as('staff')
  const id = await anOrder(app, { lines: LINES, dueAt: addMs(app.clock.now(), MINUTE_MS) })
  await anOrder(app, { lines: LINES, dueAt: addMs(app.clock.now(), MINUTE_MS), status: 'completed' })
  expect(await alertsOf(app, staff)).toEqual([])
  app.clock.advance(MINUTE_MS + 1000)
  for (let twice = 0; twice < 2; twice += 1)
    expect(await alertsOf(app, staff)).toMatchObject([{ kind: 'order_overdue', entity_id: id }])
  const due = addMs(app.clock.now(), MINUTE_MS).toISOString()
  const change = { method: 'PUT', url: `/api/orders/${id}`, payload: { due_at: due } } as const
  await app.http.inject({ ...change, headers: { ...staff, 'if-match': '*' } })
  app.clock.advance(MINUTE_MS + 1000)
  expect(await alertsOf(app, staff)).toHaveLength(2)
})

it('an order on hold is not overdue, on its page and in its alert, until it is resumed', async () => {
  const app = await buildTestApp()
  const staff = await app.as('staff')
  const id = await anOrder(app, { lines: LINES, dueAt: addMs(app.clock.now(), MINUTE_MS) })
  const send = async (what: string) =>
    (
      await app.http.inject({ method: 'POST', url: `/api/orders/${id}/${what}`, headers: staff, payload: {} })
    ).json<{ is_overdue: boolean }>()
  await send('hold')
  app.clock.advance(MINUTE_MS + 1000)
  const read = () => app.http.inject({ url: `/api/orders/${id}`, headers: staff })
  expect((await read()).json()).toMatchObject({ status: 'on_hold', is_overdue: false })
  expect(await alertsOf(app, staff)).toEqual([])
  expect(await send('resume')).toMatchObject({ status: 'pending', is_overdue: true })
  expect(await alertsOf(app, staff)).toMatchObject([{ kind: 'order_overdue', entity_id: id }])
})

it('refused orders of the shop cause one alert for staff, unless they were received in the meantime', async () => {
  const app = await buildTestApp()
  const { sql } = app.database
  const [staff, viewer] = [await app.as('staff'), await app.as('viewer')]
  const on = { order_refused: { in_app: true, by_mail: true } }
  const asked = await app.http.inject({
    method: 'PUT',
    url: '/api/alerts/preferences',
    headers: { ...viewer, 'if-match': '*' },
    payload: on,
  })
  expect(asked.statusCode).toBe(200)
  const refuse = async (number: string) => {
    app.clock.advance(MINUTE_MS)
    const at = app.clock.now()
    await sql`
      insert into refused_orders (order_number, detail, refused_at) values (${number}, ${`Reason of ${number}`}, ${at})`
  }
  await refuse('WEB-1')
  const [alert, ...others] = await alertsOf(app, staff)
  expect(others).toEqual([])
  expect(alert).toMatchObject({ kind: 'order_refused', entity_id: null, title: 'WEB-1' })
  expect(alert && [alertSentence(alert), alertAddress(alert)]).toEqual(['Reason of WEB-1', '/?tab=orders'])
  // The same order is refused again, for another reason.
  await sql`update refused_orders set detail = 'Another reason'`
  await refuse('WEB-2')
  await anOrder(app, { source: 'manual', orderNumber: 'WEB-2', lines: LINES })
  expect(await alertsOf(app, staff)).toHaveLength(1)
  for (const number of ['WEB-3', 'WEB-4', 'WEB-5']) await refuse(number)
  const replica = await app.replica()
  await Promise.all([app.alerts.run(), replica.alerts.run()])
  const [latest, ...earlier] = await alertsOf(app, staff)
  expect(earlier).toHaveLength(1)
  expect(latest).toMatchObject({ title: 'WEB-3 and 2 more', facts: { orders: 3 } })
  expect(latest && alertSentence(latest)).toBe('3 orders from the shop · the first: Reason of WEB-3')
  expect(await alertsOf(app, viewer)).toEqual([])
})

it('orders that were refused before this kind of alert existed cause no alert', async () => {
  const { database, drop } = await createTestDatabase({ isEmpty: true })
  onTestFinished(drop)
  const folder = fileURLToPath(new URL('../../../migrations', import.meta.url))
  const { sql } = database
  const refuse = (number: string) => sql`
    insert into refused_orders (order_number, detail, refused_at) values (${number}, 'Wrong currency', now())`
  await migrate({ database, folder, log: silentLog, isWanted: (name) => name < '0109' })
  await refuse('WEB-1')
  await migrate({ database, folder, log: silentLog })
  expect(await claimRefusedOrders(sql, new Date())).toBeNull()
  await refuse('WEB-2')
  expect(await claimRefusedOrders(sql, new Date())).toMatchObject({ order_number: 'WEB-2', orders: 1 })
})

it('a cancelled order causes an alert only if it is being printed', async () => {
  const app = await buildTestApp()
  const staff = await app.as('staff')
  const item = await anItem(app, { sku: 'HOOK' })
  const printing = await anOrder(app, { lines: LINES })
  const waiting = await anOrder(app, { lines: LINES })
  for (const orderId of [printing, waiting]) {
    const job = await aPrintJob(app, { itemId: item, quantity: 2, orderId })
    if (orderId === printing) await advance(app, job, { to: 'in_progress' })
    await app.http.inject({ method: 'POST', url: `/api/orders/${orderId}/cancel`, headers: staff })
  }
  expect(await alertsOf(app, staff)).toMatchObject([{ kind: 'order_cancelled', entity_id: printing }])
})
