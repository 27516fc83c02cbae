import { join } from 'node:path'
import type { Order } from '@pegasus/contracts/orders/orders'
import type { Product } from '@pegasus/contracts/products/products'
import type { PublishedProduct } from '@pegasus/contracts/products/publishing'
import { expect, it, onTestFinished } from 'vitest'
import { aKey } from '../support/accounts/api-keys.ts'
import { buildTestApp } from '../support/build-test-app.ts'
import { makeDataFolder } from '../process/product-process.ts'

const KEY = 'reference-key-0123'

interface ReferenceShop {
  url: string
  close(): Promise<void>
}

/** Starts the example shop. It is imported by path, because the server does not depend on the example. */
async function startReference(opsUrl: string): Promise<ReferenceShop> {
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
