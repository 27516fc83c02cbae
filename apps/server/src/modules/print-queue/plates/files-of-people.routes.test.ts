import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import type { Plate } from '@pegasus/contracts/print-queue/plates'
import type { Printer } from '@pegasus/contracts/print-queue/printers'
import { expect, it } from 'vitest'
import { type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'
import { clearPlate } from '../../../../test/support/clear-plate.ts'
import { aModel } from '../../../../test/support/library/library-factories.ts'
import { aSlice } from '../../../../test/support/library/slice-factories.ts'
import { aPrintJob, aSpool, anItem } from '../../../../test/support/stock-factories.ts'

const post = async <T>(app: TestApp, url: string, payload: object = {}): Promise<T> => {
  const answer = await app.http.inject({ method: 'POST', url, headers: await app.as('admin'), payload })
  if (answer.statusCode > 201) throw new Error(`${url}: ${answer.statusCode} ${answer.body}`)
  return answer.json<T>()
}

const read = async <T>(app: TestApp, url: string): Promise<T> =>
  (await app.http.inject({ url, headers: await app.as('viewer') })).json<T>()

const act = (app: TestApp, id: string, step: string, payload: object = {}) =>
  post<PrintJob>(app, `/api/print-queue/${id}/${step}`, payload)

/** Adds a manual printer with these spools, beginning with slot 1. */
const aBench = async (app: TestApp, name: string, spools: readonly string[], more: object = {}) => {
  const slots = spools.map((filament_id, index) => ({ slot: index + 1, filament_id }))
  return (await post<Printer>(app, '/api/printers', { name, nozzle_mm: 0.4, slots, ...more })).id
}

const leftOf = async (app: TestApp, id: string): Promise<number | null> => {
  const [row] = await app.database.sql<{ grams: number }[]>`
    select remaining_grams::float8 as grams from spools where id = ${id}`
  return row?.grams ?? null
}

/** Adds an item without weight and material, whose model has no sliced file yet. */
const anItemOfModel = async (app: TestApp) => {
  const modelId = await aModel(app)
  const itemId = await anItem(app, { quantity: 0 })
  await app.database.sql`update items set stl_file_id = ${modelId} where id = ${itemId}`
  return { modelId, itemId }
}

it('a plate that a person prints takes its filament and time from the sliced file if no weight is given', async () => {
  const app = await buildTestApp()
  const spool = await aSpool(app, { material: 'PLA', remainingGrams: 500 })
  const printerId = await aBench(app, 'Bench', [spool], { model: 'MK4' })
  const { modelId, itemId } = await anItemOfModel(app)
  const sliceId = await aSlice(app, modelId, { printerModel: 'MK4', grams: 4.6, minutes: 15 })
  await aSlice(app, modelId, { printerModel: 'MK4', nozzleMm: 0.6, grams: 9 })
  await aSlice(app, modelId, { printerModel: 'MK4', material: 'PETG', grams: 8 })
  await aSlice(app, modelId, { printerModel: 'Voron', grams: 7 })
  const id = await aPrintJob(app, { itemId, quantity: 3, piecesPerPlate: 1 })

  await act(app, id, 'start', { printer: 'Bench' })
  const [plate] = await read<Plate[]>(app, `/api/print-queue/${id}/plates`)
  expect(plate).toMatchObject({ slice_id: sliceId, tools: [{ grams: 4.6, filament_id: spool }] })
  expect(await read<Printer>(app, `/api/printers/${printerId}`)).toMatchObject({
    current_job: { estimated_minutes: 15 },
  })
  expect(await act(app, id, 'complete', { rejected_quantity: 1, reason: 'Warped' })).toMatchObject({
    used_grams: 4.6,
  })
  expect(await leftOf(app, spool)).toBe(495.4)
  for (const left of [490.8, 486.2, 481.6]) {
    await act(app, id, 'start', { printer: 'Bench' })
    await clearPlate(app, printerId)
    expect(await leftOf(app, spool)).toBe(left)
  }
  expect(await read(app, `/api/print-queue/${id}`)).toMatchObject({
    status: 'completed',
    used_grams: 18.4,
    cost_is_measured: false,
  })
  expect(await read(app, `/api/printers/${printerId}`)).toMatchObject({ print_hours: 1 })
})

it('a person can choose the number of pieces on a plate, and its filament and time are scaled from the sliced file', async () => {
  const app = await buildTestApp()
  const spool = await aSpool(app, { material: 'PLA', remainingGrams: 500 })
  const printerId = await aBench(app, 'Bench', [spool], { model: 'MK4' })
  const { modelId, itemId } = await anItemOfModel(app)
  const sliceId = await aSlice(app, modelId, { printerModel: 'MK4', grams: 20, minutes: 60, pieces: 4 })
  const whole = await aPrintJob(app, { itemId, quantity: 10 })
  expect(await act(app, whole, 'start', { printer: 'Bench' })).toMatchObject({
    missing_quantity: 0,
    pieces_per_plate: null,
  })
  expect(await read<Printer>(app, `/api/printers/${printerId}`)).toMatchObject({
    current_job: { pieces: 10, estimated_minutes: 150 },
  })
  expect(await act(app, whole, 'complete')).toMatchObject({ good_quantity: 10, used_grams: 50 })
  const part = await aPrintJob(app, { itemId, quantity: 4 })
  await act(app, part, 'start', { printer: 'Bench', pieces: 1 })
  expect(await act(app, part, 'complete')).toMatchObject({ good_quantity: 1, used_grams: 5 })
  expect(await leftOf(app, spool)).toBe(445)
  // The print began with the file as it was. A correction of its pieces, for the next prints, changes nothing.
  const running = await aPrintJob(app, { itemId, quantity: 4 })
  await act(app, running, 'start', { printer: 'Bench' })
  await app.database.sql`update sliced_files set pieces = 8 where id = ${sliceId}`
  expect(await act(app, running, 'complete')).toMatchObject({ good_quantity: 4, used_grams: 20 })
  await act(app, running, 'undo')
  expect(await act(app, running, 'complete')).toMatchObject({ used_grams: 20 })
  expect(await leftOf(app, spool)).toBe(425)
})

it("a person's plate uses the sliced file for the chosen spool, otherwise the file for a loaded spool", async () => {
  const app = await buildTestApp()
  const [petg, pla, asa] = [
    await aSpool(app, { material: 'PETG', remainingGrams: 500 }),
    await aSpool(app, { material: 'PLA', remainingGrams: 500 }),
    await aSpool(app, { material: 'ASA', remainingGrams: 500 }),
  ]
  await aBench(app, 'Two', [petg, pla])
  await aBench(app, 'Warm', [asa])
  const { modelId, itemId } = await anItemOfModel(app)
  // The jobs are added before the files, so they have no estimate.
  const jobs: string[] = []
  for (let n = 0; n < 4; n += 1) jobs.push(await aPrintJob(app, { itemId, quantity: 1 }))
  await aSlice(app, modelId, { printerModel: null, material: 'PETG', grams: 8 })
  await aSlice(app, modelId, { printerModel: null, material: 'PLA', grams: 4 })
  const [first = '', second = '', third = '', fourth = ''] = jobs
  const lefts = async () => [await leftOf(app, petg), await leftOf(app, pla), await leftOf(app, asa)]

  await act(app, first, 'start', { printer: 'Two' })
  await act(app, first, 'complete')
  expect(await lefts()).toEqual([500, 496, 500])
  // The only loaded material fits no file of the model, so the used filament is unknown.
  await act(app, second, 'start', { printer: 'Warm' })
  expect(await act(app, second, 'complete')).toMatchObject({ used_grams: null })
  expect(await lefts()).toEqual([500, 496, 500])
  await act(app, third, 'start', { printer: 'Warm', filament_id: petg })
  expect(await act(app, third, 'complete')).toMatchObject({ used_grams: 8 })
  expect(await lefts()).toEqual([492, 496, 500])
  // A plate without a known printer gets no file.
  await act(app, fourth, 'start')
  expect(await act(app, fourth, 'complete')).toMatchObject({ used_grams: null })
  expect(await lefts()).toEqual([492, 496, 500])
})

it('a job whose item has no weight needs the filament of the sliced file for the printer', async () => {
  const app = await buildTestApp()
  const spool = await aSpool(app, { material: 'PLA', remainingGrams: 15 })
  await aBench(app, 'Bench', [spool], { model: 'MK4' })
  const { modelId, itemId } = await anItemOfModel(app)
  await aSlice(app, modelId, { printerModel: 'MK4', grams: 20, minutes: 50, pieces: 4 })
  const body = { inventory_item_id: itemId, quantity: 6, pieces_per_plate: 2 }
  const job = await post<PrintJob>(app, '/api/print-queue', body)
  expect(job).toMatchObject({ estimated_grams: 30, estimated_minutes: 75, waits_for: [] })
  const withWeight = await post<PrintJob>(app, '/api/print-queue', { ...body, estimated_grams: 7 })
  expect(withWeight).toMatchObject({ estimated_grams: 7, estimated_minutes: 75 })
  const all = await post<PrintJob>(app, '/api/print-queue', {
    ...body,
    pieces_per_plate: null,
    material: 'PLA',
  })
  expect(all.waits_for).toMatchObject([{ code: 'grams_short' }])
  // All six pieces are on the running plate. After the quantity was raised to 8, the next plate needs filament for two
  // pieces only.
  await act(app, all.id, 'start')
  await app.database.sql`update print_jobs set quantity = 8 where id = ${all.id}`
  expect(await read(app, `/api/print-queue/${all.id}/matches`)).toMatchObject([{ reasons: [] }])
})
