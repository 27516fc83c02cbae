import type { ErrorBody } from '@pegasus/contracts/fields'
import type { Product } from '@pegasus/contracts/products/products'
import type { PublishedProduct } from '@pegasus/contracts/products/publishing'
import { describe, expect, it } from 'vitest'
import { answering, type SiteBehavior } from '../../../../../test/servers/main-site-server.ts'
import {
  anAppWith,
  expectNothingLost,
  MEDIA,
  onlyProduct,
  OPS,
} from '../../../../../test/support/shop-adapters.ts'
import { DRAGON, post, publish, update } from '../../../../../test/support/publishing.ts'
import { aWooShop, WOO_KEY, WOO_SECRET, wooError } from '../../../../../test/servers/woo-server.ts'

const FULL = {
  ...DRAGON,
  name: 'Dragon & <b>egg</b>',
  description: 'Breathes fire\n[gallery]',
  tags: ['mythic'],
  images: [`${MEDIA}/dragon.jpg`, 'https://cdn.example/side.jpg'],
  videos: [`${MEDIA}/dragon.webm`],
  posterUrl: `${MEDIA}/dragon-poster.jpg`,
  bulkTiers: [{ quantity: 10, price: 15 }],
  license: 'cc-by',
  designer: 'Ann',
}

const aWooApp = async () => anAppWith(await aWooShop(), 'woocommerce', `${WOO_KEY}:${WOO_SECRET}`)

describe('a WooCommerce shop as the main site', () => {
  it('a WooCommerce shop receives a product in its own format, with each picture only once', async () => {
    const { shop, app, staff } = await aWooApp()
    const published = (await post(app, staff, FULL)).json<PublishedProduct>()
    expect(published).toMatchObject({ status: 'published', site_url: `${shop.url}/product/dragon/` })
    expect(onlyProduct(shop)).toMatchObject({
      name: 'Dragon &amp; &lt;b&gt;egg&lt;/b&gt;',
      slug: 'dragon',
      sku: 'dragon',
      type: 'simple',
      status: 'publish',
      regular_price: '19.99',
      manage_stock: true,
      stock_quantity: 3,
      description: `Breathes fire<br>\n&#91;gallery]\n\n[video src="${OPS}${MEDIA}/dragon.webm"]`,
      categories: [{ id: expect.any(Number) }],
      tags: [{ name: 'mythic' }],
      images: [{ alt: FULL.name }, { alt: FULL.name }, { alt: FULL.name }],
      attributes: [
        { name: 'Designer', options: ['Ann'] },
        { name: 'License', options: ['CC BY'] },
      ],
    })
    const sent = shop.requests.find(({ method, path }) => method === 'POST' && path.endsWith('/products'))
    expect(sent?.body).toMatchObject({
      images: [
        { src: `${OPS}${MEDIA}/dragon-poster.jpg` },
        { src: `${OPS}${MEDIA}/dragon.jpg` },
        { src: 'https://cdn.example/side.jpg' },
      ],
    })
    await update(app, staff, published.id, {
      price: 25,
      images: [FULL.images[1], 'https://cdn.example/new.jpg'],
    })
    expect((await publish(app, staff, published.id)).json<Product>().has_unpublished_changes).toBe(false)
    expect(onlyProduct(shop)).toMatchObject({ regular_price: '25' })
    // The shop has the first three pictures and the new one.
    expect(shop.attachments.size).toBe(4)
  })

  it('a check compares a WooCommerce product field by field, and keeps changes from the shop until a person overwrites them', async () => {
    const { shop, app, staff } = await aWooApp()
    const { id } = (await post(app, staff, FULL)).json<PublishedProduct>()
    const check = async () =>
      (
        await app.http.inject({ method: 'POST', url: `/api/products/${id}/check`, headers: staff })
      ).json<Product>()
    expect((await check()).site_check).toMatchObject({ outcome: 'same', differences: [] })
    const product = onlyProduct(shop)
    const [poster, , side] = product['images'] as object[]
    const own = { id: 900, src: `${shop.url}/own.jpg`, name: 'own' }
    Object.assign(product, { regular_price: '22.00', stock_quantity: -1, images: [poster, own, side] })
    expect((await check()).site_check?.differences).toMatchObject([
      { field: 'price', ours: 19.99, theirs: 22 },
      { field: 'stock', ours: 3, theirs: 0 },
      { field: 'images', theirs: [`${shop.url}/own.jpg`, 'https://cdn.example/side.jpg'] },
    ])
    await publish(app, staff, id, { again: true })
    expect((await check()).site_check).toMatchObject({ outcome: 'same' })
    shop.products.clear()
    expect((await check()).site_check?.outcome).toBe('missing')
    await publish(app, staff, id, { again: true })
    expect(onlyProduct(shop)).toMatchObject({ sku: 'dragon', regular_price: '19.99' })
  })

  it('T92 T106 a WooCommerce shop gets each product exactly once, even if its responses are lost or broken', async () => {
    const { shop, app, staff } = await aWooApp()
    const faults = 12
    let lost = 0
    for (let number = 0; number < faults; number += 1) {
      const slug = `fault-${number}`
      shop.behave((response, request) => {
        const answer = shop.take(request)
        if (request.method !== 'POST' || !request.path.endsWith('/products')) return answer(response, request)
        if (number % 3 === 0) return void response.destroy()
        const late = answering(number % 3 === 1 ? 502 : 200, '<html>gateway</html>', {
          'content-type': 'text/html',
        })
        return late(response, request)
      })
      const broken = await post(app, staff, { ...FULL, slug })
      expect(broken.statusCode).toBe(502)
      shop.behave(null)
      const { product_id: id } = broken.json<{ product_id: string }>()
      const again = await publish(app, staff, id)
      if (again.json<PublishedProduct>().status !== 'published') lost += 1
    }
    const doubled = shop.products.size - faults
    console.info(
      `T92 T106 products in a WooCommerce shop after ${faults} lost answers: doubled ${doubled}, lost ${lost}`,
    )
    expect([doubled, lost]).toEqual([0, 0])
  })

  it('changes that are made between two attempts reach a WooCommerce shop, even if the failed attempt reached it, too', async () => {
    const { shop, app, staff } = await aWooApp()
    const isWrite = ({ method, path }: { method: string; path: string }) =>
      method === 'PUT' || (method === 'POST' && path.endsWith('/products'))
    shop.behave((response, request) => {
      const answer = shop.take(request)
      return isWrite(request) ? void response.destroy() : answer(response, request)
    })
    const { product_id: id } = (await post(app, staff, FULL)).json<{ product_id: string }>()
    shop.behave(null)
    await update(app, staff, id, { description: 'Breathes ice' })
    expect((await publish(app, staff, id)).statusCode).toBe(200)
    expect(onlyProduct(shop)['description']).toContain('Breathes ice')
    // The product is changed while the shop is down.
    await update(app, staff, id, { tags: ['cold'] })
    shop.behave((response, request) =>
      isWrite(request) ? answering(503, 'Down')(response, request) : shop.take(request)(response, request),
    )
    expect((await publish(app, staff, id)).statusCode).toBe(502)
    shop.behave(null)
    expect((await publish(app, staff, id)).statusCode).toBe(200)
    expect(onlyProduct(shop)['tags']).toEqual([{ name: 'cold' }])
  })

  it("T92 a product's slug cannot change while a WooCommerce shop may already have that product", async () => {
    const { shop, app, staff } = await aWooApp()
    const draft = await app.http.inject({
      method: 'POST',
      url: '/api/drafts',
      headers: staff,
      payload: { content: { name: FULL.name }, step: 1 },
    })
    const draftId = draft.json<{ id: string }>().id
    shop.behave((response, request) => {
      const answer = shop.take(request)
      const isLost = request.method === 'POST' && request.path.endsWith('/products')
      return isLost ? void response.destroy() : answer(response, request)
    })
    const lost = await post(app, staff, { ...FULL, draft_id: draftId })
    const { product_id: id } = lost.json<{ product_id: string }>()
    // The first attempt may have reached the shop. A later refusal does not prove that the shop does not have the
    // product.
    shop.behave(wooError(401, 'woocommerce_rest_cannot_view', 'Sorry.'))
    expect((await publish(app, staff, id)).statusCode).toBe(502)
    shop.behave(null)
    const ways = [
      await update(app, staff, id, { slug: 'wyrm' }),
      await post(app, staff, { ...FULL, slug: 'wyrm', draft_id: draftId }),
    ]
    expect(ways.map((answer) => [answer.statusCode, answer.json()])).toEqual(
      Array.from({ length: 2 }, () => [
        409,
        {
          detail:
            'The main site may already have this product, as “dragon”: the response of the site was lost. Please publish the product under that slug.',
          code: 'slug_fixed',
          errors: [{ path: 'slug', message: 'The main site may already have this product, as “dragon”' }],
          product_id: id,
        },
      ]),
    )
    expect((await publish(app, staff, id)).statusCode).toBe(200)
    expect(onlyProduct(shop)).toMatchObject({ sku: 'dragon' })
    // The shop has refused this product, so it does not have it, and the slug can still be changed.
    shop.behave(wooError(401, 'woocommerce_rest_cannot_view', 'Sorry.'))
    const refused = await post(app, staff, { ...FULL, slug: 'hydra' })
    const other = refused.json<{ product_id: string }>().product_id
    expect((await update(app, staff, other, { slug: 'wyrm' })).statusCode).toBe(200)
  })

  it('a product that a delayed call created in a WooCommerce shop is updated, not created again', async () => {
    const { shop, app, staff } = await aWooApp()
    let isFirst = true
    shop.behave((response, request) => {
      // The look-up does not find the product, but it exists when it is to be created.
      if (request.method === 'POST' && request.path.endsWith('/products') && isFirst) {
        isFirst = false
        shop.take(request)
      }
      shop.take(request)(response, request)
    })
    expect((await post(app, staff, FULL)).statusCode).toBe(201)
    expect(onlyProduct(shop)).toMatchObject({ sku: 'dragon' })
  })

  it("publishing to a WooCommerce shop does not overwrite the shop's own product with the same SKU", async () => {
    const { shop, app, staff } = await aWooApp()
    const own = { id: 7, sku: 'dragon', name: 'Their dragon', regular_price: '1', images: [], meta_data: [] }
    shop.products.set(7, own)
    expect((await post(app, staff, FULL)).json<ErrorBody>().detail).toBe(
      'Another product of the shop has the SKU “dragon”. Please change it there, or change the slug here.',
    )
    expect(onlyProduct(shop)).toBe(own)
  })

  it.each<[string, SiteBehavior, string]>([
    [
      'refuses a picture',
      wooError(400, 'woocommerce_product_image_upload_error', 'Error getting remote image x. Not found.'),
      'Error getting remote image x. Not found.',
    ],
    [
      'does not know the key',
      wooError(401, 'woocommerce_rest_cannot_view', `Sorry, ${WOO_SECRET} cannot list resources.`),
      'Sorry, ••• cannot list resources.',
    ],
    ['is down', answering(503, '<html><body>Briefly unavailable</body></html>'), 'Briefly unavailable'],
    ['answers nonsense', answering(200, '{"x":1}'), 'does not contain a product'],
    [
      'has enough of us for too long',
      (response) =>
        void response.writeHead(429, { 'content-type': 'application/json', 'retry-after': '600' }).end(
          JSON.stringify({
            code: 'too_many_requests',
            message: 'Too many requests',
            data: { status: 429 },
          }),
        ),
      'Too many requests',
    ],
  ])(
    'if a WooCommerce shop %s, the failure gives the reason and nothing is lost',
    async (_, behavior, words) => {
      const set = await aWooApp()
      await expectNothingLost(set, FULL, { behavior, words })
      expect(onlyProduct(set.shop)).toMatchObject({ sku: 'dragon' })
    },
  )

  it('a call that a WooCommerce shop refuses with 429 and a short Retry-After is retried', async () => {
    const { shop, app, staff } = await aWooApp()
    let refusals = 2
    shop.behave((response, request) => {
      if (refusals === 0) return shop.take(request)(response, request)
      refusals -= 1
      return void response.writeHead(429, { 'retry-after': '0.2' }).end()
    })
    expect((await post(app, staff, FULL)).statusCode).toBe(201)
    expect(refusals).toBe(0)
    expect(onlyProduct(shop)).toMatchObject({ sku: 'dragon' })
  })
})
