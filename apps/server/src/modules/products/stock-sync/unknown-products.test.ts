import type { Product } from '@pegasus/contracts/products/products'
import { expect, it } from 'vitest'
import { aMainSite, json } from '../../../../test/servers/main-site-server.ts'
import { buildTestApp } from '../../../../test/support/build-test-app.ts'
import { aShopifyApp, aSoldProduct, aWooApp } from '../../../../test/support/shop-apps.ts'
import { HOUR_MS, SECOND_MS } from '../../../platform/clock.ts'

it('the stock of a product that the main site does not have is sent again after an hour', async () => {
  const site = await aMainSite()
  let unknown = ['dragon']
  const sent: unknown[] = []
  site.behave((response, request) => {
    if (request.path !== '/api/admin/stock')
      return json(201, { id: 'p-1', slug: 'dragon' })(response, request)
    sent.push(request.body)
    return json(200, { unknown })(response, request)
  })
  const app = await buildTestApp({
    variables: { MAIN_SITE_URL: site.url, MAIN_SITE_ADMIN_KEY: 'the-admin-key' },
  })
  await aSoldProduct(app, 9)
  await app.shop.shopStock.run()
  await app.shop.shopStock.run()
  expect(sent).toEqual([{ products: [{ slug: 'dragon', stock: 9 }] }])
  unknown = []
  for (let hour = 0; hour < 2; hour += 1) {
    app.clock.advance(HOUR_MS)
    await app.shop.shopStock.run()
  }
  expect(sent).toHaveLength(2)
})

it('the stock of a product that the main site did not have is sent right after the product is published again', async () => {
  const { shop, app } = await aWooApp()
  const { id } = await aSoldProduct(app, 9)
  const send = async (action: string, payload: object) => {
    const url = `/api/products/${id}/${action}`
    const answer = await app.http.inject({ method: 'POST', url, headers: await app.as('staff'), payload })
    expect(answer.statusCode, answer.body).toBe(200)
    return answer.json<Product>()
  }
  const stock = () => [...shop.products.values()].map((product) => product['stock_quantity'])
  shop.products.clear()
  await app.shop.shopStock.run()
  expect((await send('check', {})).site_check).toMatchObject({ outcome: 'missing' })
  app.clock.advance(SECOND_MS)
  await send('publish', { again: true })
  expect(stock()).toEqual([30])
  await app.shop.shopStock.run()
  expect(stock()).toEqual([9])
})

it('the stock of a product that was deleted in Shopify is not stored as sent', async () => {
  const { shop, app } = await aShopifyApp()
  await aSoldProduct(app, 9)
  shop.behave((response, request) => {
    const isLookup = JSON.stringify(request.body).includes('query StockItems')
    const data = { location: { id: 'gid://shopify/Location/1' }, nodes: [null] }
    return (isLookup ? json(200, { data }) : shop.take(request))(response, request)
  })
  await app.shop.shopStock.run()
  expect(shop.stock.size).toBe(0)
  shop.behave(null)
  app.clock.advance(HOUR_MS)
  await app.shop.shopStock.run()
  expect([...shop.stock.values()]).toEqual([9])
})
