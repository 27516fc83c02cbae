import type { ShopComparison } from '@pegasus/contracts/orders/shop-comparison'
import { expect, it } from 'vitest'
import { type SiteBehavior, aMainSite, json } from '../../../../../test/servers/main-site-server.ts'
import { buildTestApp } from '../../../../../test/support/build-test-app.ts'
import { ordersOf } from '../../../../../test/support/shop-apps.ts'

const PAGES = 3

/**
 * Returns a site that lists one order on each page. The list ends after `count` orders. `changedAt` returns the time at
 * which an order was changed.
 */
function listing(count: number, changedAt: (index: number) => string | null): SiteBehavior {
  const all = Array.from({ length: Math.min(count, 100) }, (_, index) => ({ index, at: changedAt(index) }))
  return (response, { path }) => {
    const { searchParams } = new URL(path, 'http://shop')
    const since = searchParams.get('since') ?? ''
    const listed = all.filter(({ at }) => at === null || at >= since)
    const page = Number(searchParams.get('page') ?? 0)
    const found = listed[page]
    const orders = found
      ? [
          {
            order_number: `WEB-${found.index}`,
            total: 1,
            items: [],
            ...(found.at && { updated_at: found.at }),
          },
        ]
      : []
    const next = page + 1 < listed.length || count === Infinity ? String(page + 1) : null
    json(200, { orders, next })(response, { path, method: 'GET', headers: {}, body: null })
  }
}

async function aShop(behavior: SiteBehavior) {
  const site = await aMainSite()
  site.behave(behavior)
  const variables = { MAIN_SITE_URL: site.url, MAIN_SITE_ADMIN_KEY: 'key' }
  const app = await buildTestApp({ variables, shopPages: PAGES })
  const compare = async () => {
    const headers = await app.as('staff')
    const sync = await app.http.inject({ method: 'POST', url: '/api/orders/sync', headers })
    const last = await app.http.inject({ url: '/api/orders/comparison', headers })
    return { status: sync.statusCode, ...last.json<ShopComparison>(), orders: (await ordersOf(app)).length }
  }
  return { app, site, compare }
}

/** Returns November 2 at midnight, plus a number of seconds. */
const second = (index: number) => new Date(Date.UTC(2026, 10, 2) + index * 1000).toISOString()

it('a comparison of a list with too many pages fails with a reason, and the next comparisons read the rest', async () => {
  // All orders were changed within the ten minutes by which two comparisons overlap.
  const { compare } = await aShop(listing(7, second))
  expect(await compare()).toMatchObject({
    status: 502,
    compared_at: null,
    problem: "The list of the shop's orders did not end after 3 pages. The next comparison continues there.",
    orders: 3,
  })
  expect(await compare()).toMatchObject({ status: 502, orders: 4 })
  expect(await compare()).toMatchObject({ status: 502, orders: 5 })
  expect(await compare()).toMatchObject({ status: 502, orders: 6 })
  expect(await compare()).toMatchObject({ status: 200, problem: null, orders: 7 })
})

it('a comparison of a list that never ends fails with a reason', async () => {
  const { compare, site } = await aShop(listing(Infinity, () => null))
  const failed = {
    status: 502,
    compared_at: null,
    problem:
      "The list of the shop's orders did not end after 3 pages, and does not show when each order was changed. The next comparison begins again.",
    orders: 3,
  }
  expect(await compare()).toMatchObject(failed)
  expect(site.requests).toHaveLength(PAGES)
  expect(await compare()).toMatchObject(failed)
  const [first, , , fourth] = site.requests.map(({ path }) =>
    new URL(path, 'http://shop').searchParams.get('since'),
  )
  expect(fourth).toBe(first)
})

it('after a comparison has failed because its list did not end, the next comparison still imports new orders', async () => {
  const { compare, site } = await aShop(listing(Infinity, () => null))
  await compare()
  site.behave(listing(2, second))
  expect(await compare()).toMatchObject({ status: 200, problem: null, orders: 3 })
})
