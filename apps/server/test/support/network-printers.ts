import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { findRunningPlate, finishPlate } from '../../src/modules/print-queue/index.ts'
import { SYSTEM_ACTOR } from '../../src/platform/actor.ts'
import type { TestApp } from './build-test-app.ts'
import { aModel } from './library/library-factories.ts'
import { aSlice } from './library/slice-factories.ts'
import { aPrintJob, aSpool, anItem } from './stock-factories.ts'
import {
  FORMATS,
  PRINTER_KEY,
  type Protocol,
  type SimulatedPrinter,
  aPrint,
  simulatedPrinters,
} from '../servers/simulated-printers.ts'

/** A simulated printer that the app knows, with a loaded spool, and a model that is sliced for the printer. */
export interface PrinterSetup {
  printer: SimulatedPrinter
  printerId: string
  modelId: string
  sliceId: string
  spoolId: string
  itemId: string
}

/** Adds a network printer, as an administrator does. */
export async function aNetworkPrinter(
  app: TestApp,
  printer: { name: string; kind: Protocol; address: string; apiKey?: string },
): Promise<string> {
  const response = await app.http.inject({
    method: 'POST',
    url: '/api/printers',
    headers: await app.as('admin'),
    payload: {
      name: printer.name,
      kind: printer.kind,
      model: 'MK4S',
      nozzle_mm: 0.4,
      address: printer.address,
      api_key: printer.apiKey ?? PRINTER_KEY,
    },
  })
  if (response.statusCode !== 201) throw new Error(`${response.statusCode} ${response.body}`)
  return response.json<{ id: string }>().id
}

/** Adds a sliced file with its bytes. Returns its id. */
export async function aSlicedFile(
  app: TestApp,
  modelId: string,
  { kind = 'moonraker' }: { kind?: Protocol } = {},
): Promise<string> {
  const bytes = aPrint()
  const key = `slices/${createHash('sha256').update(bytes).digest('hex')}`
  await app.storage.put(key, Readable.from([bytes]))
  const id = await aSlice(app, modelId, { format: FORMATS[kind] })
  await app.database.sql`
    update sliced_files set object_key = ${key}, file_size = ${bytes.length}, grams = 12, metres = 4, minutes = 90
    where id = ${id}`
  return id
}

export async function aPrinterSetup(
  app: TestApp,
  kind: Protocol,
  options: { speed?: number } = {},
): Promise<PrinterSetup> {
  const [printer] = await simulatedPrinters([kind], options)
  if (!printer) throw new Error('no printer')
  const printerId = await aNetworkPrinter(app, { name: 'Left', kind, address: printer.url })
  const modelId = await aModel(app)
  const sliceId = await aSlicedFile(app, modelId, { kind })
  const spoolId = await aSpool(app, { material: 'PLA' })
  const itemId = await anItem(app, { quantity: 0 })
  await app.database.sql`update items set stl_file_id = ${modelId} where id = ${itemId}`
  await app.database.sql`
    insert into printer_slots (printer_id, slot, spool_id, loaded_at) values (${printerId}, 1, ${spoolId}, now())
    on conflict (printer_id, slot) do update set spool_id = excluded.spool_id`
  return { printer, printerId, modelId, sliceId, spoolId, itemId }
}

/** Adds a job that is assigned to the printer of the setup. */
export async function anAssignedJob(app: TestApp, setup: PrinterSetup): Promise<string> {
  const id = await aPrintJob(app, { itemId: setup.itemId })
  await app.database.sql`update print_jobs set assigned_printer_id = ${setup.printerId} where id = ${id}`
  return id
}

export interface SetupState {
  printer: { state: string; state_reason: string | null }
  job: { status: string; failure_reason: string | null }
  plates: { state: string; used_grams: number | null; print_minutes: number | null; remote_name: string }[]
  /** The grams of each entry that was booked on the spool. */
  booked: number[]
  stock: number
}

/**
 * Returns what the database contains: the printer's state, the job and its plates, the booked grams, and the item's
 * stock.
 */
export async function setupState(app: TestApp, setup: PrinterSetup, jobId: string): Promise<SetupState> {
  const { sql } = app.database
  const [printer] = await sql<[SetupState['printer']]>`
    select state, state_reason from printers where id = ${setup.printerId}`
  const [job] = await sql<
    [SetupState['job']]
  >`select status, failure_reason from print_jobs where id = ${jobId}`
  const plates = await sql<SetupState['plates']>`
    select state, used_grams::float8, print_minutes, remote_name from job_plates where print_job_id = ${jobId} order by number`
  const booked = await sql<{ grams: number }[]>`
    select delta_grams::float8 as grams from spool_ledger
    where spool_id = ${setup.spoolId} and kind in ('use', 'waste') order by created_at, id`
  const [item] = await sql<[{ quantity: number }]>`select quantity from items where id = ${setup.itemId}`
  return { printer, job, plates, booked: booked.map(({ grams }) => grams), stock: item.quantity }
}

/** Lets the server visit its printers once. Returns the state after that. */
export async function visit(app: TestApp, setup: PrinterSetup, jobId: string): Promise<SetupState> {
  await app.printers.run()
  return setupState(app, setup, jobId)
}

/** Clears the bed of the setup's printer, as a person does. If a plate is printed, all its pieces count as good. */
export async function clearBed(app: TestApp, setup: PrinterSetup): Promise<void> {
  const plate = await findRunningPlate(app.database.sql, setup.printerId)
  const by = { actor: SYSTEM_ACTOR, now: app.clock.now() }
  if (plate) return app.database.transaction((tx) => finishPlate(tx, plate.id, { isOnBed: false }, by))
  const response = await app.http.inject({
    method: 'POST',
    url: `/api/printers/${setup.printerId}/clear`,
    headers: await app.as('staff'),
    payload: {},
  })
  if (response.statusCode !== 200) throw new Error(`${response.statusCode} ${response.body}`)
}
