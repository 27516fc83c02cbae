import type { ErrorBody } from '@pegasus/contracts/fields'
import type { Product } from '@pegasus/contracts/products/products'
import type { PublishedProduct } from '@pegasus/contracts/products/publishing'
import { describe, expect, it } from 'vitest'
import { isLongRun } from '../../../../test/process/product-process.ts'
import { entriesOf } from '../../../../test/support/audit-entries.ts'
import { buildTestApp } from '../../../../test/support/build-test-app.ts'
import {
  aMainSite,
  answering,
  json,
  type SiteBehavior,
  sendProduct,
  take,
} from '../../../../test/servers/main-site-server.ts'
import {
  aShop,
  DRAGON,
  get,
  MAIN_SITE_KEY,
  post,
  publish,
  update,
} from '../../../../test/support/publishing.ts'
import { MINUTE_MS } from '../../../platform/clock.ts'

describe('publishing a product during failures', () => {
  it('T92 fifty parallel requests to publish a product make one publication', async () => {
    const site = await aMainSite()
    const { app, staff } = await aShop(site)
    const rounds = 4
    let doubles = 0
    for (let round = 0; round < rounds; round += 1) {
      const body = { ...DRAGON, slug: `dragon-${round}` }
      const presses = await Promise.all(Array.from({ length: 50 }, () => post(app, staff, body)))
      expect(presses.filter(({ statusCode }) => statusCode === 201)).toHaveLength(1)
      expect(presses.filter(({ statusCode }) => statusCode === 200)).toHaveLength(49)
      if (
        site.requests.filter(({ body: sent }) => (sent as { slug: string }).slug === body.slug).length !== 1
      )
        doubles += 1
    }
    const [{ count }] = await app.database.sql<
      [{ count: number }]
    >`select count(*)::int as count from publications`
    console.info(
      `T92 products on the site after 50 presses each ${site.products.size} of ${rounds}, doubled ${doubles}`,
    )
    expect([site.products.size, count, doubles]).toEqual([rounds, rounds, 0])
  })

  it.each<[string, SiteBehavior]>([
    ['an empty body', answering(200, '')],
    ['plain text', answering(200, 'created')],
    ['an error', json(200, { error: 'queued' })],
    ['another product', json(201, { id: 'p-9', slug: 'other' })],
  ])('T106 a success status with %s counts only if the site has the product', async (_, answer) => {
    const site = await aMainSite()
    const { app, staff } = await aShop(site)
    let takes = false
    site.behave((response, request) => {
      if (request.method === 'GET') return sendProduct(site, request)(response, request)
      if (takes) take(site, request)
      return answer(response, request)
    })
    const refused = await post(app, staff)
    const { product_id: id } = refused.json<{ product_id: string }>()
    const { status } = await get<Product>(app, staff, `/${id}`)
    expect([refused.statusCode, status]).toEqual([502, 'failed'])
    takes = true
    const published = await post(app, staff, { ...DRAGON, slug: 'wyvern' })
    expect([published.statusCode, published.json<PublishedProduct>().status]).toEqual([201, 'published'])
    expect(site.products.size).toBe(1)
  })

  it.each<[string, SiteBehavior, number]>([
    ['an id', json(201, { id: 7 }), 201],
    ['`success`', json(200, { success: true }), 201],
    ['the product without an id', json(201, { product: { slug: DRAGON.slug } }), 201],
    ['an empty object', json(200, {}), 502],
    ['another slug', json(200, { id: 7, slug: 'other' }), 502],
  ])('a site that only knows the call for publishing, and responds with %s', async (_, answer, status) => {
    const site = await aMainSite()
    const { app, staff } = await aShop(site)
    site.behave((response, request) =>
      (request.method === 'POST' ? answer : answering(404, 'Not found'))(response, request),
    )
    expect((await post(app, staff, DRAGON)).statusCode).toBe(status)
    // This site certainly does not have the product (410), so its success response is not believed.
    site.behave((response, request) =>
      (request.method === 'POST' ? answer : answering(410, 'Gone'))(response, request),
    )
    expect((await post(app, staff, { ...DRAGON, slug: 'second-dragon' })).statusCode).toBe(502)
  })

  it("a product that counts as published without a look-up keeps the id and the address from the site's response", async () => {
    const site = await aMainSite()
    const { app, staff } = await aShop(site)
    site.behave((response, request) =>
      (request.method === 'POST' ? json(201, { id: 7, url: '/p/7' }) : answering(404, 'Not found'))(
        response,
        request,
      ),
    )
    const { id } = (await post(app, staff)).json<PublishedProduct>()
    expect(await get<Product>(app, staff, `/${id}`)).toMatchObject({
      status: 'published',
      site_url: `${site.url}/p/7`,
    })
    const stored = await app.database.sql`select site_product_id from products where id = ${id}`
    expect(stored).toEqual([{ site_product_id: '7' }])
  })

  it('a product that the site does not find is not published if the site has reported any product before', async () => {
    const site = await aMainSite()
    const { app, staff } = await aShop(site)
    const { id } = (await post(app, staff)).json<PublishedProduct>()
    const check = await app.http.inject({ method: 'POST', url: `/api/products/${id}/check`, headers: staff })
    expect(check.json<Product>().site_check?.outcome).toBe('same')
    // The site responds to publishing with an id, but the look-up shows that it does not have the product.
    site.behave((response, request) =>
      (request.method === 'POST' ? json(201, { id: 7 }) : json(404, {}))(response, request),
    )
    const refused = await post(app, staff, { ...DRAGON, slug: 'wyvern' })
    expect(refused.statusCode).toBe(502)
    const { product_id: other } = refused.json<{ product_id: string }>()
    expect((await get<Product>(app, staff, `/${other}`)).status).toBe('failed')
  })

  it('T92 parallel requests to publish a product on two servers make one publication', async () => {
    const site = await aMainSite()
    const { app, staff } = await aShop(site)
    const other = await app.replica()
    const presses = await Promise.all([app, other, app, other].map((each) => post(each, staff)))
    expect(presses.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([
      200, 200, 200, 201,
    ])
    expect([site.products.size, site.requests.length]).toEqual([1, 1])
  })

  it('T92 T106 a product is published once, even after a crash before the result is recorded or a broken response', async () => {
    const site = await aMainSite()
    const { app } = await aShop(site)
    const faults = isLongRun ? 200 : 25
    let lost = 0
    for (let number = 0; number < faults; number += 1) {
      const slug = `fault-${number}`
      // The clock moves on, so an earlier token would have expired.
      const staff = await app.as('staff')
      // The site creates the product, but its response is lost or broken.
      site.behave((response, request) => {
        if (request.method !== 'GET') take(site, request)
        if (number % 3 === 0) response.destroy()
        else if (number % 3 === 1) answering(500, 'late failure')(response, request)
        else answering(200, '<html>gateway</html>', { 'content-type': 'text/html' })(response, request)
      })
      const broken = await post(app, staff, { ...DRAGON, slug })
      expect(broken.statusCode).toBe(502)
      const { product_id: id } = broken.json<{ product_id: string }>()
      // Imitates a process that ended before it recorded the response.
      if (number % 2 === 0) {
        await app.database.sql`
          update publications set status = 'sending', finished_at = null where product_id = ${id}`
        await app.database.sql`update products set status = 'publishing' where id = ${id}`
        app.clock.advance(2 * MINUTE_MS)
      }
      site.behave(null)
      if (number % 2 === 0) await app.publications.run()
      else expect((await publish(app, staff, id)).statusCode).toBe(200)
      if ((await get<Product>(app, staff, `/${id}`)).status !== 'published') lost += 1
    }
    const doubled = site.products.size - faults
    console.info(`T92 T106 after ${faults} faults: lost ${lost}, doubled ${doubled} of ${faults}`)
    expect([lost, doubled]).toEqual([0, 0])
  })

  it('T92 a product is created once even on a site that ignores the idempotency key', async () => {
    const site = await aMainSite()
    const { app, staff } = await aShop(site)
    const made: string[] = []
    const faults = 5
    for (let number = 0; number < faults; number += 1) {
      const slug = `deaf-${number}`
      const keyless: SiteBehavior = (response, request) => {
        if (request.method === 'GET') {
          const path = request.path.split('/').at(-1) ?? ''
          const answer = made.includes(path)
            ? json(200, { ...DRAGON, slug: path, price: '19.99' })
            : json(404, {})
          return answer(response, request)
        }
        made.push(slug)
        return void response.destroy()
      }
      site.behave(keyless)
      const broken = await post(app, staff, { ...DRAGON, slug })
      expect(broken.statusCode).toBe(502)
      const again = await post(app, staff, { ...DRAGON, slug })
      expect([again.statusCode, again.json<PublishedProduct>().status]).toEqual([200, 'published'])
    }
    console.info(`T92 products on a site without keys ${made.length} after ${faults} lost answers`)
    expect(made).toHaveLength(faults)
    // The site reports a product with this slug, but has not received this change.
    site.behave((response, request) =>
      request.method === 'GET'
        ? json(200, { ...DRAGON, slug: 'deaf-0' })(response, request)
        : answering(500, '')(response, request),
    )
    const [row] = await get<Product[]>(app, staff, '?search=deaf-0')
    await update(app, staff, row!.id, { price: 5 })
    for (const _ of [1, 2]) expect((await publish(app, staff, row!.id)).statusCode).toBe(502)
    expect(site.requests.at(-1)).toMatchObject({ method: 'POST', body: { price: 5 } })
  })

  it('T106 the key of the main site appears in no response, publication row, audit entry or log line', async () => {
    const site = await aMainSite()
    const lines: string[] = []
    const app = await buildTestApp({
      variables: { MAIN_SITE_URL: site.url, MAIN_SITE_ADMIN_KEY: MAIN_SITE_KEY },
      logTo: { write: (line) => void lines.push(line) },
    })
    const staff = await app.as('staff')
    site.behave(json(401, { message: `bad key ${MAIN_SITE_KEY}` }))
    const answers = [(await post(app, staff)).body, (await app.http.inject('/api/config')).body]
    const rows = await app.database.sql`select to_jsonb(p) as row from publications p`
    const all = [...answers, ...lines, JSON.stringify(rows), JSON.stringify(await entriesOf(app))]
    const found = all.filter((text) => text.includes(MAIN_SITE_KEY)).length
    console.info(`T106 places that hold the key of the main site ${found} of ${all.length}`)
    expect(found).toBe(0)
  })

  it('a product that is being sent cannot be deleted or get another slug, and its later changes are sent afterwards', async () => {
    const site = await aMainSite()
    const { app, staff } = await aShop(site)
    const arrived = Promise.withResolvers<void>()
    const answer = Promise.withResolvers<void>()
    site.behave((response, request) => {
      arrived.resolve()
      void answer.promise.then(() => json(201, take(site, request))(response, request))
    })
    const first = post(app, staff)
    await arrived.promise
    const [row] = await get<Product[]>(app, staff, '')
    expect(row?.status).toBe('publishing')
    expect((await post(app, staff, { ...DRAGON, price: 1 })).json<ErrorBody>().code).toBe(
      'product_publishing',
    )
    expect((await update(app, staff, row!.id, { slug: 'other' })).json<ErrorBody>().code).toBe('slug_fixed')
    const removal = await app.http.inject({
      method: 'DELETE',
      url: `/api/products/${row!.id}`,
      headers: staff,
    })
    expect(removal.json<ErrorBody>().code).toBe('product_publishing')
    // This change is made after the publication in progress was recorded.
    await update(app, staff, row!.id, { price: 5 })
    const pressing = publish(app, staff, row!.id)
    // Let the second request reach the point at which it waits for the first publication.
    for (const _ of [1, 2, 3, 4]) await get(app, staff, `/${row!.id}`)
    answer.resolve()
    const pressed = await pressing
    expect((await first).json<PublishedProduct>()).toMatchObject({ status: 'published' })
    // The second request sends the change when the first publication is finished.
    expect([pressed.statusCode, pressed.json<PublishedProduct>()]).toMatchObject([
      200,
      { status: 'published', has_unpublished_changes: false, publication: { number: 2 } },
    ])
    const prices = site.requests.map(({ body }) => (body as { price: number }).price)
    expect(prices).toEqual([19.99, 5])
  })

  it('the retry of a publication records the site that gets the product, even if the first attempt went to another site', async () => {
    const site = await aMainSite()
    const { app, staff } = await aShop(site)
    site.behave(json(422, { error: 'no' }))
    const { product_id: id } = (await post(app, staff)).json<{ product_id: string }>()
    site.behave(null)
    await app.database.sql`
      update publications set status = 'pending', target = 'https://old.example' where product_id = ${id}`
    app.clock.advance(2 * MINUTE_MS)
    await app.publications.run()
    const check = await app.http.inject({ method: 'POST', url: `/api/products/${id}/check`, headers: staff })
    expect([check.statusCode, check.json<Product>().site_check?.outcome]).toEqual([200, 'same'])
  })
})
