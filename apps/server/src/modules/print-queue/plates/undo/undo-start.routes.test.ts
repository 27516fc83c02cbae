import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import type { Printer } from '@pegasus/contracts/print-queue/printers'
import { expect, it } from 'vitest'
import { buildTestApp } from '../../../../../test/support/build-test-app.ts'
import { aPrintJob, aPrinter, aSpool, anItem } from '../../../../../test/support/stock-factories.ts'

/** Adds two printers, and returns helpers that call the API as staff. */
async function aFloor() {
  const app = await buildTestApp()
  const headers = await app.as('staff')
  const printers = [await aPrinter(app, 'Mini'), await aPrinter(app, 'MK4')] as const
  const post = async (url: string, payload: object) => {
    const answer = await app.http.inject({ method: 'POST', url, headers, payload })
    expect(answer.statusCode, answer.body).toBeLessThan(202)
    return answer.json<PrintJob>()
  }
  return {
    app,
    printers,
    step: (id: string, name: string, payload: object) => post(`/api/print-queue/${id}/${name}`, payload),
    load: (printerId: string, spoolId: string | null) =>
      post(`/api/printers/${printerId}/load`, { slot: 1, filament_id: spoolId }),
    /** Returns the loaded spools of the two printers. */
    loaded: async () => {
      const spools = []
      for (const id of printers) {
        const { slots } = (await app.http.inject({ url: `/api/printers/${id}`, headers })).json<Printer>()
        spools.push(slots.map(({ filament_id: spool }) => spool))
      }
      return spools
    },
  }
}

it('undoing the start of a print job restores the spools on the printers and the chosen spool of the job', async () => {
  const { app, printers, step, load, loaded } = await aFloor()
  const [earlier, planned, chosen] = [await aSpool(app), await aSpool(app), await aSpool(app)]
  const id = await aPrintJob(app, { itemId: await anItem(app), spoolId: planned, quantity: 2 })
  await load(printers[0], earlier)
  await load(printers[1], chosen)
  const started = await step(id, 'start', { printer: 'Mini', filament_id: chosen })
  expect([started.filament_id, await loaded()]).toEqual([chosen, [[chosen], [null]]])
  const back = await step(id, 'requeue', { undo_start: true })
  expect([back.status, back.filament_id, await loaded()]).toEqual(['pending', planned, [[earlier], [chosen]]])

  // Without `undo_start`, a job that returns to the queue keeps its spool, which is still in the printer.
  await step(id, 'start', { printer: 'Mini', filament_id: chosen })
  const kept = await step(id, 'requeue', {})
  expect([kept.filament_id, await loaded()]).toEqual([chosen, [[chosen], [null]]])
})

it('filament that a person reports while undoing a start, in total or by tool, is booked on the spool that printed', async () => {
  const { app, printers, step, load, loaded } = await aFloor()
  const [earlier, chosen] = [await aSpool(app), await aSpool(app)]
  const id = await aPrintJob(app, { itemId: await anItem(app), quantity: 2 })
  await load(printers[0], earlier)
  const used = async () =>
    (
      await app.database.sql<{ spool_id: string; grams: number }[]>`
        select spool_id, -delta_grams::float8 as grams from spool_ledger where print_job_id = ${id} order by created_at, id`
    ).map(({ spool_id: spool, grams }) => [spool, grams])
  await step(id, 'start', { printer: 'Mini', filament_id: chosen })
  await step(id, 'requeue', { undo_start: true, used_grams: [30] })
  expect([await used(), await loaded()]).toEqual([[[chosen, 30]], [[earlier], [null]]])
  await step(id, 'start', { printer: 'Mini', filament_id: chosen })
  await step(id, 'requeue', { undo_start: true, used_grams: 20 })
  expect(await used()).toEqual([
    [chosen, 30],
    [chosen, 20],
  ])
  expect(await loaded()).toEqual([[earlier], [null]])
})

it('undoing a start leaves spools that somebody has moved since then where they are', async () => {
  const { app, printers, step, load, loaded } = await aFloor()
  const [earlier, chosen] = [await aSpool(app), await aSpool(app)]
  const id = await aPrintJob(app, { itemId: await anItem(app), quantity: 2 })
  await load(printers[0], earlier)
  await step(id, 'start', { printer: 'Mini', filament_id: chosen })
  // The earlier spool was moved to the other printer in the meantime.
  await load(printers[1], earlier)
  const back = await step(id, 'requeue', { undo_start: true })
  expect([back.filament_id, await loaded()]).toEqual([null, [[null], [earlier]]])
})

it('a start cannot be undone after another plate of its job has been started', async () => {
  const { app, step } = await aFloor()
  const id = await aPrintJob(app, { itemId: await anItem(app), quantity: 4, piecesPerPlate: 2 })
  await step(id, 'start', { printer: 'Mini' })
  await step(id, 'start', { printer: 'MK4' })
  const answer = await app.http.inject({
    method: 'POST',
    url: `/api/print-queue/${id}/requeue`,
    headers: await app.as('staff'),
    payload: { undo_start: true },
  })
  expect([answer.statusCode, answer.json()]).toMatchObject([
    409,
    {
      detail: 'Another plate of J-00001 has been started since then, so the start cannot be undone.',
    },
  ])
  const plates = await app.database.sql`select state from job_plates where print_job_id = ${id}`
  expect(plates).toEqual([{ state: 'printing' }, { state: 'printing' }])
})

it('undoing a start restores the printer and the pieces per plate that the job had before', async () => {
  const { app, printers, step } = await aFloor()
  const id = await aPrintJob(app, { itemId: await anItem(app), quantity: 5 })
  const readJob = async () => {
    const [job] = await app.database.sql`
      select printer_id, assigned_printer_id, pieces_per_plate from print_jobs where id = ${id}`
    return job
  }
  const untouched = { printer_id: null, assigned_printer_id: null, pieces_per_plate: null }
  await step(id, 'start', { printer: 'Mini', pieces: 2 })
  expect(await readJob()).toMatchObject({ printer_id: printers[0], pieces_per_plate: 2 })
  await step(id, 'requeue', { undo_start: true })
  expect(await readJob()).toEqual(untouched)

  const assigned = { ...untouched, assigned_printer_id: printers[0] }
  await app.database.sql`update print_jobs set assigned_printer_id = ${printers[0]} where id = ${id}`
  await step(id, 'start', { printer: 'Mini' })
  expect(await readJob()).toEqual({ ...untouched, printer_id: printers[0] })
  await step(id, 'requeue', { undo_start: true })
  expect(await readJob()).toEqual(assigned)

  // Without `undo_start`, a job that returns to the queue waits for the printer on which it was started.
  await step(id, 'start', { printer: 'MK4' })
  await step(id, 'requeue', {})
  expect(await readJob()).toMatchObject({ printer_id: printers[1] })
})
