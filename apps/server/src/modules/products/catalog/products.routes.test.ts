import type { Product } from '@pegasus/contracts/products/products'
import type { Model } from '@pegasus/contracts/stl-library/models'
import { createCube } from '@pegasus/mesh/samples/shapes'
import { writeBinaryStl } from '@pegasus/mesh/stl/write-stl'
import { describe, expect, it, vi } from 'vitest'
import { type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'
import { aModel as aBareModel } from '../../../../test/support/library/library-factories.ts'
import { upload } from '../../../../test/support/library/model-upload.ts'
import { aPrintJob, aProduct, allPages, anItem, refusalOf } from '../../../../test/support/stock-factories.ts'

const get = async (app: TestApp, url: string) => app.http.inject({ url, headers: await app.as('viewer') })

const aModel = async (app: TestApp): Promise<string> => {
  const bytes = writeBinaryStl(createCube(20))
  return (await upload(app, await app.as('staff'), { name: 'c.stl', bytes })).json<Model>().id
}

const isProduct = async (app: TestApp, id: string): Promise<boolean> =>
  (await get(app, `/api/stl-files/${id}`)).json<Model>().is_product

describe('GET /api/products', () => {
  describe('valid requests for products', () => {
    it("GET /api/products shows a product with the main site's field names", async () => {
      const app = await buildTestApp()
      const [modelId, itemId] = [await aModel(app), await anItem(app)]
      const id = await aProduct(app, {
        slug: 'dragon',
        tags: ['mythic'],
        images: ['/a.jpg'],
        posterUrl: '/p.jpg',
        bulkTiers: [{ quantity: 10, price_minor: 1499 }],
        license: 'cc-by',
        designer: 'Ann',
        designerUrl: 'https://example.com/ann',
        itemId,
        stlFileIds: [modelId],
        publishedAt: app.clock.now(),
      })
      await aPrintJob(app, { itemId, quantity: 4 })
      const answer = await get(app, `/api/products/${id}`)
      expect(answer.headers.etag).toBe('"1"')
      const now = app.clock.now().toISOString()
      expect(answer.json<Product>()).toEqual({
        id,
        name: 'Dragon',
        slug: 'dragon',
        category: 'miniatures',
        price: 19.99,
        stock: 3,
        description: 'Breathes fire',
        tags: ['mythic'],
        images: ['/a.jpg'],
        videos: [],
        posterUrl: '/p.jpg',
        bulkTiers: [{ quantity: 10, price: 14.99 }],
        license: 'cc-by',
        designer: 'Ann',
        designerUrl: 'https://example.com/ann',
        status: 'published',
        failure_reason: null,
        site_url: null,
        published_at: now,
        has_unpublished_changes: false,
        stl_thumbnail_path: null,
        site_check: null,
        license_override: null,
        inventory_item_id: itemId,
        offered_stock: 10,
        offered_from: { available_quantity: 10, needed_quantity: 0, held_quantity: 0, safety_stock: 0 },
        queued_quantity: 4,
        stl_file_ids: [modelId],
        revision: 1,
        created_at: now,
        updated_at: now,
        deleted_at: null,
      })
    })

    it("a product shows the picture of its first model that has a picture, or otherwise of its item's model", {
      timeout: 60_000,
    }, async () => {
      const app = await buildTestApp()
      const drawn = await aModel(app)
      await vi.waitUntil(
        async () => (await get(app, `/api/stl-files/${drawn}`)).json<Model>().thumbnail_path !== null,
        { timeout: 30_000, interval: 200 },
      )
      const bare = await aBareModel(app, { title: 'Not drawn' })
      const itemId = await anItem(app, { stl_file_id: drawn })
      await aProduct(app, { slug: 'of-models', stlFileIds: [bare, drawn] })
      await aProduct(app, { slug: 'of-an-item', stlFileIds: [bare], itemId })
      await aProduct(app, { slug: 'of-nothing', stlFileIds: [bare] })
      const products = (await get(app, '/api/products')).json<Product[]>()
      const pathOf = (slug: string) => products.find((product) => product.slug === slug)?.stl_thumbnail_path
      for (const slug of ['of-models', 'of-an-item']) {
        expect(pathOf(slug)).toContain(`/api/stl-files/${drawn}/thumbnail?`)
        const picture = await app.http.inject(pathOf(slug) ?? '')
        expect([picture.statusCode, picture.headers['content-type']]).toEqual([200, 'image/webp'])
      }
      expect(pathOf('of-nothing')).toBeNull()
    })

    it('GET /api/products filters by status and search words, and returns the products in pages', async () => {
      const app = await buildTestApp()
      await aProduct(app, { name: 'Dragon', slug: 'dragon' })
      await aProduct(app, { name: 'Castle', slug: 'castle', publishedAt: app.clock.now() })
      await aProduct(app, { name: 'Dragon egg', slug: 'egg' })
      const slugs = async (query: string) =>
        (await allPages<Product>(app, await app.as('viewer'), `/api/products?limit=1${query}`)).items.map(
          (product) => product.slug,
        )
      expect(await slugs('')).toEqual(['egg', 'castle', 'dragon'])
      expect(await slugs('&status=published')).toEqual(['castle'])
      expect(await slugs('&search=DRAGON')).toEqual(['egg', 'dragon'])
    })

    it('a model is marked as a product as long as a product outside the trash is linked to it', async () => {
      const app = await buildTestApp()
      const modelId = await aModel(app)
      expect(await isProduct(app, modelId)).toBe(false)
      const [first, second] = await Promise.all(
        ['a', 'b'].map((slug) => aProduct(app, { slug, stlFileIds: [modelId, modelId] })),
      )
      expect(await isProduct(app, modelId)).toBe(true)
      const { sql } = app.database
      const setDeletedAt = (ids: unknown[], at: Date | null) =>
        Promise.all(ids.map((id) => sql`update products set deleted_at = ${at} where id = ${id as string}`))
      await setDeletedAt([first], app.clock.now())
      expect(await isProduct(app, modelId)).toBe(true)
      await setDeletedAt([second], app.clock.now())
      expect(await isProduct(app, modelId)).toBe(false)
      await setDeletedAt([first, second], null)
      await setDeletedAt([first, second], app.clock.now())
      expect(await isProduct(app, modelId)).toBe(false)
      await setDeletedAt([first], null)
      await sql`delete from product_models where product_id = ${first as string}`
      expect(await isProduct(app, modelId)).toBe(false)
    })
  })

  it('GET /api/products refuses bad input with 422, and unknown products with 404', async () => {
    const app = await buildTestApp()
    for (const query of ['?limit=1001', '?status=live', '?cursor=abc', '?search=%00'])
      expect((await get(app, `/api/products${query}`)).statusCode).toBe(422)
    for (const id of ['01890000-0000-7000-8000-000000000000', 'abc'])
      expect((await get(app, `/api/products/${id}`)).statusCode).toBe(404)
  })

  it('GET /api/products returns 401 without a token', async () => {
    expect((await (await buildTestApp()).http.inject('/api/products')).statusCode).toBe(401)
  })
})

describe('adding products', () => {
  it('a new product needs valid values, known references and a slug that no other product has', async () => {
    const app = await buildTestApp()
    await aProduct(app, { slug: 'dragon' })
    expect(await refusalOf(aProduct(app, { slug: 'dragon' }))).toBe('PRODUCT_SLUG_TAKEN')
    for (const bad of [{ slug: 'Dragon' }, { slug: '' }, { name: ' ' }, { priceMinor: -1 }, { stock: -1 }])
      expect([bad, await refusalOf(aProduct(app, bad))]).toEqual([bad, 'PRODUCT_INVALID'])
    const nobody = crypto.randomUUID()
    expect(await refusalOf(aProduct(app, { stlFileIds: [nobody] }))).toBe('MODEL_NOT_FOUND')
    expect(await refusalOf(aProduct(app, { itemId: nobody }))).toBe('ITEM_NOT_FOUND')
    await app.database.sql`update products set deleted_at = now()`
    expect(await refusalOf(aProduct(app, { slug: 'dragon' }))).toBe(null)
  })
})
