import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type Database, openDatabase } from '../../src/platform/database/database.ts'
import {
  type Protocol,
  type SimulatedPrinter,
  aPrint,
  simulatedPrinters,
} from '../servers/simulated-printers.ts'
import { silentLog } from '../support/silent-log.ts'
import { addFloor, addWaitingJob, clearPlate } from './dispatch-floor.ts'
import { type ProductProcess, isLongRun, makeDataFolder, startProduct, until } from './product-process.ts'

const PATIENCE_MS = 60_000
/** The number of kills in the whole test. */
const RUNS = isLongRun ? 200 : 3

/**
 * The requests of a dispatch. The product is killed before or after the printer has acted on the request. The short run
 * uses the first three.
 */
const STEPS = [
  ['POST /printer/print/start', 'after'],
  ['POST /printer/print/start', 'before'],
  ['POST /server/files/upload', 'after'],
  ['POST /server/files/upload', 'before'],
  ['GET /printer/objects/query', 'before'],
] as const

async function databaseOf(dataDir: string): Promise<Database> {
  const lines = (await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')
  const password = await readFile(join(dataDir, 'secrets', 'postgres-password'), 'utf8')
  const connection = {
    host: lines[4] ?? '',
    port: Number(lines[3]),
    user: 'pegasus',
    password,
    database: 'pegasus',
  }
  return openDatabase({ connection, log: silentLog, applicationName: 'test', maxConnections: 2 })
}

/** Opens the product's database and runs the work in it, beside the running product. */
async function inDatabase<T>(dataDir: string, work: (database: Database) => Promise<T>): Promise<T> {
  const database = await databaseOf(dataDir)
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

const killAt = (
  printer: SimulatedPrinter,
  product: ProductProcess,
  [step, phase]: (typeof STEPS)[number],
): void => {
  printer.watch = async (request, now) => {
    if (now !== phase || !request.startsWith(step)) return
    printer.watch = null
    product.signalGroup('SIGKILL')
    await product.ended
  }
}

/**
 * Makes the claim of a killed process expire, and makes a sent start old enough to count as lost. Without this, the
 * test would have to wait half a minute for the claim, and then for the start.
 */
const forgetTime = (database: Database) =>
  database.sql`
    with freed as (
      update printer_connections set claimed_until = now() - interval '1 second' where claimed_by is not null returning 1
    )
    update plate_dispatches set start_sent_at = start_sent_at - interval '1 minute' where start_sent_at is not null`

it(`if the server is killed at any step of ${RUNS} dispatches, every job is still printed, counted and booked once`, {
  timeout: 60_000 + RUNS * 60_000,
}, async () => {
  const kind: Protocol = 'moonraker'
  const [printer] = await simulatedPrinters([kind])
  if (!printer) throw new Error('no printer')
  const dataDir = await makeDataFolder()
  let product = await startProduct(dataDir)
  const floor = await inDatabase(dataDir, (database) =>
    addFloor({ product, database, dataDir, printer, kind, bytes: aPrint({ minutes: 90, mm: 4000 }) }),
  )
  for (let run = 0; run < RUNS; run += 1) {
    const step = STEPS[run % STEPS.length] ?? STEPS[0]
    killAt(printer, product, step)
    await inDatabase(dataDir, (database) => addWaitingJob(database, floor))
    const death = await product.ended
    expect(death.signal, `kill at ${step.join(' ')}`).toBe('SIGKILL')

    product = await startProduct(dataDir)
    await inDatabase(dataDir, async (database) => {
      await forgetTime(database)
      const stateOf = async () => {
        const [plate] = await database.sql<{ state: string }[]>`
          select state from job_plates order by started_at desc, id desc limit 1`
        return plate?.state
      }
      const mustReach = async (state: string) => {
        if (await until(async () => (await stateOf()) === state, PATIENCE_MS, 100)) return
        const [shown] =
          await database.sql`select state, state_reason from printers where id = ${floor.printerId}`
        const [job] =
          await database.sql`select status, hold_reason from print_jobs order by created_at desc limit 1`
        const where = JSON.stringify([step, await stateOf(), shown, job, printer.requests.slice(-10)])
        throw new Error(`not ${state}: ${where}\n${product.readOutput()}`)
      }
      await mustReach('printing')
      printer.machine.advance(100)
      await mustReach('printed')
      await clearPlate(database, floor)
    })
  }
  const end = await inDatabase(dataDir, async (database) => {
    const [jobs] = await database.sql`
      select count(*)::int as jobs, count(*) filter (where status = 'completed')::int as completed from print_jobs`
    const [stock] = await database.sql`select quantity from items where id = ${floor.itemId}`
    const [spool] = await database.sql`
      select count(*)::int as entries, count(distinct print_job_id)::int as jobs from spool_ledger
      where spool_id = ${floor.spoolId} and kind in ('use', 'waste')`
    return { ...jobs, stock, spool }
  })
  expect(end).toEqual({
    jobs: RUNS,
    completed: RUNS,
    stock: { quantity: RUNS },
    spool: { entries: RUNS, jobs: RUNS },
  })
  const names = printer.machine.prints.map(({ file }) => file.name)
  expect([names.length, new Set(names).size]).toEqual([RUNS, RUNS])
  product.signal('SIGTERM')
  expect(await product.ended).toEqual({ code: 0, signal: null })
})
