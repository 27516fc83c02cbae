import type { Order, OrderSync } from '@pegasus/contracts/orders/orders'
import { describe, expect, it } from 'vitest'
import { type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'
import { aMainSite, answering, json } from '../../../../test/servers/main-site-server.ts'
import { aProduct, anItem } from '../../../../test/support/stock-factories.ts'

const sync = async (app: TestApp, role: 'staff' | 'viewer' = 'staff') =>
  app.http.inject({ method: 'POST', url: '/api/orders/sync', headers: await app.as(role) })

const ordersOf = async (app: TestApp): Promise<Order[]> =>
  (await app.http.inject({ url: '/api/orders', headers: await app.as('viewer') })).json<Order[]>()

const aShop = async () => {
  const site = await aMainSite()
  const variables = { MAIN_SITE_URL: site.url, MAIN_SITE_ADMIN_KEY: 'the-admin-key' }
  return { site, app: await buildTestApp({ variables }) }
}

const ORDER = {
  order_number: 'WEB-1',
  customer_name: 'Ada',
  total_amount: 12.5,
  items: [{ sku: 'HOOK', name: 'Hook', quantity: 2, unit_price: 6.25 }],
}

describe('fetching orders with POST /api/orders/sync', () => {
  it('POST /api/orders/sync adds each order of the main site once, even if other orders are invalid', async () => {
    const { site, app } = await aShop()
    const itemId = await anItem(app, { sku: 'HOOK', quantity: 1 })
    const others = [{ id: 7, number: 'WEB-2', total: 3 }, { order_number: 'WEB-3' }, 'no order']
    site.behave(json(200, { orders: [ORDER, ...others] }))
    const first = (await sync(app)).json<OrderSync>()
    expect(first).toMatchObject({ outcome: 'synced', created: 2, updated: 0, unchanged: 0 })
    expect(first.detail).toBe('Checked 4 orders: 2 new, 0 changed, 0 unchanged, 2 could not be imported.')
    expect(first.failed.map((order) => order.order_number)).toEqual(['WEB-3', null])
    expect(site.requests[0]).toMatchObject({
      method: 'GET',
      path: expect.stringMatching(/^\/api\/admin\/orders\?since=\d{4}-/),
    })
    expect(site.requests[0]?.headers['x-admin-key']).toBe('the-admin-key')
    const known = (await ordersOf(app)).find((order) => order.order_number === 'WEB-1')
    expect(known).toMatchObject({ source: 'main_site', customer_name: 'Ada', total_amount: 12.5 })
    expect(known?.items[0]).toMatchObject({ inventory_item_id: itemId, short_by: 1 })
    site.behave(
      json(200, [
        { ...ORDER, status: 'completed' },
        { id: 7, number: 'WEB-2', total: 3 },
      ]),
    )
    expect((await sync(app)).json()).toMatchObject({ created: 0, updated: 1, unchanged: 1, failed: [] })
  })

  it('POST /api/orders/sync changes a known order only if the site changed it, its SKU became known, or a change was refused', async () => {
    const { site, app } = await aShop()
    const listing = async (...orders: object[]) => {
      site.behave(json(200, { orders }))
      const { created, updated, unchanged, failed } = (await sync(app)).json<OrderSync>()
      return [created, updated, unchanged, failed.length]
    }
    const at = (minute: number) => ({ updated_at: `2026-11-01T10:${minute}:00Z` })
    const item = await anItem(app, { sku: 'HOOK', quantity: 5 })
    expect(await listing({ ...ORDER, ...at(10) })).toEqual([1, 0, 0, 0])
    const [order] = await ordersOf(app)
    expect(await listing({ ...ORDER, ...at(10) })).toEqual([0, 0, 1, 0])
    expect(await ordersOf(app)).toEqual([order])
    // The shop sends a change twice, and then the earlier state, which arrives late.
    const gift = { ...ORDER, ...at(20), notes: 'gift' }
    expect(await listing(gift, gift, { ...ORDER, ...at(10), notes: '' })).toEqual([0, 1, 2, 0])
    expect(await ordersOf(app)).toMatchObject([{ notes: 'gift' }])
    // The shop removes shipped pieces, which is refused with a problem. The problem ends when the shop reverts its
    // change.
    const staff = await app.as('staff')
    await app.http.inject({
      method: 'POST',
      url: `/api/orders/${order?.id}/ship`,
      headers: staff,
      payload: {},
    })
    expect(await listing({ ...gift, ...at(30), items: [] })).toEqual([0, 0, 0, 1])
    expect((await ordersOf(app))[0]?.shop_problem).not.toBeNull()
    expect(await listing({ ...gift, ...at(40) })).toEqual([0, 0, 1, 0])
    expect(await ordersOf(app)).toMatchObject([{ shop_problem: null, notes: 'gift' }])
    const strange = {
      ...ORDER,
      ...at(10),
      order_number: 'WEB-2',
      items: [{ ...ORDER.items[0], sku: 'wall-hook' }],
    }
    expect(await listing(strange)).toEqual([1, 0, 0, 0])
    await aProduct(app, { slug: 'wall-hook', itemId: item })
    expect(await listing(strange, strange)).toEqual([0, 1, 1, 0])
  })

  it('POST /api/orders/sync reports that no main site is configured, or that the site has no list of orders', async () => {
    const none = (await sync(await buildTestApp())).json<OrderSync>()
    expect(none).toMatchObject({ outcome: 'not_configured', created: 0, failed: [] })
    expect(none.detail).toContain('No main site is configured')
    const { site, app } = await aShop()
    for (const behavior of [
      answering(404, 'nothing here'),
      answering(200, '<html>shop</html>'),
      json(200, { ok: 1 }),
    ]) {
      site.behave(behavior)
      const answer = await sync(app)
      expect([answer.statusCode, answer.json<OrderSync>().outcome]).toEqual([200, 'not_offered'])
    }
  })

  it('POST /api/orders/sync returns the message of a failing site, and never sends its key to another host', async () => {
    const { site, app } = await aShop()
    site.behave(json(500, { message: 'Down for repairs' }))
    const failed = await sync(app)
    expect([failed.statusCode, failed.json<{ detail: string }>().detail]).toEqual([502, 'Down for repairs'])
    const elsewhere = await aMainSite()
    site.behave(answering(302, '', { location: `${elsewhere.url}/api/admin/orders` }))
    expect((await sync(app)).statusCode).toBe(502)
    expect(elsewhere.requests).toEqual([])
    expect(await ordersOf(app)).toEqual([])
  })

  it('POST /api/orders/sync refuses a viewer with 403', async () => {
    expect((await sync(await buildTestApp(), 'viewer')).statusCode).toBe(403)
  })
})
