import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import type { Order } from '@pegasus/contracts/orders/orders'
import type { Product } from '@pegasus/contracts/products/products'
import type { PublishedProduct } from '@pegasus/contracts/products/publishing'
import { expect, it, onTestFinished } from 'vitest'
import { aKey } from '../support/accounts/api-keys.ts'
import { buildTestApp } from '../support/build-test-app.ts'
import { act, orderOf, ordersOf, reportParcels, sync } from '../support/shop-apps.ts'
import { anItem } from '../support/stock-factories.ts'
import { WEBHOOK_SECRET } from '../support/webhooks.ts'
import { makeDataFolder } from '../process/product-process.ts'

const KEY = 'reference-key-0123'

interface ReferenceShop {
  url: string
  close(): Promise<void>
}

/** Starts the example shop. It is imported by path, because the server does not depend on the example. */
async function startReference(opsUrl: string, webhookSecret = ''): Promise<ReferenceShop> {
  const path = new URL('../../../../examples/main-site/shop.ts', import.meta.url).href
  const { startShop } = (await import(path)) as {
    startShop(options: Record<string, string | number>): Promise<ReferenceShop>
  }
  const file = join(await makeDataFolder(), '..', 'shop.json')
  const options = {
    host: '127.0.0.1',
    port: 0,
    file,
    adminKey: KEY,
    adminHeader: 'x-admin-key',
    opsUrl,
    currency: 'USD',
    webhookSecret,
  }
  const shop = await startShop(options)
  onTestFinished(() => shop.close())
  return shop
}

const form = (url: string, fields: Record<string, string>) =>
  fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' })

it('the example shop shows a published product, sells it, and sends the order back', async () => {
  const taker = await buildTestApp()
  const opsUrl = await taker.http.listen({ host: '127.0.0.1', port: 0 })
  const shop = await startReference(opsUrl)
  const app = await buildTestApp({
    variables: { MAIN_SITE_URL: shop.url, MAIN_SITE_ADMIN_KEY: KEY, PUBLIC_URL: opsUrl },
  })
  const staff = await app.as('staff')
  const dragon = {
    name: 'Dragon <b>',
    slug: 'dragon',
    category: 'miniatures',
    price: 20,
    stock: 30,
    description: 'Breathes fire',
    images: ['/storage/v1/object/public/product-images/images/products/dragon.jpg'],
    videos: ['https://cdn.example/dragon.webm'],
    bulkTiers: [{ quantity: 10, price: 15 }],
  }
  const publish = (body: object) =>
    app.http.inject({ method: 'POST', url: '/api/admin/products', headers: staff, payload: body })
  const published = (await publish(dragon)).json<PublishedProduct>()
  expect(published).toMatchObject({ status: 'published', site_url: `${shop.url}/products/dragon` })

  const page = await (await fetch(published.site_url ?? '')).text()
  expect(page).toContain('Dragon &lt;b&gt;')
  expect(page).toContain('https://cdn.example/dragon.webm')
  expect(page).toContain('10 or more</td><td>$15.00 each')
  expect(page).toContain(
    `${opsUrl}/storage/v1/render/image/public/product-images/images/products/dragon.jpg?width=640&amp;format=avif`,
  )

  const put = {
    method: 'PUT' as const,
    url: `/api/products/${published.id}`,
    headers: { ...staff, 'if-match': '*' },
  }
  await app.http.inject({ ...put, payload: { price: 18 } })
  const changed = await app.http.inject({
    method: 'POST',
    url: `/api/products/${published.id}/publish`,
    headers: staff,
  })
  expect(changed.json<Product>().has_unpublished_changes).toBe(false)
  const admin = { headers: { 'x-admin-key': KEY } }
  const products = (await (await fetch(`${shop.url}/api/admin/products`, admin)).json()) as {
    price: number
  }[]
  expect(products.map(({ price }) => price)).toEqual([18])
  expect((await fetch(`${shop.url}/api/admin/products`)).status).toBe(401)
  const wrong = await fetch(`${shop.url}/api/admin/products`, {
    ...admin,
    method: 'POST',
    body: '{"name":"x","slug":"A"}',
  })
  expect([wrong.status, await wrong.json()]).toEqual([
    422,
    { error: 'Slug must contain only lowercase letters, numbers, and hyphens' },
  ])

  const buyer = { quantity: '12', customer: 'Keisuke', email: 'k@example.com' }
  expect((await form(`${shop.url}/products/dragon/checkout`, buyer)).status).toBe(201)
  expect(await (await fetch(`${shop.url}/admin/orders`)).text()).toContain('no API key is set')
  const { key } = await aKey(taker, { role: 'staff', scope: ['integration'] })
  expect((await form(`${shop.url}/admin/api-key`, { key })).status).toBe(303)
  for (let twice = 0; twice < 2; twice += 1) await form(`${shop.url}/admin/orders/hand-over`, {})
  const orders = await taker.http.inject({ url: '/api/orders', headers: await taker.as('viewer') })
  expect(orders.json<Order[]>()).toMatchObject([
    { order_number: 'WEB-00001', customer_name: 'Keisuke', total_amount: 184.9, shipping_amount: 4.9 },
  ])
  expect(await (await fetch(`${shop.url}/admin/orders`)).text()).toContain('Handed over')
})

/** Starts the example shop and an app. They exchange events and have an order of two dragons. */
async function aTradingApp() {
  // The shop and the app must know each other's address before they start. Find a free port, which the app then uses.
  const reserved = createServer().listen(0, '127.0.0.1')
  await once(reserved, 'listening')
  const { port } = reserved.address() as AddressInfo
  await new Promise((resolve) => reserved.close(resolve))
  const shop = await startReference(`http://127.0.0.1:${port}`, WEBHOOK_SECRET)
  const variables = {
    MAIN_SITE_URL: shop.url,
    MAIN_SITE_ADMIN_KEY: KEY,
    MAIN_SITE_WEBHOOK_SECRET: WEBHOOK_SECRET,
  }
  const app = await buildTestApp({ variables })
  app.clock.advance(Date.now() - app.clock.now().getTime())
  await app.http.listen({ host: '127.0.0.1', port })
  const item = await anItem(app, { sku: 'DRG', quantity: 3 })
  const headers = await app.as('staff')
  const payload = {
    name: 'Dragon',
    slug: 'dragon',
    category: 'miniatures',
    price: 20,
    stock: 3,
    description: 'Breathes fire',
    images: ['https://cdn.example/dragon.jpg'],
    license: 'cc0',
    inventory_item_id: item,
  }
  await app.http.inject({ method: 'POST', url: '/api/admin/products', headers, payload })
  const buyer = { quantity: '2', customer: 'Ada', email: 'ada@example.com' }
  const thanks = await (await form(`${shop.url}/products/dragon/checkout`, buyer)).text()
  const address = `${shop.url}${/href="(\/orders\/[^"]+)"/.exec(thanks)?.[1]}`
  const page = async () => (await fetch(address)).text()
  return { shop, app, page, cancel: () => form(`${address}/cancel`, {}) }
}

it('a customer cancels an order on its page in the example shop, and the signed event frees its pieces', async () => {
  const { shop, app, page, cancel } = await aTradingApp()
  const { id } = await orderOf(app)
  await act(app, id, 'reserve')
  expect(await orderOf(app)).toMatchObject({ status: 'in_progress', items: [{ reserved_quantity: 2 }] })
  expect(await page()).toContain('<button>Cancel order</button>')
  for (let twice = 0; twice < 2; twice += 1) expect((await cancel()).status).toBe(303)
  expect(await orderOf(app)).toMatchObject({ status: 'cancelled', items: [{ reserved_quantity: 0 }] })
  const cancelled = await page()
  expect(cancelled).toContain('Cancelled')
  expect(cancelled).not.toContain('<button>Cancel order</button>')
  const product = await fetch(`${shop.url}/api/admin/products/dragon`, { headers: { 'x-admin-key': KEY } })
  expect(await product.json()).toMatchObject({ stock: 3 })
  expect((await form(`${shop.url}/orders/WEB-00001/cancel`, {})).status).toBe(404)
})

it('an order with a sent parcel has no cancel button, and the example shop completes orders that people complete here', async () => {
  const { app, page, cancel } = await aTradingApp()
  const { id, items } = await orderOf(app)
  await act(app, id, 'ship', { items: [{ line_id: items[0]?.id, quantity: 1 }] })
  await reportParcels(app)
  expect(await page()).toContain('Sent in part')
  expect(await page()).not.toContain('<button>Cancel order</button>')
  await cancel()
  expect(await orderOf(app)).toMatchObject({ status: 'in_progress', shop_problem: null })
  await act(app, id, 'complete', { close_short: true })
  await reportParcels(app)
  expect(await page()).toMatch(/<p>Sent ?<\/p>/)
  expect(await orderOf(app)).toMatchObject({ status: 'completed', shop_problem: null })
})

it('a comparison fetches an order of the example shop whose event was lost, and changes nothing the second time', async () => {
  const { shop, app } = await aTradingApp()
  const address = { street: '12 Square', postal_code: 'SW1Y', city: 'London', country: 'GB' }
  const buyer = { quantity: '1', customer: 'Grace', email: 'grace@example.com', ...address }
  // The app does not listen while the shop sends the event.
  app.http.server.close()
  app.http.server.closeAllConnections()
  expect((await form(`${shop.url}/products/dragon/checkout`, buyer)).status).toBe(201)
  expect(await ordersOf(app)).toHaveLength(1)
  expect(await sync(app)).toMatchObject({ outcome: 'synced', created: 1, failed: [] })
  expect(await ordersOf(app)).toHaveLength(2)
  expect(await sync(app)).toMatchObject({ outcome: 'synced', created: 0, updated: 0 })
})
