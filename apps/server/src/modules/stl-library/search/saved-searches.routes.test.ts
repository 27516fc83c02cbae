import type { SavedSearch } from '@pegasus/contracts/stl-library/search'
import { describe, expect, it } from 'vitest'
import { type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'

type Headers = Record<string, string>
const URL = '/api/saved-searches'

const save = (app: TestApp, headers: Headers, payload: unknown) =>
  app.http.inject({ method: 'POST', url: URL, headers, payload: payload as object })
const mine = async (app: TestApp, headers: Headers) =>
  (await app.http.inject({ url: URL, headers })).json<SavedSearch[]>()
const forget = (app: TestApp, headers: Headers, id: string) =>
  app.http.inject({ method: 'DELETE', url: `${URL}/${id}`, headers })

describe('saved searches', () => {
  it('a person can save up to a hundred searches, replace a search under the same name, and delete it', async () => {
    const app = await buildTestApp()
    const viewer = await app.as('viewer')
    const first = await save(app, viewer, { name: '  Hooks ', query: 'search=hook&sort=title' })
    expect(first.statusCode).toBe(201)
    expect((await save(app, viewer, { name: 'bins', query: '' })).statusCode).toBe(201)
    const again = await save(app, viewer, { name: 'Hooks', query: 'search=hooks' })
    expect(again.statusCode).toBe(200)
    expect(again.json<SavedSearch>()).toEqual({ ...first.json<SavedSearch>(), query: 'search=hooks' })
    expect((await mine(app, viewer)).map(({ name, query }) => [name, query])).toEqual([
      ['bins', ''],
      ['Hooks', 'search=hooks'],
    ])
    // Different lists can have saved searches with the same name.
    const view = { list: 'orders', name: 'Hooks', query: 'status=pending' }
    expect((await save(app, viewer, view)).statusCode).toBe(201)
    const ofOrders = await app.http.inject({ url: `${URL}?list=orders`, headers: viewer })
    expect(ofOrders.json()).toEqual([expect.objectContaining(view)])
    const { id } = first.json<SavedSearch>()
    expect((await forget(app, viewer, id)).statusCode).toBe(204)
    expect((await forget(app, viewer, id)).statusCode).toBe(404)

    // One search is already saved, so the requests together exceed the limit.
    const answers = await Promise.all(
      Array.from({ length: 105 }, (_, at) => save(app, viewer, { name: `Search ${at}`, query: 'x=1' })),
    )
    const statuses = answers.map(({ statusCode }) => statusCode)
    expect(statuses.filter((status) => status === 201)).toHaveLength(99)
    expect(statuses.filter((status) => status === 409)).toHaveLength(6)
    expect(await mine(app, viewer)).toHaveLength(100)
    expect((await save(app, viewer, { name: 'bins', query: 'y=2' })).statusCode).toBe(200)
  })

  it('T93 a search is saved once for an idempotency key, and the key is refused for another search', async () => {
    const app = await buildTestApp()
    const viewer = await app.as('viewer')
    const keyed = { ...viewer, 'idempotency-key': 'once' }
    const first = await save(app, keyed, { name: 'Hooks', query: 'search=hook' })
    await save(app, viewer, { name: 'Hooks', query: 'search=later' })
    const again = await save(app, keyed, { name: 'Hooks', query: 'search=hook' })
    expect([again.statusCode, again.json()]).toEqual([201, first.json()])
    expect((await mine(app, viewer)).map(({ query }) => query)).toEqual(['search=later'])
    expect((await save(app, keyed, { name: 'Hooks', query: 'search=other' })).statusCode).toBe(409)
  })

  it('saved searches with an invalid name or query are refused', async () => {
    const app = await buildTestApp()
    const viewer = await app.as('viewer')
    const wrong = [
      {},
      { name: 'x' },
      { name: ' ', query: '' },
      { name: 'x'.repeat(101), query: '' },
      { name: 'a\0', query: '' },
      { name: 'x', query: 'q'.repeat(2001) },
      { name: 'x', query: '\0' },
      { name: 7, query: '' },
      { list: 'spools', name: 'x', query: '' },
      { name: 'x', query: '', is_shared: 'yes' },
      { name: { $ne: 1 }, query: [] },
    ]
    const answers = await Promise.all(wrong.map((body) => save(app, viewer, body)))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(wrong.map(() => 422))
  })

  it('T6 T4 saved searches belong to one account, and a client cannot set their owner', async () => {
    const app = await buildTestApp()
    const [one, other] = [await app.as('viewer'), await app.as('owner')]
    const planted = {
      account_id: '01890000-0000-7000-8000-000000000000',
      accountId: 'x',
      created_at: '2000-01-01',
    }
    const saved = await save(app, one, { name: 'Mine', query: 'a=1', id: planted.account_id, ...planted })
    const { id } = saved.json<SavedSearch>()
    const attempts = [
      (await mine(app, other)).length > 0,
      (await forget(app, other, id)).statusCode !== 404,
      (await save(app, other, { name: 'Mine', query: 'stolen' })).statusCode !== 201,
      (await mine(app, one))[0]?.query !== 'a=1',
      (await mine(app, one))[0]?.created_at.startsWith('2000'),
      id === planted.account_id,
    ]
    console.info(
      `T6 saved searches of others reached ${attempts.filter(Boolean).length} of ${attempts.length}`,
    )
    expect(attempts).toEqual(attempts.map(() => false))
  })

  it('everybody sees a shared search, but only its owner can change it, and viewers cannot share searches', async () => {
    const app = await buildTestApp()
    const [staff, viewer, admin] = [await app.as('staff'), await app.as('viewer'), await app.as('admin')]
    const view = { list: 'inventory', name: 'Low on the rack', query: 'low_stock_only=true' }
    const saved = await save(app, staff, { ...view, is_shared: true })
    expect(saved.statusCode).toBe(201)
    const { id, owner_name: owner } = saved.json<SavedSearch>()
    const seen = async (headers: Headers) =>
      (await app.http.inject({ url: `${URL}?list=inventory`, headers })).json<SavedSearch[]>()
    expect(await seen(viewer)).toEqual([
      { ...saved.json<SavedSearch>(), is_shared: true, is_mine: false, owner_name: owner },
    ])

    // Others can neither delete nor replace it. If they save a search with the same name, they get a separate search.
    expect((await forget(app, viewer, id)).statusCode).toBe(404)
    expect((await forget(app, admin, id)).statusCode).toBe(404)
    expect((await save(app, admin, { ...view, query: 'status=Reserved' })).statusCode).toBe(201)
    expect((await seen(staff)).map(({ query }) => query)).toEqual(['low_stock_only=true'])

    // A viewer cannot share a search. A replaced search stays shared until its owner changes that.
    expect((await save(app, viewer, { ...view, is_shared: true })).statusCode).toBe(403)
    expect((await seen(viewer)).map(({ is_mine: isMine }) => isMine)).toEqual([false])
    const again = await save(app, staff, { ...view, query: 'low_stock_only=true&sort=quantity' })
    expect(again.json<SavedSearch>()).toMatchObject({ id, is_shared: true })
    await save(app, staff, { ...view, is_shared: false })
    expect(await seen(viewer)).toEqual([])

    // The searches of a deactivated account are no longer offered to others.
    await save(app, staff, { ...view, is_shared: true })
    await app.database.sql`update accounts set is_active = false where id = (
      select account_id from saved_searches where id = ${id})`
    expect(await seen(viewer)).toEqual([])
  })
})
