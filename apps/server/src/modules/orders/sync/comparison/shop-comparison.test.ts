import type { ShopComparison } from '@pegasus/contracts/orders/shop-comparison'
import { expect, it } from 'vitest'
import { aMainSite, answering, json } from '../../../../../test/servers/main-site-server.ts'
import { buildTestApp, type TestApp } from '../../../../../test/support/build-test-app.ts'
import { aWooApp, sync } from '../../../../../test/support/shop-apps.ts'
import { MINUTE_MS } from '../../../../platform/clock.ts'

const NONE: ShopComparison = { compared_at: null, failed_at: null, problem: null }
const DOWN = json(503, { message: 'Down for maintenance.' })

const comparisonOf = async (app: TestApp, role: 'staff' | 'viewer' = 'staff') =>
  app.http.inject({ url: '/api/orders/comparison', headers: await app.as(role) })

const lastOf = async (app: TestApp) => (await comparisonOf(app)).json<ShopComparison>()

it('staff see why and when a comparison that the schedule started failed, until one succeeds', async () => {
  const { shop, app } = await aWooApp()
  expect(await lastOf(app)).toEqual(NONE)
  const comparedAt = app.clock.now().toISOString()
  await app.shop.shopOrders.run()
  expect(await lastOf(app)).toEqual({ ...NONE, compared_at: comparedAt })

  app.clock.advance(5 * MINUTE_MS)
  const failedAt = app.clock.now().toISOString()
  shop.behave(DOWN)
  await app.shop.shopOrders.run().catch(() => undefined)
  expect(await lastOf(app)).toEqual({
    compared_at: comparedAt,
    failed_at: failedAt,
    problem: 'Down for maintenance.',
  })
  expect((await comparisonOf(app, 'viewer')).statusCode).toBe(403)

  shop.behave(null)
  app.clock.advance(5 * MINUTE_MS)
  await sync(app)
  expect(await lastOf(app)).toMatchObject({ failed_at: failedAt, problem: null })
})

it('open pages learn of the first failed comparison and of the success after it', async () => {
  const { shop, app } = await aWooApp()
  const heard: string[] = []
  const listener = await app.database.listen(
    'pegasus_events',
    (payload) => void heard.push(payload),
    () => undefined,
  )
  /** Runs a comparison. Returns the number of events about orders that it caused. */
  const run = async () => {
    await app.shop.shopOrders.run().catch(() => undefined)
    // This notification arrives after all notifications of the comparison.
    await app.database.sql`select pg_notify('pegasus_events', 'end')`
    await expect.poll(() => heard.at(-1)).toBe('end')
    return heard.splice(0).filter((payload) => payload.includes('"order"')).length
  }
  shop.behave(DOWN)
  expect([await run(), await run()]).toEqual([1, 0])
  shop.behave(null)
  expect([await run(), await run()]).toEqual([1, 0])
  await listener.close()
})

it('without a shop, there is no comparison', async () => {
  expect(await lastOf(await buildTestApp())).toEqual(NONE)
})

/** Starts with a site that implements our own contract and has a list of orders. */
async function aShopOfOurContract() {
  const site = await aMainSite()
  const variables = { MAIN_SITE_URL: site.url, MAIN_SITE_ADMIN_KEY: 'key' }
  const app = await buildTestApp({ variables })
  const compare = async (behavior: Parameters<typeof site.behave>[0]) => {
    app.clock.advance(5 * MINUTE_MS)
    site.behave(behavior)
    await app.shop.shopOrders.run().catch(() => undefined)
    return { last: await lastOf(app), at: app.clock.now().toISOString() }
  }
  return { compare }
}

const LISTED = json(200, { orders: [], next: null })
const NO_LIST = answering(404, 'Not Found')

it('a shop that no longer lists its orders is a failed comparison, until it lists them again', async () => {
  const { compare } = await aShopOfOurContract()
  const { at: comparedAt } = await compare(LISTED)
  const { last, at: failedAt } = await compare(NO_LIST)
  expect(last).toEqual({
    compared_at: comparedAt,
    failed_at: failedAt,
    problem: 'The main site has no list of orders at /api/admin/orders. It can send its orders instead.',
  })
  expect((await compare(LISTED)).last).toMatchObject({ failed_at: failedAt, problem: null })
})

it('a shop that never listed its orders has no failed comparison, even if it was down before', async () => {
  const { compare } = await aShopOfOurContract()
  expect((await compare(NO_LIST)).last).toEqual(NONE)
  expect((await compare(DOWN)).last).toMatchObject({ problem: 'Down for maintenance.' })
  expect((await compare(NO_LIST)).last).toEqual(NONE)
})
