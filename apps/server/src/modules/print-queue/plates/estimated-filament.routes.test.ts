import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import type { Plate } from '@pegasus/contracts/print-queue/plates'
import type { Printer } from '@pegasus/contracts/print-queue/printers'
import { expect, it } from 'vitest'
import { type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'
import { clearPlate } from '../../../../test/support/clear-plate.ts'
import { aModel } from '../../../../test/support/library/library-factories.ts'
import { aSlice } from '../../../../test/support/library/slice-factories.ts'
import { anAgent, claim, sendReport } from '../../../../test/support/print-agents.ts'
import { aPrintJob, aSpool } from '../../../../test/support/stock-factories.ts'

const post = async <T>(app: TestApp, url: string, payload: object = {}): Promise<T> => {
  const answer = await app.http.inject({ method: 'POST', url, headers: await app.as('admin'), payload })
  if (answer.statusCode > 201) throw new Error(`${url}: ${answer.statusCode} ${answer.body}`)
  return answer.json<T>()
}

const act = (app: TestApp, id: string, step: string, payload: object = {}) =>
  post<PrintJob>(app, `/api/print-queue/${id}/${step}`, payload)

/** Adds a manual printer with these spools, beginning with slot 1. */
const aBench = async (app: TestApp, ...spools: string[]): Promise<string> => {
  const slots = spools.map((filament_id, index) => ({ slot: index + 1, filament_id }))
  return (await post<Printer>(app, '/api/printers', { name: 'Bench', slots })).id
}

const leftOf = async (app: TestApp, id: string): Promise<number | null> => {
  const [row] = await app.database.sql<{ grams: number }[]>`
    select remaining_grams::float8 as grams from spools where id = ${id}`
  return row?.grams ?? null
}

it('a plate that is cleared without a report books the estimate on the loaded spool with the material of the job', async () => {
  const app = await buildTestApp()
  const petg = await aSpool(app, { material: 'PETG', remainingGrams: 500 })
  const pla = await aSpool(app, { material: 'PLA', remainingGrams: 500 })
  const printerId = await aBench(app, petg, pla)
  const job = { material: 'PLA', quantity: 4, piecesPerPlate: 2, estimatedGrams: 100 }
  const id = await aPrintJob(app, job)
  await act(app, id, 'start', { printer: 'Bench' })
  await clearPlate(app, printerId, { good_quantity: 2 })
  expect(await leftOf(app, pla)).toBe(450)
  await act(app, id, 'start', { printer: 'Bench' })
  // A reported weight takes precedence over the estimate.
  const done = await act(app, id, 'complete', { used_grams: 41 })
  expect([await leftOf(app, pla), await leftOf(app, petg)]).toEqual([409, 500])
  expect(done).toMatchObject({ status: 'completed', used_grams: 91, cost_is_measured: false })
  await act(app, id, 'undo')
  expect(await act(app, id, 'complete')).toMatchObject({ used_grams: 100, cost_is_measured: false })

  const stlFileId = await aModel(app)
  const sliceId = await aSlice(app, stlFileId, { grams: 12.5, material: 'PETG', printerModel: null })
  const sliced = await aPrintJob(app, { stlFileId, sliceId, estimatedGrams: 100, spoolId: petg })
  await act(app, sliced, 'start', { printer: 'Bench' })
  expect(await act(app, sliced, 'complete')).toMatchObject({ used_grams: 12.5 })
  expect(await leftOf(app, petg)).toBe(487.5)

  const { key } = await anAgent(app)
  const own = await aPrintJob(app, { stlFileId, sliceId, spoolId: petg })
  await claim(app, key, 'bench-1', { printer: 'Agent' })
  await sendReport(app, key, own, 'complete')
  expect(await leftOf(app, petg)).toBe(475)

  const asa = await aPrintJob(app, { material: 'ASA', estimatedGrams: 10 })
  await act(app, asa, 'start', { printer: 'Bench' })
  expect(await act(app, asa, 'complete')).toMatchObject({ used_grams: null, cost_is_measured: false })
  expect([await leftOf(app, pla), await leftOf(app, petg)]).toEqual([400, 475])
})

it('a running plate says how many grams no spool can supply, and so does the history after its end', async () => {
  const app = await buildTestApp()
  const printerId = (await post<Printer>(app, '/api/printers', { name: 'Bench', slots: [{ slot: 1 }] })).id
  const id = await aPrintJob(app, { material: 'PLA', quantity: 4, piecesPerPlate: 2, estimatedGrams: 100 })
  const read = async <T>(what: string): Promise<T> =>
    (
      await app.http.inject({ url: `/api/print-queue/${id}/${what}`, headers: await app.as('admin') })
    ).json<T>()
  const unsupplied = async () => (await read<Plate[]>('plates')).map((plate) => plate.unsupplied_grams)
  await act(app, id, 'start', { printer: 'Bench' })
  expect(await unsupplied()).toEqual([50])
  await act(app, id, 'complete')
  expect(await unsupplied()).toEqual([0])
  const reasons = (await read<{ reason: string | null }[]>('history')).map(({ reason }) => reason)
  expect(reasons).toContain('Plate 1: 50 g were not booked, because no matching spool is loaded.')

  const petg = await aSpool(app, { material: 'PETG', remainingGrams: 500 })
  await post(app, `/api/printers/${printerId}/load`, { slot: 1, filament_id: petg })
  await act(app, id, 'start', { printer: 'Bench' })
  expect(await unsupplied()).toEqual([0, 50])
  const spool = await aSpool(app, { material: 'PLA', remainingGrams: 500 })
  await post(app, `/api/printers/${printerId}/load`, { slot: 1, filament_id: spool })
  expect(await unsupplied()).toEqual([0, 0])
  await act(app, id, 'complete')
  expect(await leftOf(app, spool)).toBe(450)
})

it('a plate books no estimate if a person or a printer has booked filament for it since its start', async () => {
  const app = await buildTestApp()
  const spool = await aSpool(app, { material: 'PLA', remainingGrams: 500 })
  await aBench(app, spool)
  const finish = async (booking: (id: string) => object | null) => {
    const id = await aPrintJob(app, { material: 'PLA', estimatedGrams: 100 })
    await act(app, id, 'start', { printer: 'Bench' })
    app.clock.advance(60_000)
    const body = booking(id)
    if (body) await post(app, `/api/filament/${spool}/use`, body)
    await act(app, id, 'complete')
    app.clock.advance(60_000)
    return leftOf(app, spool)
  }
  expect(await finish(() => ({ grams: 30 }))).toBe(470)
  expect(await finish((id) => ({ grams: 20, print_job_id: id }))).toBe(450)
  expect(await finish(() => null)).toBe(350)
})

it('an estimate is taken from the spool that was loaded when the print started, not from the next one', async () => {
  const app = await buildTestApp()
  const [first, next] = [
    await aSpool(app, { material: 'PLA', remainingGrams: 500 }),
    await aSpool(app, { material: 'PLA', remainingGrams: 500 }),
  ]
  const printerId = await aBench(app, first)
  const id = await aPrintJob(app, { material: 'PLA', estimatedGrams: 100 })
  await act(app, id, 'start', { printer: 'Bench' })
  await post(app, `/api/printers/${printerId}/load`, { slot: 1, filament_id: next })
  await act(app, id, 'complete')
  expect([await leftOf(app, first), await leftOf(app, next)]).toEqual([400, 500])
  await act(app, id, 'undo')
  await act(app, id, 'complete')
  expect([await leftOf(app, first), await leftOf(app, next)]).toEqual([400, 500])
})

it('reported filament is taken from the spool that is loaded when it is reported', async () => {
  const app = await buildTestApp()
  const [empty, next] = [
    await aSpool(app, { material: 'PLA', remainingGrams: 30 }),
    await aSpool(app, { material: 'PLA', remainingGrams: 500 }),
  ]
  const printerId = await aBench(app, empty)
  const id = await aPrintJob(app, { material: 'PLA', estimatedGrams: 100 })
  await act(app, id, 'start', { printer: 'Bench' })
  await post(app, `/api/printers/${printerId}/load`, { slot: 1, filament_id: next })
  await act(app, id, 'complete', { used_grams: 200 })
  expect([await leftOf(app, empty), await leftOf(app, next)]).toEqual([30, 300])
})

it('filament that a person books for a job replaces the estimate of one of its two running plates', async () => {
  const app = await buildTestApp()
  const spool = await aSpool(app, { material: 'PLA', remainingGrams: 500 })
  const job = { material: 'PLA', spoolId: spool, quantity: 2, piecesPerPlate: 1, estimatedGrams: 100 }
  const id = await aPrintJob(app, job)
  for (const printer of ['Left', 'Right']) await act(app, id, 'start', { printer })
  app.clock.advance(60_000)
  await post(app, `/api/filament/${spool}/use`, { grams: 30, print_job_id: id })
  const plates = await app.database.sql<{ id: string }[]>`
    select id from job_plates where print_job_id = ${id} order by number`
  for (const plate of plates) await act(app, id, 'complete', { plate_id: plate.id })
  expect(await leftOf(app, spool)).toBe(420)
})

it('filament that a person books for a job replaces the estimate of one of its two cancelled plates', async () => {
  const app = await buildTestApp()
  const spool = await aSpool(app, { material: 'PLA', remainingGrams: 500 })
  const job = { material: 'PLA', spoolId: spool, quantity: 2, piecesPerPlate: 1, estimatedGrams: 100 }
  const id = await aPrintJob(app, job)
  for (const printer of ['Left', 'Right']) {
    const { key } = await anAgent(app)
    await claim(app, key, printer, { printer })
    await sendReport(app, key, id, 'heartbeat', { progress: 0.5 })
  }
  app.clock.advance(60_000)
  await post(app, `/api/filament/${spool}/use`, { grams: 30, print_job_id: id })
  await act(app, id, 'cancel')
  expect(await leftOf(app, spool)).toBe(445)
})

it('a plate with several tools books the filament of each on the spool that it shows, even if the print fails', async () => {
  const app = await buildTestApp()
  const stlFileId = await aModel(app)
  const [black, other, white] = [
    await aSpool(app, { color: 'Black', colorHex: '000000', remainingGrams: 500 }),
    await aSpool(app, { material: 'PETG', remainingGrams: 500 }),
    await aSpool(app, { color: 'White', colorHex: 'ffffff', remainingGrams: 500 }),
  ]
  await aBench(app, black, other, white)
  const sliceId = await aSlice(app, stlFileId, {
    grams: 30,
    tools: [
      { material: 'PLA', grams: 20, color_hex: '#000000' },
      { material: 'PLA', grams: 10, color_hex: '#ffffff' },
    ],
  })
  /** Returns the tools of the running plate with their slots and spools. */
  const slotsOf = async (id: string) => {
    const url = `/api/print-queue/${id}/plates`
    const [plate] = (await app.http.inject({ url, headers: await app.as('viewer') })).json<Plate[]>()
    return plate?.tools.map(({ tool, slot, filament_id: spool }) => [tool, slot, spool])
  }
  const lefts = async () => [await leftOf(app, black), await leftOf(app, other), await leftOf(app, white)]
  const job = { stlFileId, sliceId, material: 'PLA', color: 'Black' }
  for (const [step, payload, left] of [
    ['complete', {}, [480, 500, 490]],
    ['complete', { used_grams: 33.1 }, [457.93, 500, 478.97]],
    ['fail', { reason: 'Warped', used_grams: 15 }, [447.93, 500, 473.97]],
  ] as const) {
    const id = await aPrintJob(app, job)
    await act(app, id, 'start', { printer: 'Bench' })
    expect(await slotsOf(id)).toEqual([
      [0, 1, black],
      [1, 3, white],
    ])
    await act(app, id, step, payload)
    expect(await slotsOf(id)).toEqual([])
    expect(await lefts()).toEqual(left)
  }
})

it('the cost of a job includes its failed attempts, and an estimate for each plate whose use nobody reported', async () => {
  const app = await buildTestApp()
  const settings = await app.http.inject({
    method: 'PUT',
    url: '/api/cost-settings',
    headers: { ...(await app.as('admin')), 'if-match': '*' },
    payload: {
      material_price_per_kg: 20,
      machine_price_per_hour: 1,
      labor_price_per_hour: 0,
      electricity_price_per_kwh: 0,
      extras_per_piece: 0,
      overhead_percent: 0,
    },
  })
  expect(settings.statusCode).toBe(200)
  const estimate = { quantity: 2, estimatedGrams: 100, estimatedMinutes: 120 }
  const whole = await aPrintJob(app, estimate)
  await act(app, whole, 'start', { printer: 'Bench' })
  expect(
    await act(app, whole, 'fail', { reason: 'Warped', used_grams: 50, print_minutes: 60 }),
  ).toMatchObject({
    status: 'failed',
    cost: null,
  })
  const next = await post<PrintJob>(app, `/api/print-queue/${whole}/requeue`)
  await act(app, next.id, 'start', { printer: 'Bench' })
  // The cost of both attempts: 150 g at 20 per kilogram, and three hours at 1 per hour.
  expect(await act(app, next.id, 'complete', { used_grams: 100, print_minutes: 120 })).toMatchObject({
    cost: 6,
    cost_is_measured: true,
  })

  const divided = await aPrintJob(app, { ...estimate, piecesPerPlate: 1 })
  await act(app, divided, 'start', { printer: 'Bench' })
  await act(app, divided, 'complete', { used_grams: 40, print_minutes: 60 })
  await act(app, divided, 'start', { printer: 'Bench' })
  // 40 g and an hour were reported for the first plate. For the second plate, 50 g and an hour are estimated.
  expect(await act(app, divided, 'complete')).toMatchObject({
    used_grams: 40,
    cost: 3.8,
    cost_is_measured: false,
  })
})

it('a job that nobody started books the share of its sliced file for the pieces that are counted', async () => {
  const app = await buildTestApp()
  const spoolId = await aSpool(app, { remainingGrams: 500 })
  const stlFileId = await aModel(app)
  const sliceId = await aSlice(app, stlFileId, { pieces: 5, grams: 50 })
  const id = await aPrintJob(app, { stlFileId, sliceId, spoolId, quantity: 10, piecesPerPlate: 5 })
  expect(await act(app, id, 'complete', { good_quantity: 5 })).toMatchObject({ status: 'pending' })
  expect(await leftOf(app, spoolId)).toBe(450)
  expect(await act(app, id, 'complete', { good_quantity: 5 })).toMatchObject({
    status: 'completed',
    used_grams: 100,
  })
  expect(await leftOf(app, spoolId)).toBe(400)
})
