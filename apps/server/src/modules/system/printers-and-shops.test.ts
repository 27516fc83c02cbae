import type { Channel } from '@pegasus/contracts/channels/channels'
import type { PrintersAndShops } from '@pegasus/contracts/system'
import { describe, expect, it } from 'vitest'
import { aMainSite, json } from '../../../test/servers/main-site-server.ts'
import { buildTestApp, type TestApp } from '../../../test/support/build-test-app.ts'
import { aReceiver } from '../../../test/support/channels.ts'
import { aPrinter } from '../../../test/support/stock-factories.ts'

const stateOf = async (app: TestApp): Promise<PrintersAndShops> =>
  (await app.http.inject({ url: '/api/system/printers-and-shops', headers: await app.as('admin') })).json()

const sync = async (app: TestApp) =>
  app.http.inject({ method: 'POST', url: '/api/orders/sync', headers: await app.as('staff') })

describe('printers and shops on the System page', () => {
  it('the System page counts the printers, and lists printers with an error before offline ones', async () => {
    const app = await buildTestApp()
    const ids = new Map<string, string>()
    for (const name of ['Zoe', 'Ada', 'Bob', 'Eve']) ids.set(name, await aPrinter(app, name))
    const { sql } = app.database
    await sql`update printers set state = 'error', state_reason = 'Nozzle is cold' where name = 'Zoe'`
    await sql`update printers set state = 'offline' where name in ('Ada', 'Eve')`
    await sql`update printers set deleted_at = now() where name = 'Eve'`
    const { printers, shops } = await stateOf(app)
    expect(printers).toEqual({
      total: 3,
      error: 1,
      offline: 1,
      stopped: [
        { id: ids.get('Zoe'), name: 'Zoe', state: 'error', reason: 'Nozzle is cold' },
        { id: ids.get('Ada'), name: 'Ada', state: 'offline', reason: null },
      ],
    })
    expect(shops).toEqual([])
  })

  it('the System page shows the last comparison with the shop, its last failure, and the refused orders', async () => {
    const site = await aMainSite()
    const app = await buildTestApp({
      variables: { MAIN_SITE_URL: site.url, MAIN_SITE_ADMIN_KEY: 'the-admin-key' },
    })
    const shop = async () => (await stateOf(app)).shops[0]
    expect(await shop()).toEqual({
      kind: 'pegasus',
      url: site.url,
      compared_at: null,
      failed_at: null,
      problem: null,
      is_failing: false,
      refused_orders: 0,
      refused_parcels: 0,
      unchecked_products: 0,
    })
    site.behave(json(200, { orders: [{ order_number: 'WEB-3' }] }))
    await sync(app)
    const comparedAt = app.clock.now().toISOString()
    expect(await shop()).toMatchObject({ compared_at: comparedAt, is_failing: false, refused_orders: 1 })

    app.clock.advance(60_000)
    site.behave(json(500, { detail: 'The shop is being repaired' }))
    expect((await sync(app)).statusCode).toBe(502)
    const failed = await shop()
    const failedAt = app.clock.now().toISOString()
    expect(failed).toMatchObject({ compared_at: comparedAt, failed_at: failedAt, is_failing: true })
    expect(failed?.problem).toMatch(/\S/)

    app.clock.advance(60_000)
    site.behave(json(200, { orders: [] }))
    // A comparison by the schedule is recorded, too.
    await app.shop.shopOrders.run()
    expect(await shop()).toMatchObject({
      compared_at: app.clock.now().toISOString(),
      failed_at: failedAt,
      problem: failed?.problem,
      is_failing: false,
    })
  })

  it('the System page shows why a comparison failed: a fault of this server, or a shop that lists no orders', async () => {
    const site = await aMainSite()
    const app = await buildTestApp({
      variables: { MAIN_SITE_URL: site.url, MAIN_SITE_ADMIN_KEY: 'the-admin-key' },
    })
    const shop = async () => (await stateOf(app)).shops[0]
    // A site that never listed its orders sends them to us instead, so there is no problem.
    site.behave(json(404, { detail: 'Not found' }))
    expect((await sync(app)).json()).toMatchObject({ outcome: 'not_offered' })
    expect(await shop()).toMatchObject({ failed_at: null, problem: null, is_failing: false })
    site.behave(json(200, { orders: [] }))
    await sync(app)
    const comparedAt = app.clock.now().toISOString()

    const { sql } = app.database
    await sql`
      create function fail_on_insert() returns trigger language plpgsql as $$
      begin raise exception 'a fault of this server'; end $$`
    await sql`create trigger fails before insert on orders for each row execute function fail_on_insert()`
    site.behave(json(200, { orders: [{ id: 7, number: 'WEB-1', total: 3 }] }))
    app.clock.advance(60_000)
    expect((await sync(app)).statusCode).toBe(500)
    expect(await shop()).toMatchObject({
      compared_at: comparedAt,
      failed_at: app.clock.now().toISOString(),
      problem: 'Something went wrong on our side. Please try again.',
      is_failing: true,
    })
    await sql`drop trigger fails on orders`
    app.clock.advance(60_000)
    await sync(app)
    expect(await shop()).toMatchObject({ compared_at: app.clock.now().toISOString(), is_failing: false })

    app.clock.advance(60_000)
    site.behave(json(404, { detail: 'Not found' }))
    const { detail } = (await sync(app)).json<{ detail: string }>()
    expect(await shop()).toMatchObject({
      failed_at: app.clock.now().toISOString(),
      problem: detail,
      is_failing: true,
    })
  })

  it('a channel counts the deliveries that wait and those that failed', async () => {
    const { app, admin, add } = await aReceiver()
    const { id } = await add()
    for (const state of ['waiting', 'waiting', 'failed', 'delivered'])
      await app.database.sql`
        insert into channel_deliveries (id, channel_id, event, content, state, next_attempt_at, created_at)
        values (gen_random_uuid(), ${id}, 'low_stock', '{}', ${state},
          ${state === 'waiting' ? new Date('2099-01-01') : null}, now())`
    expect((await admin(`GET /api/channels/${id}`)).json<Channel>()).toMatchObject({ waiting: 2, failed: 1 })
  })
})
