import type { SpoolEntry } from '@pegasus/contracts/filament/ledger'
import type { PrintJob, PrintJobStep } from '@pegasus/contracts/print-queue/jobs'
import type { ScannedOf } from '@pegasus/contracts/labels/scan'
import type { Plate } from '@pegasus/contracts/print-queue/plates'
import type { Printer } from '@pegasus/contracts/print-queue/printers'
import { expect, it } from 'vitest'
import { type Calls, callsOf } from '../../../../test/support/api-calls.ts'
import { type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'
import { aModel } from '../../../../test/support/library/library-factories.ts'
import { aSlice } from '../../../../test/support/library/slice-factories.ts'
import { LEASE_MS, passTime, anAgent, claim, sendReport } from '../../../../test/support/print-agents.ts'
import { aPrintJob, aSpool } from '../../../../test/support/stock-factories.ts'

/** Adds a printer with a loaded spool, and a sliced file with 100 g that takes an hour. */
async function aBench(app: TestApp) {
  const staff = callsOf(app, await app.as('admin'))
  const spoolId = await aSpool(app, { material: 'PLA', remainingGrams: 500 })
  const slots = [{ slot: 1, filament_id: spoolId }]
  const printerId = (await staff('POST /api/printers', { name: 'Bench', slots })).json<Printer>().id
  const stlFileId = await aModel(app)
  const slice = { grams: 100, minutes: 60, material: 'PLA', printerModel: null }
  const sliceId = await aSlice(app, stlFileId, slice)
  const read = async <T>(url: `/${string}`) => (await staff(`GET ${url}`)).json<T>()
  return {
    staff,
    spoolId,
    printerId,
    aJob: () => aPrintJob(app, { stlFileId, sliceId, material: 'PLA' }),
    step: (id: string, name: string, body: object = {}) => staff(`POST /api/print-queue/${id}/${name}`, body),
    entries: () => read<SpoolEntry[]>(`/api/filament/${spoolId}/ledger`),
    printer: () => read<Printer>(`/api/printers/${printerId}`),
    plates: (id: string) => read<Plate[]>(`/api/print-queue/${id}/plates`),
    history: (id: string) => read<PrintJobStep[]>(`/api/print-queue/${id}/history`),
  }
}

const resultOf = (answer: Awaited<ReturnType<Calls>>): PrintJob => {
  expect(answer.status, answer.text).toBeLessThan(300)
  return answer.json<PrintJob>()
}

it("cancelling an agent's print books the printed share of its filament and time, but counts no failure", async () => {
  const app = await buildTestApp()
  const bench = await aBench(app)
  const { key } = await anAgent(app)
  const id = await bench.aJob()
  await app.database.sql`update printers set kind = 'agent' where id = ${bench.printerId}`
  expect((await claim(app, key, 'bench-1', { printer: 'Bench' })).statusCode).toBe(200)
  await sendReport(app, key, id, 'heartbeat', { progress: 0.4 })
  const job = resultOf(await bench.step(id, 'cancel', { reason: 'Wrong color' }))
  expect(job).toMatchObject({ status: 'cancelled', used_grams: 40, print_minutes: 24 })
  const [entry] = await bench.entries()
  expect(entry).toMatchObject({ kind: 'waste', delta_grams: -40, after_grams: 460 })
  expect(await bench.printer()).toMatchObject({ print_hours: 0.4, success_rate: null })
  expect(await bench.plates(id)).toMatchObject([{ state: 'cancelled', used_grams: 40, print_minutes: 24 }])
})

it('the filament of a silent agent is booked once its job has ended, unless the agent has returned before', async () => {
  const app = await buildTestApp()
  const bench = await aBench(app)
  const { key } = await anAgent(app)
  const id = await bench.aJob()
  await app.database.sql`update printers set kind = 'agent' where id = ${bench.printerId}`
  await claim(app, key, 'bench-1', { printer: 'Bench' })
  await sendReport(app, key, id, 'heartbeat', { progress: 0.5 })
  const lapse = async () => {
    await passTime(2 * LEASE_MS, app)
    return app.leases.run()
  }
  await lapse()
  await sendReport(app, key, id, 'heartbeat', { progress: 0.6 })
  expect(await bench.plates(id)).toMatchObject([{ state: 'printing', used_grams: null }])
  await lapse()
  expect((await bench.entries())[0]).toMatchObject({ after_grams: 500 })
  resultOf(await bench.step(id, 'cancel'))
  await lapse()
  await lapse()
  expect((await bench.entries())[0]).toMatchObject({ kind: 'waste', delta_grams: -60, after_grams: 440 })
})

/** Creates a job whose agent has printed 90 % of its plate and has been silent since then. */
async function aSilentPrint(app: TestApp) {
  const bench = await aBench(app)
  const { key } = await anAgent(app)
  const id = await bench.aJob()
  await app.database.sql`update printers set kind = 'agent' where id = ${bench.printerId}`
  await claim(app, key, 'bench-1', { printer: 'Bench' })
  await sendReport(app, key, id, 'heartbeat', { progress: 0.9 })
  const lapse = async () => {
    await passTime(2 * LEASE_MS, app)
    await app.leases.run()
  }
  await lapse()
  return { ...bench, key, id, lapse }
}

it('a person completes the job of a silent agent: its filament is booked once', async () => {
  const app = await buildTestApp()
  const { id, key, lapse, ...bench } = await aSilentPrint(app)
  resultOf(await bench.step(id, 'complete', { filament_id: bench.spoolId, used_grams: 100 }))
  await lapse()
  expect((await bench.entries())[0]).toMatchObject({ kind: 'use', delta_grams: -100, after_grams: 400 })
  expect((await sendReport(app, key, id, 'heartbeat')).statusCode).toBe(409)
})

it('if the job of a silent agent gets another model, its print is booked first', async () => {
  const app = await buildTestApp()
  const { id, key, lapse, ...bench } = await aSilentPrint(app)
  const change = { stl_file_id: await aModel(app) }
  resultOf(await bench.staff(`PUT /api/print-queue/${id}`, change, { 'if-match': '*' }))
  await lapse()
  expect((await bench.entries())[0]).toMatchObject({ kind: 'waste', delta_grams: -90, after_grams: 410 })
  expect(await bench.plates(id)).toMatchObject([{ state: 'cancelled', used_grams: 90, print_minutes: 54 }])
  expect((await sendReport(app, key, id, 'heartbeat')).statusCode).toBe(409)
})

it("undoing the start of an agent's print books the filament that was used until then", async () => {
  const app = await buildTestApp()
  const bench = await aBench(app)
  const { key } = await anAgent(app)
  const id = await bench.aJob()
  await app.database.sql`update printers set kind = 'agent' where id = ${bench.printerId}`
  await claim(app, key, 'bench-1', { printer: 'Bench' })
  await sendReport(app, key, id, 'heartbeat', { progress: 0.4 })
  resultOf(await bench.step(id, 'requeue', { undo_start: true }))
  expect((await bench.entries())[0]).toMatchObject({ kind: 'waste', delta_grams: -40, after_grams: 460 })
})

it('cancelling a print that was started by hand books the filament that the person enters, or notes that the use is unknown', async () => {
  const app = await buildTestApp()
  const bench = await aBench(app)
  const start = async () => {
    const id = await bench.aJob()
    resultOf(await bench.step(id, 'start', { printer: 'Bench' }))
    return id
  }
  const id = await start()
  const use = { used_grams: [12.5], print_minutes: 9 }
  expect(resultOf(await bench.step(id, 'hold', { reason: 'Warped', ...use }))).toMatchObject({
    status: 'on_hold',
    used_grams: 12.5,
    print_minutes: 9,
  })
  expect((await bench.entries())[0]).toMatchObject({ kind: 'waste', reason: 'Warped', after_grams: 487.5 })
  expect(await bench.printer()).toMatchObject({ print_hours: 0.2 })

  const unknown = await start()
  expect(resultOf(await bench.step(unknown, 'cancel'))).toMatchObject({ used_grams: null })
  const note = 'The used filament and time are unknown, so they were not booked.'
  expect((await bench.history(unknown))[0]).toMatchObject({ to_status: 'cancelled', reason: note })
  expect((await bench.plates(unknown))[0]).toMatchObject({ state: 'cancelled', reason: note })

  const held = await start()
  resultOf(await bench.step(held, 'hold', { reason: 'Warped' }))
  expect((await bench.history(held))[0]).toMatchObject({ to_status: 'on_hold', reason: `Warped. ${note}` })
  expect((await bench.plates(held))[0]).toMatchObject({ state: 'cancelled', reason: `Warped. ${note}` })

  // The start is undone as a mistake, so no use is booked.
  const mistaken = await start()
  resultOf(await bench.step(mistaken, 'requeue', { undo_start: true }))
  expect((await bench.history(mistaken))[0]).toMatchObject({ to_status: 'pending', reason: null })
  expect((await bench.entries())[0]).toMatchObject({ after_grams: 487.5 })

  // The job is waiting, so it cannot have used filament.
  const refused = await bench.step(mistaken, 'cancel', { used_grams: 5 })
  expect([refused.status, refused.json()]).toMatchObject([409, { code: 'print_job_state' }])
})

it('requeuing a print that was started by hand books the entered filament and time on the spool, the plate, the job and its cost', async () => {
  const app = await buildTestApp()
  const bench = await aBench(app)
  const id = await bench.aJob()
  resultOf(await bench.step(id, 'start', { printer: 'Bench' }))
  const use = { reason: 'Layer shift', used_grams: 12.5, print_minutes: 9 }
  expect(resultOf(await bench.step(id, 'requeue', use))).toMatchObject({
    status: 'pending',
    used_grams: 12.5,
    print_minutes: 9,
  })
  const entry = { kind: 'waste', reason: 'Layer shift', delta_grams: -12.5, after_grams: 487.5 }
  expect((await bench.entries())[0]).toMatchObject(entry)
  expect(await bench.plates(id)).toMatchObject([{ state: 'cancelled', used_grams: 12.5, print_minutes: 9 }])
  expect((await bench.history(id))[0]).toMatchObject({ to_status: 'pending', reason: 'Layer shift' })

  // The entered filament is booked, even if the start is undone.
  resultOf(await bench.step(id, 'start', { printer: 'Bench' }))
  resultOf(await bench.step(id, 'requeue', { undo_start: true, used_grams: 7.5 }))
  expect((await bench.entries())[0]).toMatchObject({ kind: 'waste', after_grams: 480 })
  resultOf(await bench.step(id, 'complete', { good_quantity: 1, used_grams: 100 }))
  // The filament of the cancelled prints is part of the cost of the job.
  const [job] = await app.database.sql<{ grams: number; cost: number }[]>`
    select used_grams::float8 as grams, cost_minor::int as cost from print_jobs where id = ${id}`
  const other = await bench.aJob()
  resultOf(await bench.step(other, 'complete', { good_quantity: 1, used_grams: 100 }))
  const [plain] = await app.database.sql<{ cost: number }[]>`
    select cost_minor::int as cost from print_jobs where id = ${other}`
  expect(job?.grams).toBe(120)
  expect(job?.cost).toBeGreaterThan(plain?.cost ?? Number.POSITIVE_INFINITY)

  // A job on hold, or a cancelled one, cannot have used filament.
  const next = await bench.aJob()
  for (const step of ['hold', 'cancel']) {
    resultOf(await bench.step(next, step))
    const refused = await bench.step(next, 'requeue', { used_grams: 5 })
    expect([refused.status, refused.json()]).toMatchObject([409, { code: 'print_job_state' }])
  }
})

it('used filament can be entered while a person or an agent prints a plate, but not while a network printer receives it', async () => {
  const app = await buildTestApp()
  const bench = await aBench(app)
  const id = await bench.aJob()
  resultOf(await bench.step(id, 'start', { printer: 'Bench' }))
  const shown = async () => (await bench.plates(id)).map(({ is_by_hand: isByHand }) => isByHand)
  expect(await shown()).toEqual([true])
  await app.database.sql`update job_plates set state = 'printed' where print_job_id = ${id}`
  expect(await shown()).toEqual([false])
  await app.database.sql`update printers set kind = 'moonraker' where id = ${bench.printerId}`
  await app.database.sql`update job_plates set state = 'sending' where print_job_id = ${id}`
  expect(await shown()).toEqual([false])
  const scan = (await bench.staff('GET /api/scan?code=J-1')).json<{ found: ScannedOf<'print_job'> }>()
  expect(scan.found.facts.plates).toMatchObject([{ is_by_hand: false }])
})

it('a job cannot be cancelled, held or requeued while the pieces of its printed plate are not counted', async () => {
  const app = await buildTestApp()
  const bench = await aBench(app)
  const id = await bench.aJob()
  resultOf(await bench.step(id, 'start', { printer: 'Bench' }))
  await app.database.sql`
    update job_plates set state = 'printed', used_grams = 90, print_minutes = 55 where print_job_id = ${id}`
  for (const name of ['cancel', 'hold', 'requeue']) {
    const refused = await bench.step(id, name)
    expect([refused.status, refused.json()]).toMatchObject([
      409,
      { detail: 'Plate 1 is printed, but its pieces are not counted. Report it as done or as failed first.' },
    ])
  }
  expect(resultOf(await bench.step(id, 'complete', { good_quantity: 0 }))).toMatchObject({ used_grams: 90 })
  expect((await bench.entries())[0]).toMatchObject({ after_grams: 410 })
})
