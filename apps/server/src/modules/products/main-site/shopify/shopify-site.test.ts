import type { ErrorBody } from '@pegasus/contracts/fields'
import type { Product } from '@pegasus/contracts/products/products'
import type { PublishedProduct } from '@pegasus/contracts/products/publishing'
import { describe, expect, it } from 'vitest'
import { answering, json, type SiteBehavior } from '../../../../../test/servers/main-site-server.ts'
import {
  anAppWith,
  expectNothingLost,
  MEDIA,
  onlyProduct,
  OPS,
} from '../../../../../test/support/shop-adapters.ts'
import { DRAGON, post, publish, update } from '../../../../../test/support/publishing.ts'
import {
  aShopifyShop,
  isSetting,
  SHOPIFY_TOKEN,
  throttled,
} from '../../../../../test/servers/shopify-server.ts'

const FULL = {
  ...DRAGON,
  description: 'Breathes <fire>',
  tags: ['mythic'],
  images: [`${MEDIA}/dragon.jpg`, 'https://cdn.example/side.png'],
  posterUrl: `${MEDIA}/dragon.jpg`,
  license: 'cc-by',
  designer: 'Ann',
}

const aShopifyApp = async () => anAppWith(await aShopifyShop(), 'shopify', SHOPIFY_TOKEN)

describe('a Shopify shop as the main site', () => {
  it('a Shopify shop receives a product in its own format, with each picture only once', async () => {
    const { shop, app, staff } = await aShopifyApp()
    const published = (await post(app, staff, FULL)).json<PublishedProduct>()
    expect(published).toMatchObject({ status: 'published', site_url: `${shop.url}/products/dragon` })
    expect(onlyProduct(shop).input).toMatchObject({
      title: 'Dragon',
      handle: 'dragon',
      descriptionHtml: '<p>Breathes &lt;fire&gt;</p>\n<p>Designer: Ann</p>\n<p>License: CC BY</p>',
      productType: 'miniatures',
      tags: ['mythic'],
      status: 'ACTIVE',
      files: [
        {
          originalSource: `${OPS}${MEDIA}/dragon.jpg`,
          filename: expect.stringMatching(/^pegasus-\w{16}\.jpg$/),
        },
        { originalSource: 'https://cdn.example/side.png', filename: expect.stringMatching(/\.png$/) },
      ],
      variants: [
        {
          sku: 'dragon',
          price: '19.99',
          inventoryItem: { tracked: true },
          inventoryQuantities: [{ locationId: 'gid://shopify/Location/1', name: 'available', quantity: 3 }],
        },
      ],
    })
    onlyProduct(shop).metafields.set('theirs', 'stays')
    await update(app, staff, published.id, {
      price: 25,
      images: [FULL.images[0], 'https://cdn.example/new.jpg'],
    })
    expect((await publish(app, staff, published.id)).json<Product>().has_unpublished_changes).toBe(false)
    expect(onlyProduct(shop).variants).toMatchObject([{ price: '25.00' }])
    expect([shop.copied(), onlyProduct(shop).metafields.get('theirs')]).toEqual([3, 'stays'])
  })

  it('a check compares a Shopify product field by field, and keeps changes from the shop until a person overwrites them', async () => {
    const { shop, app, staff } = await aShopifyApp()
    const { id } = (await post(app, staff, FULL)).json<PublishedProduct>()
    const check = async () =>
      (
        await app.http.inject({ method: 'POST', url: `/api/products/${id}/check`, headers: staff })
      ).json<Product>()
    expect((await check()).site_check).toMatchObject({ outcome: 'same', differences: [] })
    const product = onlyProduct(shop)
    const [variant] = product.variants
    Object.assign(variant ?? {}, { price: '22.00', inventoryQuantity: 1 })
    product.files.reverse()
    expect((await check()).site_check?.differences).toMatchObject([
      { field: 'price', ours: 19.99, theirs: 22 },
      { field: 'stock', ours: 3, theirs: 1 },
      { field: 'images', theirs: ['https://cdn.example/side.png', FULL.images[0]] },
      { field: 'posterUrl', theirs: 'https://cdn.example/side.png' },
    ])
    await publish(app, staff, id, { again: true })
    expect((await check()).site_check).toMatchObject({ outcome: 'same' })
    // Pictures that the shop is still copying are not a difference.
    onlyProduct(shop).files.forEach((file) => Object.assign(file, { image: null }))
    expect((await check()).site_check).toMatchObject({ outcome: 'same', problem: null })
    shop.products.clear()
    expect((await check()).site_check?.outcome).toBe('missing')
  })

  it('T92 T106 a Shopify shop gets each product exactly once, even if its responses are lost or broken', async () => {
    const { shop, app, staff } = await aShopifyApp()
    const faults = 12
    let lost = 0
    for (let number = 0; number < faults; number += 1) {
      const slug = `fault-${number}`
      shop.behave((response, request) => {
        const answer = shop.take(request)
        if (!isSetting(request)) return answer(response, request)
        if (number % 3 === 0) return void response.destroy()
        const late = number % 3 === 1 ? answering(502, 'Bad gateway') : json(200, { data: null })
        return late(response, request)
      })
      const broken = await post(app, staff, { ...FULL, slug })
      expect(broken.statusCode).toBe(502)
      shop.behave(null)
      const again = await publish(app, staff, broken.json<{ product_id: string }>().product_id)
      if (again.json<PublishedProduct>().status !== 'published') lost += 1
    }
    const ids = new Set([...shop.products.values()].map(({ id }) => id))
    const doubled = ids.size - faults
    console.info(
      `T92 T106 products in a Shopify shop after ${faults} lost answers: doubled ${doubled}, lost ${lost}`,
    )
    expect([doubled, lost]).toEqual([0, 0])
  })

  it('publishing to a Shopify shop does not overwrite another product with the same handle, or variants that the shop added', async () => {
    const { shop, app, staff } = await aShopifyApp()
    const { id } = (await post(app, staff, FULL)).json<PublishedProduct>()
    const product = onlyProduct(shop)
    product.variants.push({ id: 'gid://shopify/ProductVariant/9', price: '30.00', inventoryQuantity: 2 })
    await update(app, staff, id, { price: 25 })
    expect((await publish(app, staff, id)).json<ErrorBody>().detail).toContain('has variants in the shop')
    product.variants.pop()
    product.metafields.clear()
    expect((await publish(app, staff, id)).json<ErrorBody>().detail).toBe(
      'Another product of the shop has the handle “dragon”. Please change it there, or change the slug here.',
    )
    expect(product.variants).toMatchObject([{ price: '19.99' }])
  })

  it.each<[string, SiteBehavior, string]>([
    [
      'refuses a field',
      (response, request) =>
        json(200, {
          data: isSetting(request)
            ? {
                set: {
                  product: null,
                  userErrors: [
                    { code: 'INVALID', field: ['input', 'title'], message: 'Title is too long' },
                    { code: 'INVALID', field: ['input', 'tags'], message: 'Tags are too many' },
                  ],
                },
              }
            : { product: null, location: null },
        })(response, request),
      'Title is too long Tags are too many',
    ],
    [
      'does not know the token',
      json(401, { errors: `[API] Invalid API key or access token ${SHOPIFY_TOKEN}` }),
      '[API] Invalid API key or access token •••',
    ],
    [
      'lacks a scope',
      json(200, {
        errors: [{ message: 'Access denied for productSet field.', extensions: { code: 'ACCESS_DENIED' } }],
        data: null,
      }),
      'Access denied for productSet field.',
    ],
    ['is down', answering(503, '<html><body>Back soon</body></html>'), 'Back soon'],
    ['answers nonsense', json(200, { x: 1 }), 'does not contain a product'],
    ['has enough of us for too long', throttled({ lacking: 5000 }), 'Throttled'],
  ])('if a Shopify shop %s, the failure gives the reason and nothing is lost', async (_, behavior, words) => {
    const set = await aShopifyApp()
    await expectNothingLost(set, FULL, { behavior, words })
    expect(onlyProduct(set.shop)).toMatchObject({ handle: 'dragon' })
  })

  it('a throttled call to a Shopify shop is retried after the delay that its rate limit requires', async () => {
    const { shop, app, staff } = await aShopifyApp()
    let refusals = 2
    shop.behave((response, request) => {
      if (refusals === 0) return shop.take(request)(response, request)
      refusals -= 1
      return throttled({ lacking: 20 })(response, request)
    })
    const begunAt = performance.now()
    expect((await post(app, staff, FULL)).statusCode).toBe(201)
    expect(refusals).toBe(0)
    // Each of the two refused calls needs 20 points more than are left. The shop restores 100 points per second.
    expect(performance.now() - begunAt).toBeGreaterThan(390)
    expect(onlyProduct(shop)).toMatchObject({ handle: 'dragon' })
  })
})
