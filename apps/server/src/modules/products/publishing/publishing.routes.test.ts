import type { ErrorBody } from '@pegasus/contracts/fields'
import type { Product } from '@pegasus/contracts/products/products'
import type { Publication, PublishedProduct } from '@pegasus/contracts/products/publishing'
import { describe, expect, it } from 'vitest'
import { entriesOf } from '../../../../test/support/audit-entries.ts'
import { aModel } from '../../../../test/support/library/library-factories.ts'
import { aMainSite, answering, json } from '../../../../test/servers/main-site-server.ts'
import {
  aShop,
  DRAGON,
  get,
  MAIN_SITE_KEY,
  post,
  publish,
  update,
} from '../../../../test/support/publishing.ts'

describe('publishing with POST /api/admin/products', () => {
  it("POST /api/admin/products stores the product and sends it to the main site, with the site's key", async () => {
    const site = await aMainSite()
    const { app, staff } = await aShop(site)
    const answer = await post(app, staff, {
      ...DRAGON,
      tags: [' mythic ', '', 'red'],
      images: ['/storage/v1/object/public/product-images/images/products/dragon.jpg'],
      videos: ['https://cdn.example/d.webm'],
      bulkTiers: '[{"quantity":10,"price":14.99}]',
      license: 'cc-by',
      designer: 'Ann',
      designerUrl: 'https://ann.example',
    })
    expect(answer.statusCode, answer.body).toBe(201)
    expect(answer.json<PublishedProduct>()).toMatchObject({
      slug: 'dragon',
      status: 'published',
      site_url: `${site.url}/products/dragon`,
      has_unpublished_changes: false,
      failure_reason: null,
      publication: {
        number: 1,
        target: 'main_site',
        status: 'published',
        tries: 1,
        http_status: 201,
        message: null,
      },
    })
    expect(site.requests).toHaveLength(1)
    expect(site.requests[0]).toMatchObject({ method: 'POST', path: '/api/admin/products' })
    expect(site.requests[0]?.headers).toMatchObject({
      'x-admin-key': MAIN_SITE_KEY,
      'content-type': 'application/json',
      'idempotency-key': expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
    expect(site.requests[0]?.body).toEqual({
      ...DRAGON,
      tags: ['mythic', 'red'],
      images: ['https://ops.example/storage/v1/object/public/product-images/images/products/dragon.jpg'],
      videos: ['https://cdn.example/d.webm'],
      posterUrl: null,
      bulkTiers: [{ quantity: 10, price: 14.99 }],
      license: 'cc-by',
      designer: 'Ann',
      designerUrl: 'https://ann.example',
    })
    const deeds = (await entriesOf(app)).filter(({ entity }) => entity === 'product')
    expect(deeds.map(({ action, actor_name: actor }) => [action, actor])).toEqual([
      ['product.added', 'The staff'],
      ['product.published', 'The staff'],
    ])
  })

  it('POST /api/admin/products only stores the product if no main site is configured, and reports that', async () => {
    const { app, staff } = await aShop()
    const answer = await post(app, staff)
    expect(answer.statusCode).toBe(201)
    expect(answer.json<PublishedProduct>()).toMatchObject({
      status: 'published',
      site_url: null,
      publication: {
        target: 'local',
        status: 'published',
        message: 'Stored in the local catalog. No main site is configured, so nothing was sent to a shop.',
      },
    })
    expect((await post(app, staff)).statusCode).toBe(200)
  })

  it('if the site refuses a product, its message is shown, and the corrected product is sent with the same key', async () => {
    const site = await aMainSite()
    const { app, staff } = await aShop(site)
    site.behave(json(422, { error: 'Price is too low' }))
    const refused = await post(app, staff)
    expect([refused.statusCode, refused.json()]).toEqual([
      502,
      { detail: 'Price is too low', code: 'main_site_failed', product_id: expect.any(String) },
    ])
    const { product_id: id } = refused.json<{ product_id: string }>()
    expect(await get<Product>(app, staff, `/${id}`)).toMatchObject({
      status: 'failed',
      failure_reason: 'Price is too low',
      published_at: null,
    })
    site.behave(null)
    const mended = await post(app, staff, { ...DRAGON, price: 29.99 })
    expect([mended.statusCode, mended.json<PublishedProduct>()]).toMatchObject([
      200,
      { id, price: 29.99, status: 'published', failure_reason: null, publication: { number: 1, tries: 2 } },
    ])
    const sent = site.requests.filter(({ method }) => method === 'POST')
    expect([sent.length, new Set(sent.map(({ headers }) => headers['idempotency-key'])).size]).toEqual([2, 1])
    expect([...site.products.values()].map(({ body }) => body['price'])).toEqual([29.99])
    const failed = (await entriesOf(app)).find(({ action }) => action === 'product.publication_failed')
    expect(failed).toMatchObject({ entity_name: 'Dragon', after: { reason: 'Price is too low', tries: 1 } })
    const [only] = await get<Publication[]>(app, staff, `/${id}/publications`)
    expect(only).toMatchObject({ tries: 2, status: 'published', actor: { name: 'The staff' } })
    expect(JSON.stringify(only)).not.toContain(site.requests[0]?.headers['idempotency-key'])
  })

  it('later changes of a published product are sent as new publications, and its slug cannot be changed', async () => {
    const site = await aMainSite()
    const { app, staff } = await aShop(site)
    const { id } = (await post(app, staff)).json<PublishedProduct>()
    expect(
      (await update(app, staff, id, { stl_file_ids: [await aModel(app, { title: 'M' })] })).json<Product>(),
    ).toMatchObject({
      has_unpublished_changes: false,
    })
    expect((await update(app, staff, id, { price: 9 })).json<Product>().has_unpublished_changes).toBe(true)
    expect((await update(app, staff, id, { slug: 'other' })).json<ErrorBody>().code).toBe('slug_fixed')
    site.behave(answering(500, ''))
    expect((await publish(app, staff, id)).statusCode).toBe(502)
    expect(await get<Product>(app, staff, `/${id}`)).toMatchObject({
      status: 'published',
      failure_reason: 'HTTP 500: Internal Server Error',
      has_unpublished_changes: true,
    })
    site.behave(null)
    expect((await publish(app, staff, id)).json<PublishedProduct>()).toMatchObject({
      has_unpublished_changes: false,
      publication: { number: 2, tries: 2 },
    })
    // The server looks the product up on the site before the second attempt.
    const asked = ['POST', 'POST', 'GET', 'POST']
    expect(site.requests.map(({ method }) => method)).toEqual(asked)
    // The product has no changes, so it is not sent again.
    expect((await publish(app, staff, id)).json<PublishedProduct>().publication.number).toBe(2)
    expect(site.requests).toHaveLength(asked.length)
  })

  it('T93 POST /api/admin/products returns the same response for a repeated key, and 409 if the body differs', async () => {
    const site = await aMainSite()
    const { app, staff } = await aShop(site)
    const keyed = { ...staff, 'idempotency-key': 'press-1' }
    const twins = await Promise.all(Array.from({ length: 20 }, () => post(app, keyed)))
    expect(new Set(twins.map(({ statusCode, body }) => `${statusCode} ${body}`)).size).toBe(1)
    expect([twins[0]?.statusCode, site.requests.length]).toEqual([201, 1])
    expect((await post(app, keyed, { ...DRAGON, name: 'Other' })).json<ErrorBody>().code).toBe(
      'idempotency_key_reused',
    )
    expect((await post(app, { ...staff, 'idempotency-key': 'x'.repeat(256) })).statusCode).toBe(400)
    site.behave(answering(500, 'down'))
    const later = { ...staff, 'idempotency-key': 'press-2' }
    const egg = { ...DRAGON, slug: 'egg' }
    expect((await post(app, later, egg)).statusCode).toBe(502)
    site.behave(null)
    expect((await post(app, later, egg)).statusCode).toBe(201)
  })

  it('T93 POST /api/products/{id}/publish publishes once per key, repeats a failed publication, and refuses another request with the key', async () => {
    const site = await aMainSite()
    const { app, staff } = await aShop(site)
    const { id } = (await post(app, staff)).json<PublishedProduct>()
    const posted = () => site.requests.filter(({ method }) => method === 'POST').length
    await update(app, staff, id, { price: 9 })
    const keyed = { ...staff, 'idempotency-key': 'publish-1' }
    site.behave(answering(500, 'down'))
    expect((await publish(app, keyed, id, {})).statusCode).toBe(502)
    expect(posted()).toBe(2)
    site.behave(null)
    const twins = await Promise.all(Array.from({ length: 10 }, () => publish(app, keyed, id, {})))
    expect(new Set(twins.map(({ statusCode, body }) => `${statusCode} ${body}`)).size).toBe(1)
    expect([twins[0]?.statusCode, twins[0]?.json<PublishedProduct>().publication, posted()]).toMatchObject([
      200,
      { number: 2, tries: 2, status: 'published' },
      3,
    ])
    // This change was made after the request, so repeating the request does not send it.
    await update(app, staff, id, { price: 8 })
    const repeated = await publish(app, keyed, id, {})
    expect([repeated.statusCode, repeated.json<PublishedProduct>().publication.number, posted()]).toEqual([
      200, 2, 3,
    ])
    const other = await publish(app, keyed, id, { again: true })
    expect([other.statusCode, other.json<ErrorBody>().code]).toEqual([409, 'idempotency_key_reused'])
    const tooLong = await publish(app, { ...staff, 'idempotency-key': 'x'.repeat(256) }, id)
    expect([tooLong.statusCode, posted()]).toEqual([400, 3])
  })
})

describe('the license gate of a publication', () => {
  it('the license gate blocks a product until an admin gives a reason, and again after a new finding', async () => {
    const site = await aMainSite()
    const { app, staff } = await aShop(site)
    const [bad, unknown] = [
      await aModel(app, { title: 'Skull', licenseType: 'CC BY-NC' }),
      await aModel(app, { title: 'Logo', licenseType: 'Custom' }),
    ]
    const body = { ...DRAGON, stl_file_ids: [bad] }
    const blocked = await post(app, staff, body)
    expect([blocked.statusCode, blocked.json()]).toEqual([
      409,
      {
        detail: '“Skull”: CC BY-NC forbids selling prints.',
        code: 'license_blocked',
        errors: [{ path: 'stl_file_ids', message: '“Skull”: CC BY-NC forbids selling prints.' }],
      },
    ])
    expect([site.requests, await get<Product[]>(app, staff, '')]).toEqual([[], []])
    const withReason = { ...body, license_override: { reason: 'Bought a commercial license' } }
    expect((await post(app, staff, withReason)).statusCode).toBe(403)
    const allowed = await post(app, await app.as('admin'), withReason)
    expect(allowed.json<PublishedProduct>()).toMatchObject({
      status: 'published',
      license_override: { reason: 'Bought a commercial license', by: 'The admin' },
    })
    const { id } = allowed.json<PublishedProduct>()
    const entry = (await entriesOf(app)).find(({ action }) => action === 'product.license_overridden')
    expect(entry).toMatchObject({
      entity_id: id,
      actor_name: 'The admin',
      after: { reason: 'Bought a commercial license' },
    })
    await update(app, staff, id, { price: 5 })
    expect((await publish(app, staff, id)).statusCode).toBe(200)
    await update(app, staff, id, { price: 6, stl_file_ids: [bad, unknown] })
    expect((await publish(app, staff, id)).statusCode).toBe(409)
    for (const reason of ['', ' ', null]) {
      const answer = await publish(app, await app.as('owner'), id, { license_override: { reason } })
      expect(answer.statusCode).toBe(422)
    }
    expect(
      (await publish(app, await app.as('owner'), id, { license_override: { reason: 'Asked them' } }))
        .statusCode,
    ).toBe(200)
  })
})

describe('POST /api/admin/products refuses bad input', () => {
  it('POST /api/admin/products names each violated rule, and stores nothing', async () => {
    const { app, staff } = await aShop(await aMainSite())
    const wrong: [object, string, string][] = [
      [{ name: '' }, 'name', 'Product name is required'],
      [{ slug: '' }, 'slug', 'Product slug is required'],
      [{ slug: 'A b' }, 'slug', 'Slug must contain only lowercase letters, numbers, and hyphens'],
      [{ category: '' }, 'category', 'Category is required'],
      [{ price: '' }, 'price', 'Price must be a positive number'],
      [{ price: -1 }, 'price', 'Price must be a positive number'],
      [{ price: 1.001 }, 'price', 'Price has more decimals than USD has'],
      [{ stock: -1 }, 'stock', 'Stock must be a non-negative number'],
      [{ description: '' }, 'description', 'Description is required'],
      [{ bulkTiers: {} }, 'bulkTiers', 'Bulk tiers must be an array'],
      [{ bulkTiers: [{ quantity: 5 }] }, 'bulkTiers', 'Tier 1 must have quantity and price'],
      [{ bulkTiers: '[' }, 'bulkTiers', 'Invalid JSON format for bulk tiers'],
      [{ designerUrl: 'x' }, 'designerUrl', 'Designer URL must be a valid URL'],
    ]
    for (const [change, path, message] of wrong) {
      const answer = await post(app, staff, { ...DRAGON, ...change })
      expect([change, answer.statusCode, answer.json()]).toEqual([
        change,
        422,
        { detail: message, errors: [{ path, message }] },
      ])
    }
    const nothing = ['name', 'slug', 'category', 'price', 'stock', 'description']
    for (const empty of [{}, Object.fromEntries(nothing.map((field) => [field, null]))])
      expect((await post(app, staff, empty)).json<ErrorBody>().errors?.map(({ message }) => message)).toEqual(
        [
          'Product name is required',
          'Product slug is required',
          'Category is required',
          'Price must be a positive number',
          'Stock must be a non-negative number',
          'Description is required',
        ],
      )
    const none = await post(app, staff, { ...DRAGON, stl_file_ids: [crypto.randomUUID()] })
    expect(none.statusCode).toBe(404)
    expect((await post(app, staff, { ...DRAGON, inventory_item_id: crypto.randomUUID() })).statusCode).toBe(
      404,
    )
    expect(await get<Product[]>(app, staff, '')).toEqual([])
  })

  it('POST /api/admin/products refuses a slug that another published product has', async () => {
    const { app, staff } = await aShop(await aMainSite())
    await post(app, staff)
    expect((await post(app, staff, { ...DRAGON, name: 'Another' })).json<ErrorBody>().code).toBe('slug_taken')
    expect((await publish(app, staff, crypto.randomUUID())).statusCode).toBe(404)
  })
})

it('POST /api/admin/products refuses viewers with 403 and callers without a token with 401', async () => {
  const site = await aMainSite()
  const { app } = await aShop(site)
  expect((await post(app, await app.as('viewer'), {})).statusCode).toBe(403)
  expect((await post(app, {})).statusCode).toBe(401)
  expect(site.requests).toEqual([])
})
