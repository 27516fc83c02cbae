import { randomUUID } from 'node:crypto'
import type { ErrorBody } from '@pegasus/contracts/fields'
import type { Product } from '@pegasus/contracts/products/products'
import type { PublishedProduct } from '@pegasus/contracts/products/publishing'
import { describe, expect, it } from 'vitest'
import { aMainSite, answering, json, take } from '../../../../test/servers/main-site-server.ts'
import { aShop, DRAGON, get, post, publish, update } from '../../../../test/support/publishing.ts'

type Refusal = ErrorBody & { product_id: string }

describe('several requests for one product', () => {
  it('T92 in 100 runs, a product without a draft is created once, even if a response is lost and the slug changes', async () => {
    const site = await aMainSite()
    const { app, staff } = await aShop(site)
    const runs = 100
    const refusals: string[] = []
    for (let run = 0; run < runs; run += 1) {
      const idea = { ...DRAGON, slug: `idea-${run}`, making_id: randomUUID() }
      // The site creates the product in every run. In every second run, its response is lost.
      const isHeard = run % 2 === 0
      if (!isHeard)
        site.behave((response, request) => {
          take(site, request)
          if (run % 4 === 1) response.destroy()
          else answering(502, 'gateway')(response, request)
        })
      expect((await post(app, staff, idea)).statusCode).toBe(isHeard ? 201 : 502)
      site.behave(null)
      const renamed = await post(app, staff, { ...idea, slug: `other-${run}` })
      const { code, product_id: id, detail } = renamed.json<Refusal>()
      expect([renamed.statusCode, detail]).toEqual([409, expect.stringContaining(`“idea-${run}”`)])
      refusals.push(code ?? '')
      // The error message names the slug under which the site has the product. A request with that slug succeeds.
      const on = await post(app, staff, { ...idea, price: 21 })
      expect([on.statusCode, on.json<PublishedProduct>()]).toMatchObject([
        200,
        { id, slug: `idea-${run}`, price: 21, status: 'published', has_unpublished_changes: false },
      ])
    }
    const [{ count }] = await app.database.sql<
      [{ count: number }]
    >`select count(*)::int as count from products`
    // The test site stores one product for each key. A real site changes the product with the same slug, so count the
    // slugs.
    const slugs = new Set([...site.products.values()].map(({ slug }) => slug))
    console.info(
      `T92 products on the site of ${runs} ideas, each published under a second slug: ${slugs.size}`,
    )
    expect([slugs.size, count]).toEqual([runs, runs])
    expect(new Set(refusals)).toEqual(new Set(['slug_fixed', 'product_in_shop']))
  })

  it('a product stays one product even if its slug changes after a refusal or differs in parallel requests', async () => {
    const site = await aMainSite()
    const { app, staff } = await aShop(site)
    const idea = { ...DRAGON, making_id: randomUUID() }
    site.behave(json(422, { error: 'not a good slug' }))
    const { product_id: id } = (await post(app, staff, idea)).json<Refusal>()
    site.behave(null)
    expect((await post(app, staff, { ...idea, slug: 'red-dragon' })).json()).toMatchObject({
      id,
      slug: 'red-dragon',
      status: 'published',
    })
    const other = { ...DRAGON, making_id: randomUUID() }
    const presses = await Promise.all(
      ['one', 'two', 'three'].map((slug) => post(app, staff, { ...other, slug })),
    )
    expect(presses.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([201, 409, 409])
    expect(site.products.size).toBe(2)
  })

  it('a repeated request to publish changes neither a product that was edited after the first request, nor another product', async () => {
    const site = await aMainSite()
    const { app, staff } = await aShop(site)
    const idea = { ...DRAGON, making_id: randomUUID() }
    const { id } = (await post(app, staff, idea)).json<PublishedProduct>()
    await update(app, staff, id, { price: 30 })
    await publish(app, staff, id)
    const late = await post(app, staff, { ...idea, price: 5 })
    expect([late.statusCode, late.json<Refusal>()]).toEqual([
      409,
      {
        detail: 'This product is already in the shop, as “dragon”.',
        code: 'product_in_shop',
        product_id: id,
      },
    ])
    const another = await post(app, staff, { ...DRAGON, price: 5, making_id: randomUUID() })
    expect([another.statusCode, another.json<Refusal>()]).toMatchObject([
      409,
      { code: 'slug_taken', product_id: id },
    ])
    expect((await get<Product>(app, staff, `/${id}`)).price).toBe(30)
    // After the product has been deleted, the same request creates a new product.
    await app.http.inject({ method: 'DELETE', url: `/api/products/${id}`, headers: staff })
    expect((await post(app, staff, { ...idea, slug: 'new-dragon' })).statusCode).toBe(201)
  })

  it('POST /api/admin/products refuses an invalid `making_id`', async () => {
    const { app, staff } = await aShop()
    for (const making of ['', 'x'.repeat(36), 7, `${randomUUID()}0`]) {
      const answer = await post(app, staff, { ...DRAGON, making_id: making })
      expect([answer.statusCode, answer.json<ErrorBody>().errors?.[0]?.path]).toEqual([422, 'making_id'])
    }
  })
})
