import type { ItemCost } from '@pegasus/contracts/inventory/costs'
import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import type { Plate } from '@pegasus/contracts/print-queue/plates'
import type { PrinterMatch } from '@pegasus/contracts/print-queue/matching'
import type { Slice } from '@pegasus/contracts/slices/slices'
import type { Model } from '@pegasus/contracts/stl-library/models'
import { expect, it } from 'vitest'
import { gcode3mfOf } from '../../../../../../packages/mesh/test/gcode-tools.ts'
import { addedItem, callsOf } from '../../../../test/support/api-calls.ts'
import { type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'
import { aModel } from '../../../../test/support/library/library-factories.ts'
import { listSlices, uploadedSlices } from '../../../../test/support/library/slice-upload.ts'
import { aPrinterSetup, clearBed, setupState } from '../../../../test/support/network-printers.ts'
import { anAgent, claim, sendReport } from '../../../../test/support/print-agents.ts'
import { deleteUnused } from './slices.queries.ts'

/** A sliced file of a dragon with three plates. Together, they take 60 g and 240 min. */
const DRAGON = gcode3mfOf([
  { part: 'head', grams: 10, minutes: 30 },
  { part: 'body', grams: 30, minutes: 150 },
  { part: 'tail', grams: 20, minutes: 60 },
])

/** Cost settings with which the cost of a piece has no fractions of a cent. */
const RATES = {
  material_price_per_kg: 25,
  waste_percent: 5,
  printer_watts: 0,
  machine_price_per_hour: 0.5,
  labor_price_per_hour: 20,
  prepare_minutes_per_print: 6,
  finish_minutes_per_piece: 3,
  failure_percent: 0,
  overhead_percent: 0,
}

/** 1.50 for 60 g, 2.00 for four hours, 2.00 for each of three preparations, and 1.00 for finishing. */
const UNIT_COST = 10.5

const upload = async (app: TestApp, modelId: string, fields: Record<string, string> = {}) =>
  uploadedSlices(app, await app.as('staff'), modelId, { name: 'dragon.gcode.3mf', bytes: DRAGON }, fields)

const sendAs = async (app: TestApp, role: 'staff' | 'admin' = 'staff') => {
  const calls = callsOf(app, await app.as(role))
  return async <T>(what: Parameters<typeof calls>[0], body?: object, status = 200): Promise<T> => {
    const answer = await calls(what, body, { 'if-match': '*' })
    expect(answer.status, answer.text).toBe(status)
    return answer.text === '' ? (undefined as T) : answer.json<T>()
  }
}

/** Sends the decision whether one piece needs all plates of the slice's file. */
const decide = async (app: TestApp, { stl_file_id, id }: Slice, body: object, status = 200) =>
  (await sendAs(app))<Slice>(`PUT /api/stl-files/${stl_file_id}/slices/${id}`, body, status)

const shown = async (app: TestApp, modelId: string) =>
  (await listSlices(app, await app.as('viewer'), modelId)).map((slice) => [
    slice.plate,
    slice.plates,
    slice.needs_all_plates,
    slice.pieces,
    slice.notes.filter((note) => note.includes('different parts')).length,
  ])

it('a person decides whether one piece needs all plates of a file, for all of its plates at once', async () => {
  const app = await buildTestApp()
  const modelId = await aModel(app)
  const [head, body] = await upload(app, modelId)
  const open = [1, 2, 3].map((plate) => [plate, 3, null, 1, 1])
  expect(await shown(app, modelId)).toEqual(open)
  expect(await decide(app, body!, { needs_all_plates: true, pieces: 2 })).toMatchObject({
    pieces: 2,
    plate: 2,
  })
  expect(await shown(app, modelId)).toEqual([1, 2, 3].map((plate) => [plate, 3, true, 2, 0]))
  await decide(app, head!, { pieces: 4 })
  expect((await shown(app, modelId)).map(([, , , pieces]) => pieces)).toEqual([4, 4, 4])
  // Each plate has its own number of pieces again, which can be corrected for this plate alone.
  await decide(app, head!, { needs_all_plates: false, pieces: 5 })
  expect(await shown(app, modelId)).toEqual([
    [1, 3, false, 5, 0],
    [2, 3, false, 1, 0],
    [3, 3, false, 1, 0],
  ])
  await decide(app, head!, { needs_all_plates: null, pieces: 1 })
  expect(await shown(app, modelId)).toEqual(open)
  await decide(app, head!, { needs_all_plates: 'yes' }, 422)

  const other = await aModel(app)
  const uploaded = await upload(app, other, { needs_all_plates: 'true' })
  expect(uploaded.map((slice) => [slice.needs_all_plates, slice.pieces])).toEqual(
    uploaded.map(() => [true, 1]),
  )
  const single = await uploadedSlices(app, await app.as('staff'), other, {
    name: 'one.gcode.3mf',
    bytes: gcode3mfOf([{ part: 'head', grams: 1, minutes: 1 }]).subarray(0),
  })
  expect(single.map(({ plates }) => plates)).toEqual([2, 2])
})

it('the cost of a piece counts all plates that it needs, in the item, the model and the plan of a job', async () => {
  const app = await buildTestApp()
  const send = await sendAs(app)
  await (await sendAs(app, 'admin'))('PUT /api/cost-settings', RATES)
  const modelId = await aModel(app)
  const [slice] = await upload(app, modelId)
  const staff = callsOf(app, await app.as('staff'))
  const item = await addedItem(staff, { stl_file_id: modelId, quantity: 0 })
  const costOf = () => send<ItemCost>(`GET /api/inventory/${item.id}/cost`)
  const plan = (body: object = {}) =>
    send<PrintJob>('POST /api/print-queue', { inventory_item_id: item.id, quantity: 2, ...body }, 201)
  expect((await costOf()).unit_cost).toBe(0.25 + 0.25 + 2 + 1)

  await decide(app, slice!, { needs_all_plates: true })
  const cost = await costOf()
  expect(cost).toMatchObject({ unit_cost: UNIT_COST, missing: [] })
  expect(cost.lines.find(({ kind }) => kind === 'preparation')?.formula).toBe(
    '6 min × 3 plates × 20.00 USD/h',
  )
  expect((await send<Model>(`GET /api/stl-files/${modelId}`)).sliced_piece).toMatchObject({
    grams: 60,
    minutes: 240,
    plates: 3,
  })
  const job = await plan()
  expect(job).toMatchObject({ planned_cost: 2 * UNIT_COST, estimated_grams: 120, estimated_minutes: 480 })
  const chosen = await plan({ slice_id: slice!.id })
  expect(chosen).toMatchObject({ planned_cost: 2 * UNIT_COST, slice_pieces: 1, slice_plates: 3 })

  // A person prints the three plates as one print: starts it once, and completes it after the last plate.
  await send(`POST /api/print-queue/${chosen.id}/start`, {})
  expect(await send(`POST /api/print-queue/${chosen.id}/complete`, {})).toMatchObject({
    status: 'pending',
    good_quantity: 1,
  })
  await send(`POST /api/print-queue/${chosen.id}/start`, {})
  expect(await send(`POST /api/print-queue/${chosen.id}/complete`, {})).toMatchObject({
    status: 'completed',
    good_quantity: 2,
    cost: 2 * UNIT_COST,
  })
  const plates = await send<Plate[]>(`GET /api/print-queue/${chosen.id}/plates`)
  expect(plates.map(({ pieces }) => pieces)).toEqual([1, 1])
  // A person can also print both pieces in one print. Then six plates are prepared.
  await send(`POST /api/print-queue/${job.id}/start`, { printer: 'Bench' })
  expect(await send(`POST /api/print-queue/${job.id}/complete`, {})).toMatchObject({
    status: 'completed',
    cost: 2 * UNIT_COST,
  })

  // If one plate does not state its weight and time, the cost of the piece is incomplete.
  await app.database.sql`update sliced_files set grams = null where plate = 3`
  expect((await costOf()).missing).toEqual(['weight_grams', 'print_time_minutes'])
})

it('no network printer and no agent prints one plate of a piece that needs all plates', async () => {
  const app = await buildTestApp()
  const setup = await aPrinterSetup(app, 'bambu')
  const { sql } = app.database
  await sql`update sliced_files set deleted_at = now() where id = ${setup.sliceId}`
  await sql`update printers set model = 'Bambu Lab P1S' where id = ${setup.printerId}`
  const [slice] = await upload(app, setup.modelId)
  const send = await sendAs(app)
  const add = (body: object = {}) =>
    send<PrintJob>('POST /api/print-queue', { inventory_item_id: setup.itemId, quantity: 1, ...body }, 201)
  const reasonsOf = async ({ id }: PrintJob) => {
    const matches = await send<PrinterMatch[]>(`GET /api/print-queue/${id}/matches`)
    return matches.flatMap(({ reasons }) => reasons.filter(({ code }) => code === 'no_slice'))
  }
  const job = await add()
  expect(await reasonsOf(job)).toEqual([])
  await decide(app, slice!, { needs_all_plates: true })

  const chosen = await add({ slice_id: slice!.id })
  const { key } = await anAgent(app)
  await claim(app, key, 'bench-1', { printer: 'Mini' })
  const message =
    'One piece needs all 3 plates of dragon.gcode.3mf. Print them by hand: start the job without a printer, and complete it when all plates are done.'
  const action = { kind: 'slice', label: 'Open the model' }
  for (const each of [job, chosen])
    expect(await reasonsOf(each)).toMatchObject([
      { message, action },
      { message, action },
    ])
  expect((await send<PrintJob>(`GET /api/print-queue/${chosen.id}`)).waits_for[0]?.message).toContain(message)

  for (const each of [job, chosen])
    expect(await send(`POST /api/print-queue/${each.id}/start`, { printer: 'Left' }, 409)).toMatchObject({
      detail: 'The server itself runs Left. Start the job without a printer to print all plates by hand.',
    })

  // Even an admin cannot override this.
  const admin = await sendAs(app, 'admin')
  await send(`POST /api/print-queue/${chosen.id}/assign`, { printer_id: setup.printerId }, 409)
  await admin(`POST /api/print-queue/${chosen.id}/assign`, { printer_id: setup.printerId, override: true })
  await app.planner.run()
  await app.printers.run()
  for (const needs of [{}, { printer: 'Mini' }, { file_types: ['gcode.3mf'] }])
    expect((await claim(app, key, 'bench-1', needs)).statusCode).toBe(204)
  expect(setup.printer.commands).toEqual([])
  expect(await sql`select 1 from job_plates`).toHaveLength(0)
  // An agent that slices by itself still gets the model.
  expect((await claim(app, key, 'bench-1', { file_types: ['stl'] })).statusCode).toBe(200)
})

it('a person cannot decide that one piece needs all plates of a file while the server prints a plate of it', async () => {
  const app = await buildTestApp()
  const setup = await aPrinterSetup(app, 'bambu')
  await app.database.sql`update sliced_files set deleted_at = now() where id = ${setup.sliceId}`
  await app.database.sql`update printers set model = 'Bambu Lab P1S' where id = ${setup.printerId}`
  const [slice, second] = await upload(app, setup.modelId)
  const send = await sendAs(app)
  const job = await send<PrintJob>(
    'POST /api/print-queue',
    { inventory_item_id: setup.itemId, quantity: 1 },
    201,
  )
  await send(`POST /api/print-queue/${job.id}/assign`, { printer_id: setup.printerId })
  await app.planner.run()
  await app.printers.run()
  expect((await setupState(app, setup, job.id)).plates).toMatchObject([{ state: 'printing' }])
  expect(await decide(app, second!, { needs_all_plates: true }, 422)).toMatchObject({
    detail: 'A plate of this file is being printed. Please decide when it has ended.',
  })
  setup.printer.machine.advance(1000)
  await app.printers.run()
  await clearBed(app, setup)
  await decide(app, slice!, { needs_all_plates: true })
})

it('the plates of one piece are deleted and restored together', async () => {
  const app = await buildTestApp()
  const modelId = await aModel(app)
  const [head, body] = await upload(app, modelId)
  const send = await sendAs(app)
  const address = `/api/stl-files/${modelId}/slices/${body!.id}` as const
  await send(`DELETE ${address}`, undefined, 204)
  expect((await shown(app, modelId)).map(([plate, plates]) => [plate, plates])).toEqual([
    [1, 2],
    [3, 2],
  ])
  await send(`POST ${address}/restore`)
  await decide(app, head!, { needs_all_plates: true })
  await send(`DELETE ${address}`, undefined, 204)
  expect(await shown(app, modelId)).toEqual([])
  await send(`POST ${address}/restore`)
  expect((await shown(app, modelId)).map(([plate, plates, all]) => [plate, plates, all])).toEqual([
    [1, 3, true],
    [2, 3, true],
    [3, 3, true],
  ])
})

it('a plate that is restored or uploaded after the decision that a piece needs all plates also belongs to the piece', async () => {
  const app = await buildTestApp()
  const modelId = await aModel(app)
  const [head, body, tail] = await upload(app, modelId)
  const send = await sendAs(app)
  const addressOf = ({ id }: Slice) => `/api/stl-files/${modelId}/slices/${id}` as const
  await send(`DELETE ${addressOf(body!)}`, undefined, 204)
  await send(`DELETE ${addressOf(tail!)}`, undefined, 204)
  await send(`POST ${addressOf(tail!)}/restore`)
  await decide(app, head!, { needs_all_plates: true, pieces: 2 })
  const whole = [1, 2, 3].map((plate) => [plate, 3, true, 2, 0])
  await send(`POST ${addressOf(body!)}/restore`)
  expect(await shown(app, modelId)).toEqual(whole)

  await decide(app, head!, { needs_all_plates: null })
  await send(`DELETE ${addressOf(body!)}`, undefined, 204)
  await decide(app, head!, { needs_all_plates: true })
  await upload(app, modelId)
  expect(await shown(app, modelId)).toEqual(whole)
})

it('prints of a network printer keep their figures when a person later decides that one piece needs all plates', async () => {
  const app = await buildTestApp()
  const setup = await aPrinterSetup(app, 'bambu')
  await (await sendAs(app, 'admin'))('PUT /api/cost-settings', RATES)
  const { sql } = app.database
  await sql`update sliced_files set deleted_at = now() where id = ${setup.sliceId}`
  await sql`update printers set model = 'Bambu Lab P1S' where id = ${setup.printerId}`
  const [slice] = await upload(app, setup.modelId)
  const send = await sendAs(app)
  const job = await send<PrintJob>(
    'POST /api/print-queue',
    { inventory_item_id: setup.itemId, quantity: 2, slice_id: slice!.id },
    201,
  )
  await send(`POST /api/print-queue/${job.id}/assign`, { printer_id: setup.printerId })
  await app.planner.run()
  await app.printers.run()
  setup.printer.machine.advance(1000)
  await app.printers.run()
  await clearBed(app, setup)
  const report = () => send<object[]>('GET /api/reports/production?by=item&from=2020-01-01&to=2100-01-01')
  const before = await report()
  expect(before).toMatchObject([{ planned_grams: 10 }])
  await decide(app, slice!, { needs_all_plates: true })
  expect(await report()).toEqual(before)
  await send(`POST /api/print-queue/${job.id}/start`, {})
  // The printer needed 0.25 for 10 g, 0.25 for half an hour, and one preparation for 2.00. Finishing costs 1.00.
  expect(await send(`POST /api/print-queue/${job.id}/complete`, {})).toMatchObject({
    status: 'completed',
    cost: 0.25 + 0.25 + 2 + 1 + UNIT_COST,
  })
})

it('a completed print of an agent keeps the figures of its plate if it is undone and one piece then needs all plates', async () => {
  const app = await buildTestApp()
  const modelId = await aModel(app)
  const [slice] = await upload(app, modelId)
  const send = await sendAs(app)
  const item = await addedItem(callsOf(app, await app.as('staff')), { stl_file_id: modelId, quantity: 0 })
  const body = { inventory_item_id: item.id, quantity: 1, slice_id: slice!.id }
  const job = await send<PrintJob>('POST /api/print-queue', body, 201)
  const { key } = await anAgent(app)
  expect((await claim(app, key)).json<PrintJob>().id).toBe(job.id)
  expect(
    (await sendReport(app, key, job.id, 'complete', { used_grams: 11, print_minutes: 32 })).statusCode,
  ).toBe(200)
  const report = () => send<object[]>('GET /api/reports/production?by=item&from=2020-01-01&to=2100-01-01')
  const before = await report()
  expect(before).toMatchObject([{ planned_grams: 10 }])
  await send(`POST /api/print-queue/${job.id}/undo`)
  await decide(app, slice!, { needs_all_plates: true })
  expect((await send<PrintJob>(`GET /api/print-queue/${job.id}`)).slice_plates).toBe(1)
  await send(`POST /api/print-queue/${job.id}/complete`, { used_grams: 11, print_minutes: 32 })
  expect(await report()).toEqual(before)
})

it('a job that a printer prints with another file does not count all plates of the newest file', async () => {
  const app = await buildTestApp()
  const setup = await aPrinterSetup(app, 'moonraker')
  await upload(app, setup.modelId, { needs_all_plates: 'true' })
  const send = await sendAs(app)
  const job = await send<PrintJob>(
    'POST /api/print-queue',
    { inventory_item_id: setup.itemId, quantity: 1 },
    201,
  )
  expect(job.slice_plates).toBe(3)
  await send(`POST /api/print-queue/${job.id}/assign`, { printer_id: setup.printerId })
  await app.planner.run()
  await app.printers.run()
  expect((await setupState(app, setup, job.id)).plates).toMatchObject([{ state: 'printing' }])
  expect((await send<PrintJob>(`GET /api/print-queue/${job.id}`)).slice_plates).toBe(1)
})

it('the purge looks up the jobs and plates of a file through indexes', async () => {
  const app = await buildTestApp()
  const plan = await app.database.transaction(async (tx) => {
    await tx`set local enable_seqscan = off`
    await tx`set local enable_bitmapscan = off`
    return tx<Record<'QUERY PLAN', string>[]>`explain ${deleteUnused(tx, new Date(), 10)}`
  })
  const text = plan.map((row) => row['QUERY PLAN']).join('\n')
  expect(text).toMatch(/using print_jobs_of_slice on print_jobs.*\n.*Index Cond/)
  expect(text).toMatch(/using job_plates_of_slice on job_plates.*\n.*Index Cond/)
})
