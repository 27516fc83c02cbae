import type { InventoryItem } from '@pegasus/contracts/inventory/items'
import type { ReplenishmentProposals } from '@pegasus/contracts/print-queue/replenishment'
import type { Stats, StatsHistory } from '@pegasus/contracts/stats'
import { createCube } from '@pegasus/mesh/samples/shapes'
import { writeBinaryStl } from '@pegasus/mesh/stl/write-stl'
import { describe, expect, it } from 'vitest'
import { type TestApp, buildTestApp } from '../../../test/support/build-test-app.ts'
import { aModel } from '../../../test/support/library/library-factories.ts'
import { upload } from '../../../test/support/library/model-upload.ts'
import {
  aMovement,
  aPrintJob,
  aProduct,
  aSpool,
  advance,
  anItem,
  anOrder,
} from '../../../test/support/stock-factories.ts'
import { DAY_MS, MINUTE_MS, addMs } from '../../platform/clock.ts'
import { daysOfPeriod } from '../../platform/calendar.ts'

const get = async (app: TestApp, url: string) => app.http.inject({ url, headers: await app.as('viewer') })

const stats = async (app: TestApp): Promise<Stats> => (await get(app, '/api/stats')).json<Stats>()

const daysAgo = (app: TestApp, days: number): Date => addMs(app.clock.now(), -days * DAY_MS)

/** Creates a shop with so few records that they can be counted by hand. */
async function aShop(app: TestApp): Promise<void> {
  const bytes = writeBinaryStl(createCube(20))
  await upload(app, await app.as('staff'), { name: 'c.stl', bytes })
  const hook = await anItem(app, { sku: 'HOOK', quantity: 20, selling_price_minor: 1850 })
  const gear = await anItem(app, { sku: 'GEAR', quantity: 5, selling_price_minor: 100 })
  await anItem(app, { sku: 'NONE', quantity: 0, held_status: 'On Hold', selling_price_minor: 999 })
  await anItem(app, { sku: 'TRASHED', quantity: 9, selling_price_minor: 100_000 })
  await app.database.sql`update items set deleted_at = now() where sku = 'TRASHED'`
  await app.database.sql`update items set stl_file_id = f.id from stl_files f where sku = 'NONE'`

  await aSpool(app, { remainingGrams: 500 })
  await aSpool(app, { material: 'pla', name: 'Basic', remainingGrams: 40.5 })
  await aSpool(app, { material: 'ASA', remainingGrams: 100 })
  await aSpool(app, { remainingGrams: 900, archivedAt: app.clock.now() })

  const line = { unitPriceMinor: 1850 }
  const lines = (sku: string, quantity: number) => [{ ...line, sku, quantity }]
  await anOrder(app, { totalMinor: 5550, lines: lines('HOOK', 3) })
  await anOrder(app, { totalMinor: 1, lines: lines('HOOK', 21) })
  await anOrder(app, { totalMinor: 2, lines: [...lines('HOOK', 11), ...lines('HOOK', 11)] })
  await anOrder(app, { totalMinor: 4, lines: lines('UNKNOWN', 1) })
  await anOrder(app, { totalMinor: 10_000, status: 'completed', placedAt: daysAgo(app, 10) })
  await anOrder(app, { totalMinor: 20_000, status: 'in_progress', placedAt: daysAgo(app, 40) })
  await anOrder(app, { totalMinor: 77_777, status: 'cancelled' })
  await anOrder(app, { totalMinor: 88_888, currency: 'EUR', status: 'completed' })

  const running = await aPrintJob(app, {
    itemId: hook,
    estimatedMinutes: 90,
    estimatedGrams: 100,
    material: 'PLA',
  })
  await advance(app, running, { to: 'in_progress', progress: 0.25 })
  await aPrintJob(app, { itemId: gear, estimatedGrams: 30, material: 'TPU' })
  const held = await aPrintJob(app, { itemId: hook })
  await advance(app, held, { to: 'on_hold' })
  const failed = await aPrintJob(app, { itemId: hook })
  await advance(app, failed, { to: 'in_progress' })
  await advance(app, failed, { to: 'failed', reason: 'warping' })

  await aProduct(app)
  await aProduct(app, { publishedAt: app.clock.now() })
}

describe('GET /api/stats', () => {
  describe('valid requests for statistics', () => {
    it('GET /api/stats counts the records of a small shop', async () => {
      const app = await buildTestApp()
      await aShop(app)
      expect(await stats(app)).toEqual({
        total_files: 1,
        total_products: 1,
        total_inventory: 3,
        total_filaments: 3,
        total_orders: 8,
        pending_orders: 4,
        low_stock_items: 2,
        total_revenue: 355.57,
        currency: 'USD',
        files_this_week: 1,
        orders_this_week: 6,
        revenue_30_days: 155.57,
        revenue_previous_30_days: 200,
        out_of_stock_items: 1,
        low_stock_not_queued: 1,
        stock_value: 375,
        orders_ready_to_pack: 2,
        print_queue_count: 2,
        print_jobs_pending: 1,
        print_jobs_in_progress: 1,
        print_jobs_on_hold: 1,
        next_print_done_at: addMs(app.clock.now(), 90 * MINUTE_MS).toISOString(),
        filament_grams: 640.5,
      } satisfies Stats)
      const low = await get(app, '/api/inventory?low_stock_only=true')
      expect(low.json<InventoryItem[]>()).toHaveLength(2)
    })

    it('GET /api/stats returns when the next print is expected to end, and ignores overdue prints', async () => {
      const app = await buildTestApp()
      const start = app.clock.now()
      for (const estimatedMinutes of [30, 90, null])
        await advance(app, await aPrintJob(app, { estimatedMinutes }), { to: 'in_progress' })
      await aPrintJob(app, { estimatedMinutes: 1 })
      const doneAt = async () => (await stats(app)).next_print_done_at
      const after = (minutes: number) => addMs(start, minutes * MINUTE_MS).toISOString()
      expect(await doneAt()).toBe(after(30))
      app.clock.advance(30 * MINUTE_MS)
      expect(await doneAt()).toBe(after(30))
      app.clock.advance(1)
      expect(await doneAt()).toBe(after(90))
      app.clock.advance(60 * MINUTE_MS)
      expect(await stats(app)).toMatchObject({ next_print_done_at: null, print_jobs_in_progress: 3 })
    })

    it('GET /api/stats counts as not queued exactly the items that the replenishment proposes', async () => {
      const app = await buildTestApp()
      const itemId = await anItem(app, { sku: 'DRAGON', quantity: 20, reorder_point: 5 })
      const model = await aModel(app)
      await app.database.sql`update items set stl_file_id = ${model}, max_stock = 10`
      // An item without a model cannot be printed.
      await anItem(app, { sku: 'SCREWS', quantity: 0, reorder_point: 5 })
      const proposals = '/api/inventory/replenishment/proposals'
      const headers = await app.as('staff')
      const proposed = async () => {
        const answer = await app.http.inject({ method: 'POST', url: proposals, headers })
        return answer.json<ReplenishmentProposals>().proposals
      }
      const expectCount = async (count: number) =>
        expect([(await stats(app)).low_stock_not_queued, (await proposed()).length]).toEqual([count, count])
      await aMovement(app, { itemId, kind: 'reserve', reservedDelta: 14 })
      await expectCount(0)
      await aMovement(app, { itemId, kind: 'reserve', reservedDelta: 1 })
      await expectCount(1)
      // The order gets its piece from stock, so the piece that its print job makes will be free.
      const lines = [{ sku: 'DRAGON', quantity: 1, unitPriceMinor: 100 }]
      await aPrintJob(app, { itemId, orderId: await anOrder(app, { lines }) })
      await expectCount(1)
      // Four pieces are free and five are queued, but ten are wanted.
      const job = await aPrintJob(app, { itemId, quantity: 4 })
      await expectCount(1)
      const dismiss = { ids: (await proposed()).map(({ id }) => id) }
      await app.http.inject({ method: 'POST', url: `${proposals}/dismiss`, headers, payload: dismiss })
      await expectCount(0)
      await app.database.sql`update print_jobs set quantity = 3 where id = ${job}`
      await expectCount(1)
      await app.database.sql`update print_jobs set quantity = 5 where id = ${job}`
      await expectCount(0)
    })

    it('GET /api/stats returns only zeros for an empty shop', async () => {
      const { currency, next_print_done_at, ...figures } = await stats(await buildTestApp())
      expect([currency, next_print_done_at]).toEqual(['USD', null])
      expect(new Set(Object.values(figures))).toEqual(new Set([0]))
    })

    it('GET /api/stats returns revenue in the configured currency, with its decimals', async () => {
      const app = await buildTestApp({ variables: { CURRENCY: 'JPY' } })
      await anOrder(app, { currency: 'JPY', totalMinor: 1250 })
      await anOrder(app, { currency: 'USD', totalMinor: 999 })
      expect(await stats(app)).toMatchObject({ currency: 'JPY', total_revenue: 1250, total_orders: 2 })
    })

    it('GET /api/stats handles the largest possible stock at the largest possible price', async () => {
      const app = await buildTestApp()
      for (const sku of ['A', 'B'])
        await anItem(app, { sku, quantity: 1_000_000_000, selling_price_minor: Number.MAX_SAFE_INTEGER })
      expect((await stats(app)).stock_value).toBeGreaterThan(1e22)
    })
  })

  it('GET /api/stats refuses a missing token with 401', async () => {
    const app = await buildTestApp()
    for (const url of ['/api/stats', '/api/stats/history'])
      expect((await app.http.inject(url)).statusCode).toBe(401)
  })
})

describe('GET /api/stats/history', () => {
  const history = async (app: TestApp, query: string): Promise<StatsHistory> =>
    (await get(app, `/api/stats/history${query}`)).json<StatsHistory>()

  it('GET /api/stats/history returns the days of the period up to today, and the filament in stock and needed', async () => {
    const app = await buildTestApp()
    await aShop(app)
    const { days, filament, ...rest } = await history(app, '?days=15')
    expect(rest).toEqual({ currency: 'USD', time_zone: 'UTC' })
    expect(days).toHaveLength(15)
    expect(days.map((day) => day.date)).toEqual(days.map((day) => day.date).toSorted())
    expect(days.at(-1)).toEqual({
      date: app.clock.now().toISOString().slice(0, 10),
      orders: 5,
      revenue: 55.57,
      prints_finished: 0,
      prints_failed: 1,
      files_added: 1,
      items_added: 3,
      stock_value: 375,
    })
    expect(days.at(-11)).toMatchObject({
      date: daysAgo(app, 10).toISOString().slice(0, 10),
      orders: 1,
      revenue: 100,
      stock_value: 0,
    })
    expect(filament).toEqual([
      { material: 'PLA', spools: 2, remaining_grams: 540.5, needed_grams: 75 },
      { material: 'ASA', spools: 1, remaining_grams: 100, needed_grams: 0 },
      { material: 'TPU', spools: 0, remaining_grams: 0, needed_grams: 30 },
    ])
  })

  it('GET /api/stats/history computes the value of the stock at the end of each day', async () => {
    const app = await buildTestApp()
    const itemId = await anItem(app, { quantity: 10, selling_price_minor: 1000 }, daysAgo(app, 3))
    await aMovement(app, { itemId, kind: 'ship', delta: -4 }, daysAgo(app, 1))
    await aMovement(app, { itemId, kind: 'receive', delta: 1 })
    const { days } = await history(app, '?days=5')
    expect(days.map((day) => day.stock_value)).toEqual([0, 100, 100, 60, 70])
  })

  it('GET /api/stats/history begins and ends days in the requested time zone', async () => {
    const app = await buildTestApp()
    app.clock.advance(addMs(new Date('2027-03-28T23:30:00Z'), 0).getTime() - app.clock.now().getTime())
    await anOrder(app, { totalMinor: 100 })
    const revenue = async (zone: string) =>
      (await history(app, `?days=2&time_zone=${encodeURIComponent(zone)}`)).days.map((day) => [
        day.date,
        day.revenue,
      ])
    expect(await revenue('UTC')).toEqual([
      ['2027-03-27', 0],
      ['2027-03-28', 1],
    ])
    expect(await revenue('Europe/Vienna')).toEqual([
      ['2027-03-28', 0],
      ['2027-03-29', 1],
    ])
    expect(await revenue('America/New_York')).toEqual([
      ['2027-03-27', 0],
      ['2027-03-28', 1],
    ])
  })

  it('GET /api/stats/history refuses invalid input with 422', async () => {
    const app = await buildTestApp()
    for (const query of [
      'days=0',
      'days=367',
      'days=x',
      'time_zone=Mars/Base',
      'time_zone=%2B02:00',
      'time_zone=%00',
    ])
      expect([query, (await get(app, `/api/stats/history?${query}`)).statusCode]).toEqual([query, 422])
  })
})

describe('daysOfPeriod', () => {
  it('daysOfPeriod counts calendar days across changes of daylight saving time, months and years', () => {
    const dates = (now: string, days: number, zone: string) => daysOfPeriod(new Date(now), days, zone)?.dates
    expect(dates('2027-03-29T00:30:00Z', 3, 'Europe/Vienna')).toEqual([
      '2027-03-27',
      '2027-03-28',
      '2027-03-29',
    ])
    expect(dates('2027-01-01T05:00:00Z', 2, 'America/New_York')).toEqual(['2026-12-31', '2027-01-01'])
    expect(dates('2027-01-01T04:59:00Z', 2, 'America/New_York')).toEqual(['2026-12-30', '2026-12-31'])
    expect(dates('2028-03-01T12:00:00Z', 2, 'UTC')).toEqual(['2028-02-29', '2028-03-01'])
    expect(dates('2028-03-01T12:00:00Z', 2, 'nowhere')).toBe(undefined)
  })
})
