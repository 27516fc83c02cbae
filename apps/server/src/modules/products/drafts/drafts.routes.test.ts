import type { ErrorBody } from '@pegasus/contracts/fields'
import type { Draft } from '@pegasus/contracts/products/drafts'
import { describe, expect, it } from 'vitest'
import { type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'
import { aMainSite, answering } from '../../../../test/servers/main-site-server.ts'
import { DAY_MS } from '../../../platform/clock.ts'

type Headers = Record<string, string>

const TYPED = { name: 'Dragon', slug: '', price: '12,', tags: 'a, b', bulkTiers: '[{', images: ['/a.jpg'] }

const call = (
  app: TestApp,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  headers: Headers,
  payload?: object,
) => app.http.inject({ method, url: `/api/drafts${path}`, headers, ...(payload && { payload }) })

const add = async (app: TestApp, headers: Headers, body: object = {}): Promise<Draft> =>
  (await call(app, 'POST', '', headers, { content: TYPED, ...body })).json<Draft>()

const idsOf = async (app: TestApp, headers: Headers): Promise<string[]> =>
  (await call(app, 'GET', '', headers)).json<Draft[]>().map(({ id }) => id)

describe('using drafts', () => {
  it('a draft keeps typed values even if they are invalid, and removes values that were cleared', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const added = await call(
      app,
      'POST',
      '',
      { ...staff, 'idempotency-key': 'd' },
      { content: TYPED, step: 2, extra: 1 },
    )
    expect([added.statusCode, added.headers.etag, added.json()]).toMatchObject([
      201,
      '"1"',
      {
        title: 'Dragon',
        content: TYPED,
        step: 2,
        is_shared: false,
        is_mine: true,
        owner: { name: 'The staff' },
        product_id: null,
      },
    ])
    const again = await call(
      app,
      'POST',
      '',
      { ...staff, 'idempotency-key': 'd' },
      { content: TYPED, step: 2, extra: 1 },
    )
    expect(again.body).toBe(added.body)
    const { id } = added.json<Draft>()
    expect((await call(app, 'PUT', `/${id}`, staff, { step: 3 })).statusCode).toBe(428)
    const saved = await call(
      app,
      'PUT',
      `/${id}`,
      { ...staff, 'if-match': '"1"' },
      { content: { slug: 'x' } },
    )
    expect(saved.json()).toMatchObject({
      title: 'Untitled product',
      content: { slug: 'x' },
      step: 2,
      revision: 2,
    })
    expect(saved.json<Draft>().content.name).toBeUndefined()
    const stale = await call(app, 'PUT', `/${id}`, { ...staff, 'if-match': '"1"' }, { step: 4 })
    expect([stale.statusCode, stale.json<{ current: Draft }>().current.revision]).toEqual([412, 2])
    expect((await call(app, 'GET', `/${id}`, staff)).headers.etag).toBe('"2"')
  })

  it('other people can see and continue a shared draft', async () => {
    const app = await buildTestApp()
    const [ann, bob, admin] = [await app.as('staff'), await app.as('employee'), await app.as('admin')]
    const draft = await add(app, ann)
    expect([await idsOf(app, bob), (await call(app, 'GET', `/${draft.id}`, bob)).statusCode]).toEqual([
      [],
      404,
    ])
    const change = (who: Headers, body: object) =>
      call(app, 'PUT', `/${draft.id}`, { ...who, 'if-match': '*' }, body)
    expect((await change(bob, { step: 2 })).statusCode).toBe(404)
    await change(ann, { is_shared: true })
    expect(await idsOf(app, bob)).toEqual([draft.id])
    expect((await change(bob, { step: 2 })).json()).toMatchObject({
      step: 2,
      is_mine: false,
      is_shared: true,
    })
    expect((await change(bob, { is_shared: false })).statusCode).toBe(403)
    expect((await call(app, 'DELETE', `/${draft.id}`, bob)).statusCode).toBe(403)
    expect((await call(app, 'DELETE', `/${draft.id}`, admin)).statusCode).toBe(204)
    expect((await call(app, 'POST', `/${draft.id}/restore`, bob)).statusCode).toBe(404)
    expect((await call(app, 'POST', `/${draft.id}/restore`, ann)).json()).toMatchObject({
      id: draft.id,
      step: 2,
    })
    await call(app, 'DELETE', `/${draft.id}`, ann)
    app.clock.advance(31 * DAY_MS)
    await app.cleanup.run()
    expect(await app.database.sql`select id from drafts`).toEqual([])
  })

  it('a draft remembers its product, and is deleted once the site has that product', async () => {
    const site = await aMainSite()
    const app = await buildTestApp({ variables: { MAIN_SITE_URL: site.url } })
    const staff = await app.as('staff')
    const draft = await add(app, staff)
    const product = {
      name: 'Dragon',
      category: 'other',
      price: 1,
      stock: 1,
      description: 'x',
      draft_id: draft.id,
    }
    const publish = (slug: string) =>
      app.http.inject({
        method: 'POST',
        url: '/api/admin/products',
        headers: staff,
        payload: { ...product, slug },
      })
    site.behave(answering(422, 'not a good slug'))
    const failed = await publish('dragon')
    expect(failed.statusCode).toBe(502)
    const { product_id: id } = failed.json<{ product_id: string }>()
    expect((await call(app, 'GET', `/${draft.id}`, staff)).json<Draft>().product_id).toBe(id)
    site.behave(null)
    // The draft knows its product, so a request with another slug refers to the same product.
    expect((await publish('red-dragon')).json()).toMatchObject({
      id,
      slug: 'red-dragon',
      status: 'published',
    })
    expect((await call(app, 'GET', `/${draft.id}`, staff)).statusCode).toBe(404)
    const rows = await app.database.sql`select id from products`
    expect([rows.length, site.products.size]).toEqual([1, 1])
  })
})

describe('refused drafts', () => {
  it('a draft is refused if its content is invalid or too large, or if there are too many drafts', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    for (const body of [
      {},
      { content: 'x' },
      { content: { name: 1 } },
      { content: { name: 'a\0' } },
      { content: { description: 'x'.repeat(200_001) } },
      { content: {}, step: 5 },
      { content: {}, step: 1.5 },
      { content: {}, is_shared: 'yes' },
    ])
      expect([
        (await call(app, 'POST', '', staff, body)).statusCode,
        JSON.stringify(body).slice(0, 60),
      ]).toEqual([422, JSON.stringify(body).slice(0, 60)])
    await add(app, staff)
    await app.database.sql`
      insert into drafts (id, account_id, content, created_at, updated_at)
      select gen_random_uuid(), account_id, '{}', now(), now() from drafts, generate_series(1, 199)`
    const refused = await call(app, 'POST', '', staff, { content: {} })
    expect([refused.statusCode, refused.json<ErrorBody>().code]).toEqual([409, 'too_many_drafts'])
  })

  it('viewers cannot use drafts', async () => {
    const app = await buildTestApp()
    const viewer = await app.as('viewer')
    expect((await call(app, 'GET', '', viewer)).statusCode).toBe(403)
    expect((await call(app, 'POST', '', viewer, {})).statusCode).toBe(403)
  })
})
