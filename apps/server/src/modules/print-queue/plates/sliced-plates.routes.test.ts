import type { AgentJob } from '@pegasus/contracts/print-queue/agents'
import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import type { Printer } from '@pegasus/contracts/print-queue/printers'
import { expect, it } from 'vitest'
import { type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'
import { aModel } from '../../../../test/support/library/library-factories.ts'
import { aSlice } from '../../../../test/support/library/slice-factories.ts'
import { aPrinterSetup, clearBed } from '../../../../test/support/network-printers.ts'
import { anAgent, claim, sendReport } from '../../../../test/support/print-agents.ts'
import { aPrintJob, anItem } from '../../../../test/support/stock-factories.ts'

/** Adds an item whose model has a sliced file with this number of pieces. */
async function aSlicedItem(app: TestApp, pieces: number) {
  const modelId = await aModel(app)
  const sliceId = await aSlice(app, modelId, { pieces, minutes: 60, printerModel: null })
  const itemId = await anItem(app, { quantity: 0 })
  await app.database.sql`update items set stl_file_id = ${modelId} where id = ${itemId}`
  return { itemId, sliceId }
}

const read = async <T>(app: TestApp, url: string): Promise<T> =>
  (await app.http.inject({ url, headers: await app.as('viewer') })).json<T>()

const jobOf = (app: TestApp, id: string) => read<PrintJob>(app, `/api/print-queue/${id}`)

const stockOf = async (app: TestApp, id: string) =>
  (await read<{ quantity: number }>(app, `/api/inventory/${id}`)).quantity

/** Performs a step of a job as a member of staff. */
const act = async (app: TestApp, id: string, step: string, payload: object = {}) => {
  const url = `/api/print-queue/${id}/${step}`
  const answer = await app.http.inject({ method: 'POST', url, headers: await app.as('staff'), payload })
  if (answer.statusCode !== 200) throw new Error(`${step}: ${answer.statusCode} ${answer.body}`)
  return answer.json<PrintJob>()
}

it('an agent that prints a sliced file of four pieces completes four pieces of an undivided job, and then claims the rest', async () => {
  const app = await buildTestApp()
  const { key } = await anAgent(app)
  const { itemId } = await aSlicedItem(app, 4)
  const id = await aPrintJob(app, { itemId, quantity: 10 })
  const needs = { printer: 'Mini', file_types: ['gcode'] }
  const plates: unknown[] = []
  for (let plate = 1; plate <= 3; plate += 1) {
    const job = (await claim(app, key, 'bench-1', needs)).json<AgentJob>()
    const [printer] = await read<Printer[]>(app, '/api/printers')
    plates.push([job.id === id, job.missing_quantity, job.plates, printer?.current_job?.pieces])
    if (plate === 1) expect(job).toMatchObject({ pieces_per_plate: 4, progress: 0 })
    await sendReport(app, key, id, 'complete', { lease_id: job.lease_id })
    expect(await stockOf(app, itemId)).toBe(4 * plate)
  }
  expect(plates).toEqual([
    [true, 6, 3, 4],
    [true, 2, 3, 4],
    [true, 0, 3, 4],
  ])
  // The surplus pieces of the last plate go into stock.
  expect(await jobOf(app, id)).toMatchObject({ status: 'completed', good_quantity: 12, plates_done: 3 })
})

it('an undivided job on a network printer continues until enough plates of its sliced file are printed', async () => {
  const app = await buildTestApp()
  const setup = await aPrinterSetup(app, 'moonraker')
  await app.database.sql`update sliced_files set pieces = 2`
  const id = await aPrintJob(app, { itemId: setup.itemId, quantity: 3 })
  await act(app, id, 'assign', { printer_id: setup.printerId })
  await app.planner.run()
  const schedule = await read<{ printers: { prints: { pieces: number; plates: number }[] }[] }>(
    app,
    '/api/print-queue/schedule',
  )
  expect(schedule.printers[0]?.prints).toMatchObject([{ pieces: 4, plates: 2 }])
  await app.printers.run()
  expect(await jobOf(app, id)).toMatchObject({
    status: 'in_progress',
    missing_quantity: 1,
    pieces_per_plate: 2,
    plates: 2,
    assigned_printer_id: setup.printerId,
  })
  setup.printer.machine.advance(45)
  await app.printers.run()
  // Half of a plate with two pieces is done. That is one of the three pieces of the job.
  expect(await jobOf(app, id)).toMatchObject({ progress: 0.3333 })
  for (const status of ['pending', 'completed']) {
    setup.printer.machine.advance(100)
    await app.printers.run()
    await clearBed(app, setup)
    expect(await jobOf(app, id)).toMatchObject({ status })
    await app.printers.run()
  }
  expect(await jobOf(app, id)).toMatchObject({ good_quantity: 4, plates_done: 2 })
  expect(await stockOf(app, setup.itemId)).toBe(4)
})

it('a plate printed by a person counts the pieces of its sliced file, even if the quantity was changed during the print', async () => {
  const app = await buildTestApp()
  const staff = await app.as('staff')
  const { itemId, sliceId } = await aSlicedItem(app, 4)
  const id = await aPrintJob(app, { itemId, quantity: 6 })
  const edit = (payload: object, of = id) =>
    app.http.inject({
      method: 'PUT',
      url: `/api/print-queue/${of}`,
      headers: { ...staff, 'if-match': '*' },
      payload,
    })
  expect((await edit({ slice_id: sliceId })).json()).toMatchObject({ slice_id: sliceId, slice_pieces: 4 })
  expect((await edit({ slice_id: id })).statusCode).toBe(422)
  expect(await act(app, id, 'start', { printer: 'Bench' })).toMatchObject({
    missing_quantity: 2,
    pieces_per_plate: 4,
    plates: 2,
  })
  expect(await act(app, id, 'complete')).toMatchObject({
    status: 'pending',
    good_quantity: 4,
    missing_quantity: 2,
  })
  await act(app, id, 'start', { printer: 'Bench' })
  expect(await act(app, id, 'complete', { rejected_quantity: 1 })).toMatchObject({
    status: 'completed',
    good_quantity: 7,
  })
  expect(await stockOf(app, itemId)).toBe(7)

  const single = await aPrintJob(app, { itemId, sliceId, quantity: 4 })
  await act(app, single, 'start', { printer: 'Bench' })
  await edit({ quantity: 1 }, single)
  expect(await act(app, single, 'complete')).toMatchObject({
    status: 'completed',
    good_quantity: 4,
    pieces_per_plate: null,
  })
})

it('a person can print an undivided job without a sliced file, or a number of pieces that differs from the file', async () => {
  const app = await buildTestApp()
  const { itemId, sliceId } = await aSlicedItem(app, 4)
  const whole = await aPrintJob(app, { itemId, quantity: 10 })
  expect(await act(app, whole, 'start', { printer: 'Bench' })).toMatchObject({
    missing_quantity: 0,
    pieces_per_plate: null,
  })
  const own = await aPrintJob(app, { itemId, sliceId, quantity: 10 })
  const started = await act(app, own, 'start', { printer: 'Other', pieces: 3 })
  expect(started).toMatchObject({ missing_quantity: 7, pieces_per_plate: 3 })
  expect(await act(app, own, 'complete')).toMatchObject({ status: 'pending', good_quantity: 3 })
})
