import { join } from 'node:path'
import type { Product } from '@pegasus/contracts/products/products'
import { expect, it, onTestFinished } from 'vitest'
import { buildTestApp, OWNER_PASSWORD } from '../test/support/build-test-app.ts'
import { makeDataFolder } from '../test/process/product-process.ts'
import { fillShop } from './fill-shop.ts'
import { DEMO_MODELS } from './models/catalog.ts'
import { publishProducts } from './publish-products.ts'

/** Starts the example shop. It is imported by path, because the server does not depend on the example. */
async function startExample(adminKey: string, file: string): Promise<{ url: string }> {
  const path = new URL('../../../examples/main-site/shop.ts', import.meta.url).href
  const { startShop } = (await import(path)) as {
    startShop(options: Record<string, string | number>): Promise<{ url: string; close(): Promise<void> }>
  }
  const options = { adminHeader: 'x-admin-key', opsUrl: 'http://127.0.0.1:9', currency: 'USD' }
  const shop = await startShop({ ...options, host: '127.0.0.1', port: 0, file, adminKey })
  onTestFinished(() => shop.close())
  return shop
}

it("the demo's products are published to the example shop once, with their pictures", {
  timeout: 300_000,
}, async () => {
  const adminKey = 'demo-shop-key'
  const site = await startExample(adminKey, join(await makeDataFolder(), '..', 'main-site.json'))
  const app = await buildTestApp({
    variables: { MAIN_SITE_URL: site.url, MAIN_SITE_ADMIN_KEY: adminKey, PUBLIC_URL: 'http://ops.example' },
  })
  const shop = { app, database: app.database, clock: app.clock, currency: app.config.currency }
  const models = DEMO_MODELS.slice(0, 6)
  await fillShop(shop, { now: new Date(), ownerPassword: OWNER_PASSWORD, models, days: 12 })
  const opsUrl = await app.http.listen({ host: '127.0.0.1', port: 0 })
  const demo = { opsUrl, shopUrl: site.url, signal: new AbortController().signal }

  const { published, problems } = await publishProducts(demo)
  expect([published > 1, problems]).toEqual([true, []])
  const viewer = await app.as('viewer')
  const products = (await app.http.inject({ url: '/api/products?status=published', headers: viewer })).json<
    Product[]
  >()
  const there = (await (
    await fetch(`${site.url}/api/admin/products`, { headers: { 'x-admin-key': adminKey } })
  ).json()) as { slug: string; images: string[]; posterUrl: string | null; bulkTiers: unknown }[]
  expect(there.map(({ slug }) => slug).toSorted()).toEqual(products.map(({ slug }) => slug).toSorted())
  for (const { images, posterUrl, bulkTiers } of there)
    expect([images.length > 0, typeof posterUrl, Array.isArray(bulkTiers)]).toEqual([true, 'string', true])
  for (const { site_url: address, has_unpublished_changes: isBehind } of products)
    expect([address?.startsWith(`${site.url}/products/`), isBehind]).toEqual([true, false])
  const storefront = await (await fetch(site.url)).text()
  for (const { slug } of products) expect(storefront).toContain(`/products/${slug}"`)

  // The next start finds all products in the example shop.
  const count = async () =>
    (await app.database.sql<[{ count: number }]>`select count(*)::int as count from publications`)[0].count
  const before = await count()
  expect(await publishProducts(demo)).toEqual({ published, problems: [] })
  expect([await count(), before]).toEqual([before, published])
})
