import type { CurrentUser } from '@pegasus/contracts/auth/sign-in'
import type { StockMovement } from '@pegasus/contracts/inventory/stock-movements'
import { describe, expect, it } from 'vitest'
import { type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'
import { callsOf } from '../../../../test/support/api-calls.ts'
import { aMovement, anItem, refusalOf } from '../../../../test/support/stock-factories.ts'
import { SYSTEM_ACTOR, actorOf } from '../../../platform/actor.ts'
import { countStock } from '../index.ts'

const BILLION = 1_000_000_000

const stockOf = async (app: TestApp, id: string) => {
  const [row] = await app.database.sql<{ quantity: number; reserved: number; sum: number; held: number }[]>`
    select i.quantity, i.reserved_quantity as reserved, sum(m.delta)::int as sum, sum(m.reserved_delta)::int as held
    from items i left join movements m on m.item_id = i.id where i.id = ${id} group by i.id`
  return row
}

describe('quantities and movements', () => {
  it('exactly 37 of 100 parallel removals from a stock of 37 pieces succeed', async () => {
    const app = await buildTestApp()
    const id = await anItem(app, { quantity: 37 })
    const takes = Array.from({ length: 100 }, () =>
      refusalOf(aMovement(app, { itemId: id, kind: 'ship', delta: -1 })),
    )
    const refusals = (await Promise.all(takes)).filter((code) => code !== null)
    expect(refusals).toEqual(Array(63).fill('STOCK_LIMIT'))
    expect(await stockOf(app, id)).toEqual({ quantity: 0, reserved: 0, sum: 0, held: 0 })
  })

  it('quantity and reservations equal the sums of the movements after a random history', async () => {
    const app = await buildTestApp()
    const id = await anItem(app, { quantity: 20 })
    const kinds = ['receive', 'ship', 'scrap', 'reserve', 'release', 'return', 'adjust'] as const
    // A small random number generator with a seed, so that a failure can be repeated.
    let seed = 42
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
      return seed % below
    }
    const steps = Array.from({ length: 200 }, () => {
      const [kind, pieces] = [kinds[random(kinds.length)] ?? 'adjust', 1 + random(9)]
      const sign = kind === 'ship' || kind === 'scrap' || kind === 'release' ? -1 : 1
      const isReservation = kind === 'reserve' || kind === 'release'
      return {
        itemId: id,
        kind,
        ...(isReservation ? { reservedDelta: sign * pieces } : { delta: sign * pieces }),
      }
    })
    for (let at = 0; at < steps.length; at += 8)
      await Promise.all(steps.slice(at, at + 8).map((step) => refusalOf(aMovement(app, step))))
    const stock = await stockOf(app, id)
    expect(stock?.quantity).toBe(stock?.sum)
    expect(stock?.reserved).toBe(stock?.held)
    expect(stock?.quantity).toBeGreaterThanOrEqual(0)
    expect(stock?.reserved).toBeGreaterThanOrEqual(0)
  })

  it('a quantity changes only through new movements, never through changes of old ones', async () => {
    const app = await buildTestApp()
    const id = await anItem(app, { quantity: 3 })
    const { sql } = app.database
    const attempts = [
      sql`update items set quantity = 99 where id = ${id}`,
      sql`update items set reserved_quantity = 1 where id = ${id}`,
      sql`insert into items (id, name, sku, quantity, reorder_point, max_stock, created_at, updated_at)
          values (${crypto.randomUUID()}, 'x', 'x', 5, 0, 0, now(), now())`,
      sql`update movements set delta = 7 where item_id = ${id}`,
      sql`delete from movements where item_id = ${id}`,
      sql`truncate movements cascade`,
      sql`delete from items where id = ${id}`,
    ]
    for (const attempt of attempts) await expect(attempt).rejects.toThrow()
    await sql`update items set name = 'Renamed', quantity = quantity where id = ${id}`
    expect(await stockOf(app, id)).toMatchObject({ quantity: 3, sum: 3 })
  })

  it('a movement with invalid values is refused with an error code', async () => {
    const app = await buildTestApp()
    const itemId = await anItem(app, { quantity: 5 })
    const refusal = (movement: object) => refusalOf(aMovement(app, { itemId, kind: 'adjust', ...movement }))
    expect(await refusal({ delta: -6 })).toBe('STOCK_LIMIT')
    expect(await refusal({ delta: BILLION })).toBe('STOCK_LIMIT')
    expect(await refusal({ delta: BILLION + 1 })).toBe('STOCK_LIMIT')
    expect(await refusal({ delta: 0.5 })).toBe('STOCK_LIMIT')
    expect(await refusal({ kind: 'reserve', reservedDelta: 6 })).toBe('STOCK_NOT_FREE')
    expect(await refusal({ kind: 'release', reservedDelta: -1 })).toBe('STOCK_NOT_RESERVED')
    expect(await refusal({ kind: 'receive', delta: -1 })).toBe('MOVEMENT_INVALID')
    expect(await refusal({ itemId: crypto.randomUUID(), delta: 1 })).toBe('ITEM_NOT_FOUND')
    expect(await refusal({ delta: BILLION - 5 })).toBe(null)
    expect(await stockOf(app, itemId)).toMatchObject({ quantity: BILLION })
  })

  it('a stock count releases reserved pieces that it did not find', async () => {
    const app = await buildTestApp()
    const itemId = await anItem(app, { quantity: 8 })
    await aMovement(app, { itemId, kind: 'reserve', reservedDelta: 6 })
    const by = { actor: SYSTEM_ACTOR, now: app.clock.now() }
    const count = (quantity: number) =>
      app.database.transaction((tx) => countStock(tx, { itemId, quantity, reason: 'Stocktaking' }, by))
    expect(await count(2)).toMatchObject({ quantity: 2, reserved: 2 })
    expect(await count(2)).toMatchObject({ quantity: 2, reserved: 2 })
    expect(await refusalOf(count(-1))).toBe('ITEM_INVALID')
  })

  it("a movement stores the person's name at the time of the movement", async () => {
    const app = await buildTestApp()
    const itemId = await anItem(app)
    const user = { id: crypto.randomUUID(), full_name: '', username: 'ann' } as CurrentUser
    const principal = { kind: 'user' as const, accountId: user.id, sessionId: '', user, databaseState: '' }
    const by = {
      actor: actorOf({ ...principal, authenticatedAt: '', isSecondFactorDue: false, isAnonymous: false }),
      now: app.clock.now(),
    }
    await app.database.transaction((tx) => countStock(tx, { itemId, quantity: 3 }, by))
    const answer = await app.http.inject({
      url: `/api/inventory/${itemId}/movements?limit=1`,
      headers: await app.as('viewer'),
    })
    expect(answer.json<StockMovement[]>()[0]?.actor).toEqual({
      kind: 'user',
      id: user.id,
      name: 'ann',
    })
  })

  it('movements cannot change an item in the trash', async () => {
    const app = await buildTestApp()
    const itemId = await anItem(app)
    await app.database.sql`update items set deleted_at = now() where id = ${itemId}`
    expect(await refusalOf(aMovement(app, { itemId, kind: 'receive', delta: 1 }))).toBe('ITEM_NOT_FOUND')
  })
})

describe('the order of movements', () => {
  it('movements are listed in the order in which they were written, even if a slower request began earlier', async () => {
    const app = await buildTestApp()
    const staff = callsOf(app, await app.as('staff'))
    const begun = app.clock.now()
    const id = await anItem(app, { quantity: 20 })
    const later = new Date(begun.getTime() + 2000)
    const { id: shipId } = await aMovement(app, { itemId: id, kind: 'ship', delta: -3 }, later)
    // This request began a second before the shipment, but writes its movement after it.
    const by = { actor: SYSTEM_ACTOR, now: new Date(begun.getTime() + 1000) }
    await app.database.transaction((tx) => countStock(tx, { itemId: id, quantity: 15 }, by))
    const journal = (await staff(`GET /api/inventory/${id}/movements`)).json<StockMovement[]>()
    expect(journal.map(({ kind, quantity_after: left }) => [kind, left])).toEqual([
      ['count', 15],
      ['ship', 17],
      ['count', 20],
    ])
    // The count came later, so the earlier removal can no longer be undone.
    const undo = await staff(`POST /api/stock-movements/${shipId}/undo`)
    expect([undo.status, undo.detail()]).toEqual([409, expect.stringContaining('was counted later')])
  })

  it('the order of movements is kept during twenty parallel removals', async () => {
    const app = await buildTestApp()
    const staff = callsOf(app, await app.as('staff'))
    const id = await anItem(app, { quantity: 30 })
    await Promise.all(
      Array.from({ length: 20 }, () =>
        staff(`POST /api/inventory/${id}/adjust`, { delta: -1, kind: 'ship' }),
      ),
    )
    const journal = (await staff(`GET /api/inventory/${id}/movements`)).json<StockMovement[]>()
    expect(journal.map(({ quantity_after: left }) => left)).toEqual(
      Array.from({ length: 21 }, (_, n) => 10 + n),
    )
  })
})

describe('adding items in parallel and with known SKUs', () => {
  it('a SKU is unique among the items outside the trash, regardless of upper and lower case', async () => {
    const app = await buildTestApp()
    const first = await anItem(app, { sku: 'HOOK-1' })
    expect(await refusalOf(anItem(app, { sku: 'hook-1' }))).toBe('SKU_TAKEN')
    await app.database.sql`update items set deleted_at = now() where id = ${first}`
    expect(await refusalOf(anItem(app, { sku: 'hook-1' }))).toBe(null)
  })

  it.each([
    { name: '  ' },
    { name: 'x'.repeat(201) },
    { quantity: -1 },
    { quantity: 1.5 },
    { quantity: BILLION + 1 },
    { sku: 'x'.repeat(65) },
    { reorder_point: -1 },
    { color_hex: 'orange' },
    { selling_price_minor: -1 },
  ])('a new item with %o is refused, and nothing is stored', async (item) => {
    const app = await buildTestApp()
    expect(await refusalOf(anItem(app, item))).toBe('ITEM_INVALID')
    expect(await app.database.sql`select id from items`).toHaveLength(0)
  })

  it('new items with the same location path share its locations, even if they are added in parallel', async () => {
    const app = await buildTestApp()
    await Promise.all(
      [1, 2, 3, 4].map(() => anItem(app, { location: 'Workshop / Rack A3', bin_location: 'Bin 1' })),
    )
    const places = await app.database.sql<{ path: string; label_code: string }[]>`
      select path, label_code from locations order by path`
    expect(places.map((place) => place.path)).toEqual([
      'Workshop',
      'Workshop / Rack A3',
      'Workshop / Rack A3 / Bin 1',
    ])
    expect(places[0]?.label_code).toMatch(/^L-\d{4}$/)
  })
})
