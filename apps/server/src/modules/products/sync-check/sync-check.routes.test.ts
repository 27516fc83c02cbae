import type { ErrorBody } from '@pegasus/contracts/fields'
import type { Product } from '@pegasus/contracts/products/products'
import type { PublishedProduct } from '@pegasus/contracts/products/publishing'
import { describe, expect, it } from 'vitest'
import { entriesOf } from '../../../../test/support/audit-entries.ts'
import type { TestApp } from '../../../../test/support/build-test-app.ts'
import {
  aMainSite,
  answering,
  json,
  type SiteBehavior,
  type TestSite,
} from '../../../../test/servers/main-site-server.ts'
import { untilWaiting } from '../../../../test/support/database/lock-waits.ts'
import {
  aShop,
  DRAGON,
  get,
  MAIN_SITE_KEY,
  post,
  publish,
  update,
} from '../../../../test/support/publishing.ts'
import { HOUR_MS } from '../../../platform/clock.ts'

const MEDIA = '/storage/v1/object/public/product-images/images/products/dragon.jpg'
const WITH_MEDIA = { ...DRAGON, images: [MEDIA], posterUrl: MEDIA }

async function aPublishedDragon() {
  const site = await aMainSite()
  const { app, staff } = await aShop(site)
  const { id } = (await post(app, staff, WITH_MEDIA)).json<PublishedProduct>()
  return { site, app, staff, id }
}

/** Changes these fields of all products on the site itself. */
function changeThere(site: TestSite, fields: Record<string, unknown>): void {
  for (const { body } of site.products.values()) Object.assign(body, fields)
}

const call = (app: TestApp, headers: Record<string, string>, path: string, body?: object) =>
  app.http.inject({
    method: 'POST',
    url: `/api/products${path}`,
    headers,
    ...(body && { payload: body }),
  })
const check = async (app: TestApp, headers: Record<string, string>, id: string) =>
  (await call(app, headers, `/${id}/check`)).json<Product>()
const sentTo = (site: TestSite) => site.requests.filter(({ method }) => method === 'POST').length
const askedOf = (site: TestSite) => site.requests.filter(({ method }) => method === 'GET').length

describe('POST /api/products/{id}/check', () => {
  it('a product check reports equal fields, and each differing field with the time when it was first seen', async () => {
    const { site, app, staff, id } = await aPublishedDragon()
    expect((await get<Product>(app, staff, `/${id}`)).site_check).toBeNull()
    const same = await check(app, staff, id)
    const moment = app.clock.now().toISOString()
    expect(same.site_check).toMatchObject({ outcome: 'same', problem: null, differences: [] })
    expect(Date.parse(same.site_check?.checked_at ?? '')).toBe(Date.parse(moment))

    const elsewhere = ['https://ops.example/storage/v1/other.jpg', 'https://cdn.example/a.jpg']
    changeThere(site, { name: 'Dragon, red', price: '17.50', stock: 1, images: elsewhere, posterUrl: null })
    const since = app.clock.now().toISOString()
    expect((await check(app, staff, id)).site_check).toMatchObject({
      outcome: 'differs',
      differences: [
        { field: 'name', ours: 'Dragon', theirs: 'Dragon, red', since },
        { field: 'price', ours: 19.99, theirs: 17.5, since },
        { field: 'stock', ours: 3, theirs: 1, since },
        { field: 'images', ours: [MEDIA], theirs: ['/storage/v1/other.jpg', 'https://cdn.example/a.jpg'] },
        { field: 'posterUrl', ours: MEDIA, theirs: null, since },
      ],
    })

    // A changed value gets a new time. The other values keep their times.
    app.clock.advance(HOUR_MS)
    changeThere(site, { stock: 0 })
    const later = (await check(app, await app.as('staff'), id)).site_check?.differences ?? []
    expect(later.filter((each) => each.since !== since).map(({ field }) => field)).toEqual(['stock'])
    const differing = await get<Product[]>(app, await app.as('viewer'), '?differs=true')
    expect(differing.map((each) => each.id)).toEqual([id])
    expect(await get<Product[]>(app, await app.as('viewer'), '?differs=true&search=elf')).toEqual([])
  })

  it('a product check does not report an unpublished change as a difference', async () => {
    const { site, app, staff, id } = await aPublishedDragon()
    await update(app, staff, id, { price: 25 })
    expect(await check(app, staff, id)).toMatchObject({
      has_unpublished_changes: true,
      site_check: {
        outcome: 'same',
        differences: [],
        unpublished: [{ field: 'price', ours: 25, theirs: 19.99 }],
      },
    })
    changeThere(site, { price: 18 })
    expect((await check(app, staff, id)).site_check).toMatchObject({
      differences: [{ field: 'price', ours: 25, theirs: 18 }],
      unpublished: [],
    })
    // A person enters the value that the site already has.
    const typed = (await update(app, staff, id, { price: 18 })).json<Product>()
    expect(typed.site_check).toMatchObject({ outcome: 'same', differences: [] })
  })

  it('unpublished changes are listed with their current values until the site has received them', async () => {
    const { app, staff, id } = await aPublishedDragon()
    await check(app, staff, id)
    const unpublished = async () => (await get<Product>(app, staff, `/${id}`)).site_check?.unpublished
    expect(await unpublished()).toEqual([])
    await update(app, staff, id, { price: 25, images: [], description: 'Nobody compares this' })
    expect(await unpublished()).toEqual([
      { field: 'price', ours: 25, theirs: 19.99 },
      { field: 'images', ours: [], theirs: [MEDIA] },
    ])
    await publish(app, staff, id)
    expect(await unpublished()).toEqual([])
  })

  it.each<[string, SiteBehavior, string]>([
    ['is away', (response) => void response.destroy(), 'was interrupted before the site responded'],
    ['is being mended', answering(503, 'Back at noon'), 'Back at noon'],
    ['does not know us any more', json(401, { error: `wrong key ${MAIN_SITE_KEY}` }), 'wrong key •••'],
    ['answers with a page', answering(200, '<html>hi</html>', { 'content-type': 'text/html' }), 'web page'],
    ['answers nonsense', json(200, [1, 2]), 'does not contain this product'],
    ['tells of a price that is none', json(200, { slug: 'dragon', price: 'soon' }), 'a price that no'],
    ['tells of half a cent', json(200, { slug: 'dragon', price: 1.005 }), 'a price that no product can have'],
    ['tells of less than nothing', json(200, { slug: 'dragon', stock: -1 }), 'a stock that no product'],
    [
      'names a script as picture',
      json(200, { slug: 'dragon', images: ['javascript:1'] }),
      'pictures that no',
    ],
    ['tells nothing of it', json(200, { slug: 'dragon' }), 'no values of this product that could be'],
  ])('a product check keeps the known differences if the site %s', async (_, behavior, problem) => {
    const { site, app, staff, id } = await aPublishedDragon()
    changeThere(site, { price: 18 })
    const known = await check(app, staff, id)
    site.behave(behavior)
    app.clock.advance(HOUR_MS)
    const tried = await check(app, staff, id)
    expect(tried).toEqual({
      ...known,
      site_check: {
        ...known.site_check,
        problem: expect.stringContaining(problem),
        checked_at: expect.not.stringContaining(known.site_check?.checked_at ?? ''),
      },
    })
    site.behave(null)
    expect((await check(app, staff, id)).site_check).toMatchObject({ outcome: 'differs', problem: null })
  })

  it('a product check distinguishes a deleted product from a site that does not report its products', async () => {
    const { site, app, staff, id } = await aPublishedDragon()
    site.behave(json(404, { error: 'Not found' }))
    expect((await check(app, staff, id)).site_check).toMatchObject({
      outcome: 'unknown',
      problem: 'The main site does not report the values of its products.',
    })
    site.behave(null)
    await check(app, staff, id)
    site.products.clear()
    expect(await check(app, staff, id)).toMatchObject({
      status: 'published',
      site_check: { outcome: 'missing', problem: null },
    })
    expect(await get<Product[]>(app, staff, '?differs=true')).toHaveLength(1)
    const brought = (await publish(app, staff, id, { again: true })).json<PublishedProduct>()
    expect(brought.site_check).toMatchObject({ outcome: 'same' })
    expect([...site.products.values()]).toMatchObject([{ slug: 'dragon' }])
  })

  it('a product check refuses products that the site never received, and unknown products', async () => {
    const site = await aMainSite()
    const { app, staff } = await aShop(site)
    const add = { method: 'POST' as const, url: '/api/products', headers: staff, payload: DRAGON }
    const { id } = (await app.http.inject(add)).json<Product>()
    expect((await call(app, staff, `/${id}/check`)).json<ErrorBody>()).toMatchObject({ code: 'not_on_site' })
    const nobody = await call(app, staff, '/00000000-0000-7000-8000-000000000000/check')
    expect(nobody.statusCode).toBe(404)
    const { app: alone, staff: theirs } = await aShop()
    const local = (await post(alone, theirs)).json<PublishedProduct>()
    expect((await call(alone, theirs, `/${local.id}/check`)).statusCode).toBe(409)
    expect(askedOf(site)).toBe(0)
  })
})

describe('the periodic comparison with the main site', () => {
  it('the periodic comparison asks the site for each published product once an hour, and runs in one process at a time', async () => {
    const { site, app, staff, id } = await aPublishedDragon()
    const other = await app.replica()
    const asked = async () => {
      const before = askedOf(site)
      await Promise.all([app.siteChecks.run(), other.siteChecks.run()])
      return askedOf(site) - before
    }
    expect(await asked()).toBe(0)
    app.clock.advance(HOUR_MS)
    changeThere(site, { price: 18 })
    expect([await asked(), await asked()]).toEqual([1, 0])
    expect((await get<Product>(app, staff, `/${id}`)).site_check?.outcome).toBe('differs')
    await app.http.inject({ method: 'DELETE', url: `/api/products/${id}`, headers: staff })
    app.clock.advance(2 * HOUR_MS)
    expect(await asked()).toBe(0)
  })

  it('the periodic comparison stops asking a site that is unavailable', async () => {
    const { site, app, staff } = await aPublishedDragon()
    for (const slug of ['elf', 'orc', 'rat']) await post(app, staff, { ...DRAGON, slug })
    app.clock.advance(HOUR_MS)
    site.behave(answering(503, 'Back at noon'))
    await app.siteChecks.run()
    expect(askedOf(site)).toBe(1)
    site.behave(null)
    await app.siteChecks.run()
    expect(askedOf(site)).toBe(4)
  })
})

describe('POST /api/products/{id}/accept', () => {
  it('POST /api/products/{id}/accept accepts the shown values as a recorded edit, and sends nothing', async () => {
    const { site, app, staff, id } = await aPublishedDragon()
    changeThere(site, { price: 18, stock: 1, images: ['https://cdn.example/a.jpg'] })
    const { revision } = await check(app, staff, id)
    const headers = { ...staff, 'if-match': `"${revision}"` }
    const taken = await call(app, headers, `/${id}/accept`, { price: 18 })
    expect(taken.json<Product>()).toMatchObject({
      price: 18,
      stock: 3,
      revision: revision + 1,
      has_unpublished_changes: false,
      site_check: { outcome: 'differs', differences: [{ field: 'stock' }, { field: 'images' }] },
    })
    expect(taken.headers['etag']).toBe(`"${revision + 1}"`)
    const all = { stock: 1, images: ['https://cdn.example/a.jpg'] }
    const rest = await call(app, { ...staff, 'if-match': `"${revision + 1}"` }, `/${id}/accept`, all)
    expect(rest.json<Product>()).toMatchObject({
      ...all,
      has_unpublished_changes: false,
      site_check: { outcome: 'same', differences: [] },
    })
    const entries = (await entriesOf(app)).filter(({ action }) => action === 'product.updated')
    expect(
      entries.map(({ before, after }) => [before?.['price_minor'], after?.['price_minor']]),
    ).toContainEqual([1999, 1800])
    expect(sentTo(site)).toBe(1)
    expect((await check(app, staff, id)).site_check?.outcome).toBe('same')

    // The accepted value now counts as the last known value of the site, instead of the sent value.
    changeThere(site, { price: 19.99 })
    expect((await check(app, staff, id)).site_check?.differences).toMatchObject([
      { field: 'price', ours: 18, theirs: 19.99 },
    ])
  })

  it('POST /api/products/{id}/accept keeps our own unpublished changes', async () => {
    const { site, app, staff, id } = await aPublishedDragon()
    await update(app, staff, id, { description: 'Breathes ice' })
    changeThere(site, { price: 18 })
    const { revision } = await check(app, staff, id)
    const taken = await call(app, { ...staff, 'if-match': `"${revision}"` }, `/${id}/accept`, { price: 18 })
    expect(taken.json<Product>()).toMatchObject({ price: 18, has_unpublished_changes: true })
  })

  it('POST /api/products/{id}/accept refuses an outdated revision, an empty choice, and values that the site did not show', async () => {
    const { site, app, staff, id } = await aPublishedDragon()
    changeThere(site, { price: 18 })
    const { revision } = await check(app, staff, id)
    const accept = (body: object, ifMatch?: string) =>
      call(app, { ...staff, ...(ifMatch && { 'if-match': ifMatch }) }, `/${id}/accept`, body)
    expect((await accept({ price: 18 })).statusCode).toBe(428)
    expect((await accept({ price: 18 }, `"${revision + 1}"`)).statusCode).toBe(412)
    const refused: [object, number][] = [
      [{ price: 2 }, 409],
      [{ price: 18, stock: 7 }, 409],
      [{ description: 'x' }, 422],
      [{}, 422],
      [{ price: -1 }, 422],
    ]
    for (const [body, status] of refused)
      expect([body, (await accept(body, '*')).statusCode]).toEqual([body, status])
    expect(await get<Product>(app, staff, `/${id}`)).toMatchObject({ price: 19.99, revision })
  })
})

describe('overwriting the site with our values', () => {
  it('fifty requests to republish send the whole product once, and a failed request can be retried', async () => {
    const { site, app, staff, id } = await aPublishedDragon()
    changeThere(site, { price: 18, name: 'Elf' })
    await check(app, staff, id)
    // Without `again`, publishing sends nothing, because the product has no unpublished changes.
    await publish(app, staff, id)
    expect(sentTo(site)).toBe(1)
    site.behave(answering(503, 'Back at noon'))
    expect((await publish(app, staff, id, { again: true })).statusCode).toBe(502)
    expect(await get<Product>(app, staff, `/${id}`)).toMatchObject({
      status: 'published',
      failure_reason: 'Back at noon',
      site_check: { outcome: 'differs' },
    })
    site.behave(null)
    const presses = await Promise.all(
      Array.from({ length: 50 }, () => publish(app, staff, id, { again: true })),
    )
    expect(new Set(presses.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
    expect((await check(app, staff, id)).site_check).toMatchObject({ outcome: 'same', differences: [] })
    // The site received the first publication, the failed one, and a single one for all fifty requests, with the key of
    // the failed one. The test site counts one product for each key.
    expect([sentTo(site), site.products.size]).toEqual([3, 2])
  })

  it('T92 republishing sends nothing if the product was sent while the request waited', async () => {
    const { site, app, staff, id } = await aPublishedDragon()
    changeThere(site, { price: 18 })
    await check(app, staff, id)
    const press = Promise.withResolvers<Awaited<ReturnType<typeof publish>>>()
    // Imitates the end of a process that was sending: it writes the product first, and then the result of the check.
    await app.database.transaction(async (tx) => {
      await tx`update products set updated_at = updated_at where id = ${id}`
      void publish(app, staff, id, { again: true }).then(press.resolve, press.reject)
      await untilWaiting(app, 1)
      await tx`update site_checks set outcome = 'same', differences = '[]' where product_id = ${id}`
    })
    expect((await press.promise).json<Product>().site_check).toMatchObject({ outcome: 'same' })
    expect(sentTo(site)).toBe(1)
  })
})
