import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import type { ProductionRow } from '@pegasus/contracts/print-queue/production-report'
import { describe, expect, it } from 'vitest'
import { callsOf } from '../../../../test/support/api-calls.ts'
import { buildTestApp } from '../../../../test/support/build-test-app.ts'
import { anAgent, claim, sendReport } from '../../../../test/support/print-agents.ts'
import { aPrintJob, anItem, anOrder } from '../../../../test/support/stock-factories.ts'
import { SYSTEM_ACTOR } from '../../../platform/actor.ts'
import { DAY_MS } from '../../../platform/clock.ts'
import { failPlate } from '../plates/end-plate.ts'

describe('the production report', () => {
  it('the production report compares planned and actual grams, minutes and good pieces by item, order and month', async () => {
    const app = await buildTestApp()
    const staff = callsOf(app, await app.as('staff'))
    const itemId = await anItem(app, { name: 'Dragon', sku: 'DRAGON', quantity: 0 })
    const orderId = await anOrder(app, {
      orderNumber: 'PO-1',
      lines: [{ sku: 'DRAGON', name: 'Dragon', quantity: 8, unitPriceMinor: 100 }],
    })
    const job = await aPrintJob(app, {
      itemId,
      orderId,
      quantity: 8,
      piecesPerPlate: 4,
      estimatedGrams: 80,
      estimatedMinutes: 200,
    })
    const other = await aPrintJob(app, { itemId, quantity: 2, estimatedGrams: 20 })
    const print = async (id: string, counts: object) => {
      await staff(`POST /api/print-queue/${id}/start`, {})
      const done = await staff(`POST /api/print-queue/${id}/complete`, counts)
      expect(done.status, done.text).toBe(200)
    }
    await print(job, { good_quantity: 3, rejected_quantity: 1, used_grams: 44, print_minutes: 110 })
    // This plate has no print time, so only the other plates add minutes.
    await print(job, { good_quantity: 4, used_grams: 41 })
    await print(other, { good_quantity: 2 })
    const report = async (query: string) =>
      (await staff(`GET /api/reports/production?${query}`)).json<ProductionRow[]>()
    expect(await report('by=item')).toEqual([
      {
        key: itemId,
        label: 'Dragon',
        plates: 3,
        good: 9,
        bad: 1,
        yield: 0.9,
        planned_grams: 80,
        used_grams: 85,
        planned_minutes: 100,
        print_minutes: 110,
        // One of the two jobs still lacks a piece. The other has no print time, so its cost was not planned.
        jobs: 1,
        cost: 3.85,
        compared_jobs: 0,
        planned_cost: null,
        compared_cost: null,
        failed_jobs: 0,
        failure_cost: null,
        unknown_cost_jobs: 0,
        cost_is_measured: false,
      },
    ])
    expect(await report('by=order')).toMatchObject([
      { key: orderId, label: 'PO-1', plates: 2, good: 7, bad: 1 },
    ])
    const month = app.clock.now().toISOString().slice(0, 7)
    expect(await report('by=month')).toMatchObject([{ key: month, plates: 3, good: 9 }])
    expect(await report(`by=item&order_id=${orderId}`)).toMatchObject([{ plates: 2 }])
    expect(await report('by=item&from=2001-01-01&to=2001-12-31')).toEqual([])

    // The page of an order also shows prints that are older than the default period of the report.
    app.clock.advance(400 * DAY_MS)
    const later = callsOf(app, await app.as('staff'))
    const laterReport = async (query: string) => (await later(`GET /api/reports/production?${query}`)).json()
    expect(await laterReport('by=item')).toEqual([])
    expect(await laterReport(`by=order&order_id=${orderId}`)).toMatchObject([{ key: orderId, plates: 2 }])
  })

  it('plates that never began count neither in the report nor in the share of good pieces of their item', async () => {
    const app = await buildTestApp()
    const staff = callsOf(app, await app.as('staff'))
    const itemId = await anItem(app, { name: 'Dragon', quantity: 0 })
    const start = async () => {
      const id = await aPrintJob(app, { itemId, quantity: 4, estimatedGrams: 80, estimatedMinutes: 200 })
      const started = await staff(`POST /api/print-queue/${id}/start`, {})
      expect(started.status, started.text).toBe(200)
      return id
    }
    const report = async () => (await staff('GET /api/reports/production?by=item')).json<ProductionRow[]>()
    const yields = () => app.database.sql`select good::int, bad::int from item_yields`
    const refused = await start()
    await app.database.transaction(async (tx) => {
      const [plate] = await tx<{ id: string }[]>`select id from job_plates where print_job_id = ${refused}`
      const failure = { reason: 'The printer cannot read this file.', isUnsent: true }
      await failPlate(tx, plate?.id ?? '', failure, { actor: SYSTEM_ACTOR, now: app.clock.now() })
    })
    const job = (await staff(`GET /api/print-queue/${refused}`)).json<PrintJob>()
    expect(job).toMatchObject({ status: 'failed', failure_reason: 'The printer cannot read this file.' })
    expect(await report()).toEqual([])
    expect(await yields()).toEqual([])

    // A report with rejected pieces counts as a print, even without filament and time, because the person has seen
    // pieces.
    const failed = await start()
    const body = { reason: 'Warping', rejected_quantity: 4, used_grams: 0, print_minutes: 0 }
    const answer = await staff(`POST /api/print-queue/${failed}/fail`, body)
    expect(answer.status, answer.text).toBe(200)
    expect(await report()).toMatchObject([
      { plates: 1, bad: 4, jobs: 1, failed_jobs: 1, unknown_cost_jobs: 0 },
    ])
    expect(await yields()).toEqual([{ good: 0, bad: 4 }])
  })

  it('a failure that an agent reports without filament and time counts only if the agent had said that the print had begun', async () => {
    const app = await buildTestApp()
    const staff = callsOf(app, await app.as('staff'))
    const itemId = await anItem(app, { name: 'Dragon', quantity: 0 })
    const { key } = await anAgent(app)
    const fail = async (said: { progress: number } | null, more: object = {}) => {
      const id = await aPrintJob(app, { itemId, quantity: 4 })
      expect((await claim(app, key, 'bench', { printer: 'Bench' })).statusCode).toBe(200)
      if (said) await sendReport(app, key, id, 'heartbeat', said)
      const report = { reason: 'Nozzle is cold', used_grams: 0, print_minutes: 0, ...more }
      expect((await sendReport(app, key, id, 'fail', report)).statusCode).toBe(200)
    }
    const counted = async () => {
      const [row] = (await staff('GET /api/reports/production?by=item')).json<ProductionRow[]>()
      const [printer] = await app.database.sql`select failed_plates from printers`
      const [yields] = await app.database.sql`select bad::int from item_yields`
      return [row?.plates ?? 0, printer?.['failed_plates'], yields?.['bad'] ?? 0]
    }
    await fail(null)
    expect(await counted()).toEqual([0, 0, 0])
    // A progress of 0 means that the printer is still heating.
    await fail({ progress: 0 })
    expect(await counted()).toEqual([1, 1, 4])
    await fail(null, { cleared: false })
    expect(await counted()).toEqual([2, 2, 8])
  })

  it('the production report is refused for invalid periods and for viewers', async () => {
    const app = await buildTestApp()
    const [staff, viewer] = [callsOf(app, await app.as('staff')), callsOf(app, await app.as('viewer'))]
    for (const query of ['by=color', 'from=yesterday', 'from=2026-02-01&to=2026-01-01', 'time_zone=Mars'])
      expect((await staff(`GET /api/reports/production?${query}`)).status).toBe(422)
    expect((await viewer('GET /api/reports/production')).status).toBe(403)
  })
})
