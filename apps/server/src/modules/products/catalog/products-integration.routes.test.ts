import type { IntegrationProduct } from '@pegasus/contracts/integration'
import { describe, expect, it } from 'vitest'
import { aKey, keyHeader } from '../../../../test/support/accounts/api-keys.ts'
import { buildTestApp } from '../../../../test/support/build-test-app.ts'
import { DRAGON } from '../../../../test/support/publishing.ts'
import { aProduct, allPages, anItem } from '../../../../test/support/stock-factories.ts'

const URL = '/api/integration/products'

describe('GET /api/integration/products', () => {
  it("GET /api/integration/products lists the catalog by page and status, with the main site's field names", async () => {
    const app = await buildTestApp()
    const headers = keyHeader((await aKey(app, { role: 'viewer', scope: ['integration'] })).key)
    const itemId = await anItem(app)
    await aProduct(app, { slug: 'castle' })
    const id = await aProduct(app, {
      slug: 'dragon',
      bulkTiers: [{ quantity: 10, price_minor: 1499 }],
      itemId,
      publishedAt: app.clock.now(),
    })
    const now = app.clock.now().toISOString()
    const published = await app.http.inject({ url: `${URL}?status=published`, headers })
    expect(published.json<IntegrationProduct[]>()).toEqual([
      {
        id,
        name: 'Dragon',
        slug: 'dragon',
        category: 'miniatures',
        price: 19.99,
        currency: 'USD',
        stock: 3,
        description: 'Breathes fire',
        tags: [],
        images: [],
        videos: [],
        posterUrl: null,
        bulkTiers: [{ quantity: 10, price: 14.99 }],
        license: null,
        designer: null,
        designerUrl: null,
        status: 'published',
        site_url: null,
        published_at: now,
        inventory_item_id: itemId,
        offered_stock: 10,
        offered_from: { available_quantity: 10, needed_quantity: 0, held_quantity: 0, safety_stock: 0 },
        queued_quantity: 0,
        created_at: now,
        updated_at: now,
      },
    ])
    const { items, total } = await allPages<IntegrationProduct>(app, headers, `${URL}?limit=1`)
    expect([items.map(({ slug }) => slug).toSorted(), total]).toEqual([['castle', 'dragon'], '2'])
  })

  it('GET /api/integration/products lists media with addresses that a shop can reach', async () => {
    const app = await buildTestApp({ variables: { PUBLIC_URL: 'https://ops.example' } })
    const headers = keyHeader((await aKey(app, { scope: ['integration'] })).key)
    const path = '/storage/v1/object/public/product-images/images/products/dragon'
    const staff = await app.as('staff')
    await app.http.inject({
      method: 'POST',
      url: '/api/products',
      headers: staff,
      payload: {
        ...DRAGON,
        images: [`${path}.jpg`, 'https://cdn.example/side.jpg'],
        videos: [`${path}.webm`],
        posterUrl: `${path}-poster.jpg`,
      },
    })
    const [product] = (await app.http.inject({ url: URL, headers })).json<IntegrationProduct[]>()
    expect(product).toMatchObject({
      images: [`https://ops.example${path}.jpg`, 'https://cdn.example/side.jpg'],
      videos: [`https://ops.example${path}.webm`],
      posterUrl: `https://ops.example${path}-poster.jpg`,
    })
  })

  it('GET /api/integration/products refuses bad input with 422', async () => {
    const app = await buildTestApp()
    const headers = keyHeader((await aKey(app, { scope: ['integration'] })).key)
    for (const query of ['?limit=0', '?status=live', '?cursor=abc'])
      expect((await app.http.inject({ url: URL + query, headers })).statusCode).toBe(422)
  })
})
