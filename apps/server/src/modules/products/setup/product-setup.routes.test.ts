import type { ItemCost } from '@pegasus/contracts/inventory/costs'
import type { ProductReview, ProductStart } from '@pegasus/contracts/products/setup'
import type { Model } from '@pegasus/contracts/stl-library/models'
import { createCube } from '@pegasus/mesh/samples/shapes'
import { writeBinaryStl } from '@pegasus/mesh/stl/write-stl'
import sharp from 'sharp'
import { describe, expect, it, vi } from 'vitest'
import { type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'
import { aModel } from '../../../../test/support/library/library-factories.ts'
import { upload } from '../../../../test/support/library/model-upload.ts'
import { aProduct, anItem } from '../../../../test/support/stock-factories.ts'

type Headers = Record<string, string>

const start = (app: TestApp, headers: Headers, query: string) =>
  app.http.inject({ url: `/api/products/start${query}`, headers })

const review = async (app: TestApp, headers: Headers, payload: object): Promise<ProductReview> =>
  (
    await app.http.inject({ method: 'POST', url: '/api/products/review', headers, payload })
  ).json<ProductReview>()

const costOf = async (app: TestApp, headers: Headers, itemId: string): Promise<ItemCost> =>
  (await app.http.inject({ url: `/api/inventory/${itemId}/cost`, headers })).json<ItemCost>()

const GOOD = { name: 'A', slug: 'a', category: 'other', price: '12.00', stock: '1', description: 'x' }

/** Returns the number of pictures that the library has drawn for a model so far. */
const drawnPictures = async (app: TestApp, as: Record<string, string>, id: string): Promise<number> =>
  (await start(app, as, `?stl_file_id=${id}`)).json<ProductStart>().pictures.length

describe('starting a new product', () => {
  it('a new product starts with the data of a model, or of an item and its model', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const modelId = await aModel(app, {
      title: 'Wall Hook',
      licenseType: 'CC BY',
      tags: ['wall'],
      attributionUrl: 'https://ann.example/hook',
    })
    const itemId = await anItem(app, {
      name: 'Wall hook, red',
      stl_file_id: modelId,
      quantity: 12,
      selling_price_minor: 900,
      material_cost_minor: 150,
      labor_cost_minor: 200,
    })
    await aProduct(app, { slug: 'wall-hook' })
    expect((await start(app, staff, `?stl_file_id=${modelId}`)).json<ProductStart>()).toMatchObject({
      name: 'Wall Hook',
      slug: 'wall-hook-2',
      tags: ['wall'],
      license: 'cc-by',
      designerUrl: 'https://ann.example/hook',
      stl_file_ids: [modelId],
      inventory_item_id: null,
      price: null,
      attributions: ['“Wall Hook” (https://ann.example/hook), CC BY'],
    })
    expect((await start(app, staff, `?inventory_item_id=${itemId}`)).json<ProductStart>()).toMatchObject({
      name: 'Wall hook, red',
      slug: 'wall-hook-red',
      license: 'cc-by',
      stl_file_ids: [modelId],
      inventory_item_id: itemId,
      price: 9,
      stock: 12,
      // The cost equals the cost that the item shows.
      cost: (await costOf(app, staff, itemId)).unit_cost,
    })
    const unpriced = await anItem(app, { material_cost_minor: 150 })
    const { suggested_price: suggested } = await costOf(app, staff, unpriced)
    expect((await start(app, staff, `?inventory_item_id=${unpriced}`)).json<ProductStart>()).toMatchObject({
      price: suggested,
    })
    const bare = await anItem(app, {})
    expect((await start(app, staff, `?inventory_item_id=${bare}`)).json<ProductStart>()).toMatchObject({
      price: null,
      cost: null,
    })
    expect((await start(app, staff, '')).json<ProductStart>()).toMatchObject({
      name: '',
      slug: '',
      stl_file_ids: [],
    })
  })

  it('a new product starts with the pictures that the library drew, stored as public media', {
    timeout: 60_000,
  }, async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const bytes = writeBinaryStl(createCube(20))
    const { id } = (await upload(app, staff, { name: 'cube.stl', bytes })).json<Model>()
    const take = () =>
      app.http.inject({
        method: 'POST',
        url: '/api/products/start/pictures',
        headers: staff,
        payload: { stl_file_id: id, slug: 'cube' },
      })
    const taken = await vi.waitUntil(
      async () => {
        const answer = await take()
        return answer.statusCode === 201 && answer.json<{ images: string[] }>().images.length === 2
          ? answer
          : null
      },
      { timeout: 30_000, interval: 200 },
    )
    const folder = '/storage/v1/object/public/product-images/images/products'
    const { images, posterUrl } = taken.json<{ images: string[]; posterUrl: string }>()
    expect([images, posterUrl]).toEqual([
      [`${folder}/cube-1.jpg`, `${folder}/cube-2.jpg`],
      `${folder}/cube-poster.jpg`,
    ])
    for (const url of [...images, posterUrl]) {
      const picture = await app.http.inject(url)
      expect([picture.statusCode, picture.headers['content-type']]).toEqual([200, 'image/jpeg'])
      expect((await sharp(picture.rawPayload).metadata()).width).toBeGreaterThan(200)
    }
    const {
      pictures,
      size_mm: size,
      description,
    } = (await start(app, staff, `?stl_file_id=${id}`)).json<ProductStart>()
    const model = (await app.http.inject({ url: `/api/stl-files/${id}`, headers: staff })).json<Model>()
    expect([model.description, description]).toEqual(['20.0 × 20.0 × 20.0 mm, one watertight part', ''])
    expect([pictures.map(({ kind }) => kind), size]).toEqual([
      ['picture', 'back'],
      [20, 20, 20],
    ])
    expect((await app.http.inject(pictures[0]?.path ?? '')).statusCode).toBe(200)
  })

  it('a new product starts with the estimated cost of printing its model, itemized and explained', {
    timeout: 60_000,
  }, async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const bytes = writeBinaryStl(createCube(20))
    const { id } = (await upload(app, staff, { name: 'cube.stl', bytes })).json<Model>()
    await vi.waitUntil(async () => (await drawnPictures(app, staff, id)) === 2, {
      timeout: 30_000,
      interval: 200,
    })
    const model = (await app.http.inject({ url: `/api/stl-files/${id}`, headers: staff })).json<Model>()
    const { weights, minutes } = model.print_estimate!
    const grams = weights[0]!.grams
    const begun = (await start(app, staff, `?stl_file_id=${id}`)).json<ProductStart>()
    const { cost, cost_sheet: sheet } = await review(app, staff, { ...GOOD, stl_file_ids: [id] })
    expect(sheet).toMatchObject({ basis: 'models', missing: [], unit_cost: cost })
    expect([begun.cost, begun.price, begun.weight_grams]).toEqual([cost, sheet?.suggested_price, grams])
    const material = sheet!.lines.find(({ kind }) => kind === 'material')!
    // With the default settings, filament costs 25.00 per kilogram, plus 5 % for waste.
    expect([material.amount, material.formula]).toEqual([
      Math.round(grams * 1.05 * 2.5) / 100,
      `${grams} g + 5 % waste, at 25.00 USD/kg`,
    ])
    expect(sheet!.lines.find(({ kind }) => kind === 'machine')?.formula).toBe(`${minutes} min × 0.18 USD/h`)
    const summed = sheet!.lines.reduce((total, { amount }) => total + amount, 0)
    expect(Math.round(summed * 100)).toBe(Math.round(cost! * 100))
    expect(sheet?.assumptions).toEqual([
      'One print of the model in PLA, one piece at a time.',
      expect.stringMatching(
        /^Weight and time are estimated from the shape: 2 walls of 0\.45 mm, 15 % infill, /,
      ),
      'The cost settings still have their default values.',
    ])
    // A product can have two models. The assumptions name the model without an estimate.
    const unmeasured = await aModel(app, { title: 'Unmeasured' })
    const both = await review(app, staff, { ...GOOD, stl_file_ids: [id, unmeasured] })
    expect([both.cost, both.cost_sheet?.assumptions]).toEqual([
      cost,
      expect.arrayContaining(['“Unmeasured” has no estimate, so the cost does not include it.']),
    ])
    expect((await review(app, staff, { ...GOOD, stl_file_ids: [unmeasured] })).cost_sheet).toBeNull()
    // The item's own data take precedence over the estimate.
    const itemId = await anItem(app, { stl_file_id: id, weight_grams: 3 })
    const ofItem = await review(app, staff, { ...GOOD, stl_file_ids: [id], inventory_item_id: itemId })
    expect(ofItem.cost).toBe((await costOf(app, staff, itemId)).unit_cost)
    expect([ofItem.cost_sheet?.basis, ofItem.cost_sheet?.assumptions[0]]).toEqual([
      'item',
      'The print time is not known, so the cost does not include electricity and machine time.',
    ])
    // An item without data of its own has the cost of its model.
    const bare = await anItem(app, { stl_file_id: id })
    expect((await start(app, staff, `?inventory_item_id=${bare}`)).json<ProductStart>().cost).toBe(cost)
  })

  it('the setup of a product does not replace existing files with its drawn pictures, and adds each picture once', {
    timeout: 60_000,
  }, async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const bytes = writeBinaryStl(createCube(20))
    const { id } = (await upload(app, staff, { name: 'cube.stl', bytes })).json<Model>()
    const path = '/product-images/images/products'
    const theirs = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
      .jpeg()
      .toBuffer()
    for (const name of ['cube-poster.jpg', 'cube-1.jpg'])
      await app.http.inject({
        method: 'POST',
        url: `/storage/v1/object${path}/${name}`,
        headers: { ...staff, 'content-type': 'image/jpeg' },
        payload: theirs,
      })
    const read = async (name: string) =>
      (await app.http.inject(`/storage/v1/object/public${path}/${name}`)).rawPayload
    const before = [await read('cube-poster.jpg'), await read('cube-1.jpg')]
    const take = async () => {
      const answer = await app.http.inject({
        method: 'POST',
        url: '/api/products/start/pictures',
        headers: staff,
        payload: { stl_file_id: id, slug: 'cube' },
      })
      return answer.statusCode === 201 ? answer.json<{ images: string[]; posterUrl: string }>() : null
    }
    await vi.waitUntil(async () => (await drawnPictures(app, staff, id)) === 2, {
      timeout: 30_000,
      interval: 200,
    })
    const taken = await take()
    expect([taken?.images, taken?.posterUrl]).toEqual([
      [`/storage/v1/object/public${path}/cube-2.jpg`, `/storage/v1/object/public${path}/cube-3.jpg`],
      `/storage/v1/object/public${path}/cube-2.jpg`,
    ])
    expect([await read('cube-poster.jpg'), await read('cube-1.jpg')]).toEqual(before)
    expect(await take()).toEqual(taken)
    // A picture that somebody has uploaded under one of these names is kept, too.
    const replaced = await app.http.inject({
      method: 'PUT',
      url: `/storage/v1/object${path}/cube-2.jpg`,
      headers: { ...staff, 'content-type': 'image/jpeg' },
      payload: theirs,
    })
    expect(replaced.statusCode).toBe(200)
    expect((await take())?.images).toEqual([
      `/storage/v1/object/public${path}/cube-4.jpg`,
      `/storage/v1/object/public${path}/cube-3.jpg`,
    ])
    const [{ count }] = await app.database.sql<
      [{ count: number }]
    >`select count(*)::int as count from objects`
    expect(count).toBe(5)
  })

  it('starting a new product returns 404 for unknown ids, 422 for invalid ids, and 403 for viewers', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const nobody = crypto.randomUUID()
    for (const query of [`?stl_file_id=${nobody}`, `?inventory_item_id=${nobody}`])
      expect((await start(app, staff, query)).statusCode).toBe(404)
    expect((await start(app, staff, '?stl_file_id=x')).statusCode).toBe(422)
    expect((await start(app, await app.as('viewer'), '')).statusCode).toBe(403)
    const pictures = (payload: object) =>
      app.http.inject({ method: 'POST', url: '/api/products/start/pictures', headers: staff, payload })
    expect((await pictures({ stl_file_id: await aModel(app, { title: 'M' }), slug: 'a' })).statusCode).toBe(
      404,
    )
    expect((await pictures({ stl_file_id: nobody, slug: '../a' })).statusCode).toBe(422)
  })
})

describe('the review of a product', () => {
  it('the review of a product lists errors, license findings, missing data and prices below cost', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const skull = await aModel(app, { title: 'Skull', licenseType: 'CC BY-NC' })
    const itemId = await anItem(app, { material_cost_minor: 1000, labor_cost_minor: 500 })
    const { unit_cost: cost } = await costOf(app, staff, itemId)
    expect(cost).toBeGreaterThan(15)
    const draft = { ...GOOD, name: '', stl_file_ids: [skull], inventory_item_id: itemId, bulkTiers: '[' }
    expect(await review(app, staff, draft)).toEqual({
      findings: [
        { kind: 'fault', field: 'name', message: 'Product name is required', stl_file_id: null },
        {
          kind: 'fault',
          field: 'bulkTiers',
          message: 'Invalid JSON format for bulk tiers',
          stl_file_id: null,
        },
        {
          kind: 'block',
          field: 'stl_file_ids',
          message: '“Skull”: CC BY-NC forbids selling prints.',
          stl_file_id: skull,
        },
        {
          kind: 'notice',
          field: 'images',
          message: 'This product has no picture yet.',
          stl_file_id: null,
        },
        {
          kind: 'notice',
          field: 'price',
          message: `The price is below the cost of $${cost.toFixed(2)} for one piece.`,
          stl_file_id: null,
        },
      ],
      license_verdict: 'blocked',
      attributions: ['“Skull”, CC BY-NC'],
      cost,
      cost_sheet: expect.objectContaining({ basis: 'item', unit_cost: cost }),
      sold_as: null,
    })
    const fine = await review(app, staff, {
      ...GOOD,
      license: 'cc0',
      images: ['/a.jpg'],
      posterUrl: '/p.jpg',
    })
    expect([fine.findings, fine.license_verdict]).toEqual([[], 'allowed'])
    expect((await review(app, staff, {})).findings.filter(({ kind }) => kind === 'fault')).toHaveLength(6)
  })

  it('the review of a product names the published product that already sells its item', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const itemId = await anItem(app, { name: 'Rook' })
    const soldAs = async () => (await review(app, staff, { ...GOOD, inventory_item_id: itemId })).sold_as
    await aProduct(app, { name: 'Rook of yesterday', slug: 'rook-old', itemId })
    expect(await soldAs()).toBeNull()
    const id = await aProduct(app, { name: 'Rook, display size', slug: 'rook', itemId })
    await app.database.sql`update products set status = 'published', published_at = now() where id = ${id}`
    expect(await soldAs()).toEqual({ id, name: 'Rook, display size' })
  })

  it('the review of a product compares the prices of quantity discounts with the cost, and ignores missing prices', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const itemId = await anItem(app, { material_cost_minor: 1000, labor_cost_minor: 500 })
    const { unit_cost: cost } = await costOf(app, staff, itemId)
    const fieldsOf = async (change: object) => {
      const { findings } = await review(app, staff, {
        ...GOOD,
        price: 100,
        inventory_item_id: itemId,
        ...change,
      })
      return findings
        .filter(({ message }) => message.includes('below the cost'))
        .map(({ message }) => message)
    }
    expect(
      await fieldsOf({
        bulkTiers: [
          { quantity: 5, price: 90 },
          { quantity: 50, price: 1 },
        ],
      }),
    ).toEqual([`The price of tier 2 is below the cost of $${cost.toFixed(2)} for one piece.`])
    for (const price of ['', ' ', null, [], 'x']) expect(await fieldsOf({ price })).toEqual([])
    expect(await fieldsOf({ price: cost })).toEqual([])
    // The material of this item is unknown.
    const bare = await anItem(app, {})
    expect((await review(app, staff, { ...GOOD, price: 0, inventory_item_id: bare })).cost).toBeNull()
  })

  it('the review of a product accepts any draft without failing', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    for (const odd of [
      { price: {}, stl_file_ids: 'x', inventory_item_id: 5 },
      { stl_file_ids: [1, null, 'x', crypto.randomUUID()], license: [] },
      { images: [{}], posterUrl: {}, tags: { a: 1 }, price: 'NaN', name: '\0' },
    ])
      expect((await review(app, staff, odd)).findings.length).toBeGreaterThan(5)
    const viewer = await app.http.inject({
      method: 'POST',
      url: '/api/products/review',
      headers: await app.as('viewer'),
      payload: {},
    })
    expect(viewer.statusCode).toBe(403)
  })
})
