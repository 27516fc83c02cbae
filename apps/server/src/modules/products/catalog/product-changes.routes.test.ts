import type { ErrorBody } from '@pegasus/contracts/fields'
import type { Product } from '@pegasus/contracts/products/products'
import type { Model } from '@pegasus/contracts/stl-library/models'
import { describe, expect, it } from 'vitest'
import { entriesOf } from '../../../../test/support/audit-entries.ts'
import { type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'
import { aModel } from '../../../../test/support/library/library-factories.ts'
import { aProduct, anItem } from '../../../../test/support/stock-factories.ts'
import { DAY_MS } from '../../../platform/clock.ts'

type Headers = Record<string, string>

const DRAGON = {
  name: 'Dragon',
  slug: 'dragon',
  category: 'miniatures',
  price: 19.99,
  stock: 3,
  description: 'Breathes fire',
}

const call = (
  app: TestApp,
  method: 'POST' | 'PUT' | 'DELETE',
  path: string,
  headers: Headers,
  payload?: object,
) => app.http.inject({ method, url: `/api/products${path}`, headers, ...(payload && { payload }) })

const get = async <T>(app: TestApp, headers: Headers, path: string): Promise<T> =>
  (await app.http.inject({ url: `/api${path}`, headers })).json<T>()

const slugsOf = async (app: TestApp, headers: Headers, query = ''): Promise<string[]> =>
  (await get<Product[]>(app, headers, `/products${query}`)).map(({ slug }) => slug)

describe('changing products', () => {
  it('a product can be added, linked and changed, and a change keeps the fields that are not sent', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const [itemId, modelId] = [await anItem(app), await aModel(app, { title: 'M' })]
    const links = { inventory_item_id: itemId, stl_file_ids: [modelId, modelId] }
    const added = await call(
      app,
      'POST',
      '',
      { ...staff, 'idempotency-key': 'k' },
      { ...DRAGON, ...links, tags: ['a'] },
    )
    expect([added.statusCode, added.headers.etag, added.json()]).toMatchObject([
      201,
      '"1"',
      { ...DRAGON, status: 'not_published', inventory_item_id: itemId, stl_file_ids: [modelId], tags: ['a'] },
    ])
    const again = await call(
      app,
      'POST',
      '',
      { ...staff, 'idempotency-key': 'k' },
      { ...DRAGON, ...links, tags: ['a'] },
    )
    expect([again.statusCode, again.body]).toEqual([201, added.body])
    const { id } = added.json<Product>()
    expect((await get<Model>(app, staff, `/stl-files/${modelId}`)).is_product).toBe(true)

    const edit = {
      price: '24.50',
      bulkTiers: '[{"quantity":5,"price":20}]',
      stl_file_ids: [],
      id: 'x',
      status: 'published',
    }
    const changed = await call(app, 'PUT', `/${id}`, { ...staff, 'if-match': '"1"' }, edit)
    expect([changed.statusCode, changed.headers.etag, changed.json()]).toMatchObject([
      200,
      '"2"',
      {
        id,
        status: 'not_published',
        name: 'Dragon',
        price: 24.5,
        tags: ['a'],
        bulkTiers: [{ quantity: 5, price: 20 }],
        inventory_item_id: itemId,
        stl_file_ids: [],
      },
    ])
    expect((await get<Model>(app, staff, `/stl-files/${modelId}`)).is_product).toBe(false)
    const same = await call(app, 'PUT', `/${id}`, { ...staff, 'if-match': '"2"' }, { price: 24.5 })
    expect(same.json<Product>().revision).toBe(2)
    const cleared = await call(
      app,
      'PUT',
      `/${id}`,
      { ...staff, 'if-match': '"2"' },
      { bulkTiers: null, inventory_item_id: null },
    )
    expect(cleared.json()).toMatchObject({ bulkTiers: null, inventory_item_id: null, revision: 3 })
    const [update] = (await entriesOf(app)).filter(({ action }) => action === 'product.updated')
    expect(update).toMatchObject({
      entity_name: 'Dragon',
      before: { price_minor: 1999 },
      after: { price_minor: 2450 },
    })
  })

  it('products can be deleted and restored, and are permanently removed after 30 days', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const modelId = await aModel(app, { title: 'M' })
    const id = await aProduct(app, { slug: 'dragon', stlFileIds: [modelId] })
    const isProduct = async () => (await get<Model>(app, staff, `/stl-files/${modelId}`)).is_product
    expect((await call(app, 'DELETE', `/${id}`, { ...staff, 'if-match': '"9"' })).statusCode).toBe(412)
    expect((await call(app, 'DELETE', `/${id}`, staff)).statusCode).toBe(204)
    expect((await call(app, 'DELETE', `/${id}`, staff)).statusCode).toBe(404)
    expect((await call(app, 'PUT', `/${id}`, { ...staff, 'if-match': '*' }, {})).statusCode).toBe(404)
    expect([
      await slugsOf(app, staff),
      await slugsOf(app, staff, '?deleted=true'),
      await isProduct(),
    ]).toEqual([[], ['dragon'], false])
    const other = await aProduct(app, { slug: 'dragon' })
    expect((await call(app, 'POST', `/${id}/restore`, staff)).json<ErrorBody>().code).toBe('slug_taken')
    await call(app, 'DELETE', `/${other}`, staff)
    expect((await call(app, 'POST', `/${id}/restore`, staff)).json()).toMatchObject({ id, deleted_at: null })
    expect(await isProduct()).toBe(true)
    app.clock.advance(31 * DAY_MS)
    await app.cleanup.run()
    const rows = await app.database.sql<{ id: string }[]>`select id from products`
    expect(rows.map((row) => row.id)).toEqual([id])
  })
})

describe('refused changes of products', () => {
  it('T94 an edit never overwrites a product version that its author has not read', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const id = await aProduct(app, { slug: 'dragon' })
    expect((await call(app, 'PUT', `/${id}`, staff, { price: 1 })).statusCode).toBe(428)
    const rounds = 10
    let lost = 0
    for (let revision = 1; revision <= rounds; revision += 1) {
      const edits = await Promise.all(
        [1, 2, 3, 4].map((number) =>
          call(
            app,
            'PUT',
            `/${id}`,
            { ...staff, 'if-match': `"${revision}"` },
            { price: revision * 10 + number },
          ),
        ),
      )
      const won = edits.filter(({ statusCode }) => statusCode === 200)
      const now = await get<Product>(app, staff, `/products/${id}`)
      if (won.length !== 1 || now.price !== won[0]?.json<Product>().price) lost += 1
      const stale = edits.find(({ statusCode }) => statusCode === 412)
      expect(stale?.json<{ current: Product }>().current.price).toBe(now.price)
    }
    console.info(`T94 lost updates of products ${lost} of ${rounds * 4}`)
    expect(lost).toBe(0)
  })

  it('T4 edits do not change the protected fields of a product', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const id = await aProduct(app, { slug: 'dragon' })
    const before = await get<Product>(app, staff, `/products/${id}`)
    const planted = {
      id: crypto.randomUUID(),
      status: 'published',
      published_at: '2020-01-01T00:00:00Z',
      failure_reason: 'x',
      site_url: 'https://evil.example',
      site_product_id: 'x',
      license_override: { reason: 'x', by: 'x', at: '2020-01-01T00:00:00Z', overruled: [] },
      revision: 9,
      deleted_at: '2020-01-01T00:00:00Z',
      created_at: '2020-01-01T00:00:00Z',
      published_revision: 1,
    }
    let changed = 0
    const attempts = [...Object.entries(planted).map(([name, value]) => ({ [name]: value })), planted]
    for (const attempt of attempts) {
      await call(app, 'PUT', `/${id}`, { ...staff, 'if-match': '*' }, attempt)
      if (JSON.stringify(await get<Product>(app, staff, `/products/${id}`)) !== JSON.stringify(before))
        changed += 1
    }
    console.info(`T4 changed fields of products ${changed} of ${attempts.length}`)
    expect(changed).toBe(0)
  })

  it('product changes with invalid values are refused, and viewers get 403', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const id = await aProduct(app, { slug: 'dragon' })
    await aProduct(app, { slug: 'egg' })
    const put = (edit: object) => call(app, 'PUT', `/${id}`, { ...staff, 'if-match': '*' }, edit)
    for (const edit of [
      { name: '' },
      { slug: 'A' },
      { price: '' },
      { price: null },
      { stock: 1.5 },
      { description: ' ' },
      { name: 'a\0' },
      { images: 'x' },
      { stl_file_ids: ['x'] },
      { bulkTiers: '{' },
    ])
      expect([edit, (await put(edit)).statusCode]).toEqual([edit, 422])
    expect((await put({ slug: 'egg' })).json<ErrorBody>().code).toBe('slug_taken')
    expect((await put({ stl_file_ids: [crypto.randomUUID()] })).statusCode).toBe(404)
    const viewer = await app.as('viewer')
    for (const [method, path] of [
      ['POST', ''],
      ['PUT', `/${id}`],
      ['DELETE', `/${id}`],
      ['POST', `/${id}/restore`],
    ] as const)
      expect((await call(app, method, path, viewer)).statusCode).toBe(403)
  })
})
