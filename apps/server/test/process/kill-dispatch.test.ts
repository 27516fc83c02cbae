import { expect, it } from 'vitest'
import {
  type Protocol,
  type SimulatedPrinter,
  aPrint,
  simulatedPrinters,
} from '../servers/simulated-printers.ts'
import { addFloor, addWaitingJob, clearPlate } from './dispatch-floor.ts'
import { forgetTime, inDatabase } from './product-database.ts'
import { type ProductProcess, isLongRun, makeDataFolder, startProduct, until } from './product-process.ts'

const PATIENCE_MS = 60_000
/**
 * For each kind of printer, the number of kills, and the requests at which they happen. `before` and `after` mean
 * before and after the printer acts on the request. The short run uses only the first requests. The server removes a
 * print's file during the dispatch of the next job. Only Moonraker has a kill before the start command, because it
 * keeps a history. With any other printer, a person would have to look whether the print has started.
 */
const FLOORS = [
  {
    kind: 'moonraker',
    runs: isLongRun ? 200 : 2,
    steps: [
      ['POST /printer/print/start', 'after'],
      ['DELETE /server/files/gcodes/', 'after'],
      ['DELETE /server/files/gcodes/', 'before'],
      ['POST /printer/print/start', 'before'],
      ['POST /server/files/upload', 'after'],
      ['POST /server/files/upload', 'before'],
      ['GET /printer/objects/query', 'before'],
    ],
  },
  {
    kind: 'octoprint',
    runs: isLongRun ? 40 : 1,
    steps: [
      ['POST /api/files/local/', 'after'],
      ['DELETE /api/files/local/', 'after'],
      ['DELETE /api/files/local/', 'before'],
      ['POST /api/files/local', 'after'],
      ['POST /api/files/local', 'before'],
      ['GET /api/job', 'before'],
    ],
  },
  {
    kind: 'prusalink',
    runs: isLongRun ? 40 : 1,
    steps: [
      ['POST /api/v1/files/', 'after'],
      ['DELETE /api/v1/files/', 'after'],
      ['DELETE /api/v1/files/', 'before'],
      ['PUT /api/v1/files/', 'after'],
      ['PUT /api/v1/files/', 'before'],
      ['GET /api/v1/status', 'before'],
    ],
  },
  {
    kind: 'bambu',
    runs: isLongRun ? 40 : 1,
    steps: [
      ['MQTT print.project_file', 'after'],
      ['FTP DELE', 'after'],
      ['FTP DELE', 'before'],
      ['FTP STOR', 'after'],
      ['FTP STOR', 'before'],
      ['MQTT pushing.pushall', 'before'],
    ],
  },
] as const satisfies { kind: Protocol; runs: number; steps: readonly Step[] }[]

type Step = readonly [request: string, phase: 'before' | 'after']

/** A file that a person has stored on the printer. */
const FOREIGN_FILE = 'vase.gcode'

const killAt = (printer: SimulatedPrinter, product: ProductProcess, [step, phase]: Step): void => {
  printer.watch = async (request, now) => {
    if (now !== phase || !request.startsWith(step)) return
    printer.watch = null
    product.signalGroup('SIGKILL')
    await product.ended
  }
}

it.each(FLOORS)(
  'dispatches to a $kind printer print, count and book each job once, even if the server is killed at any step',
  {
    timeout: 60_000 + 200 * 60_000,
  },
  async ({ kind, runs, steps }) => {
    const [printer] = await simulatedPrinters([kind])
    if (!printer) throw new Error('no printer')
    const dataDir = await makeDataFolder()
    let product = await startProduct(dataDir)
    printer.machine.upload(FOREIGN_FILE, aPrint({ minutes: 5, mm: 100 }))
    const floor = await inDatabase(dataDir, (database) =>
      addFloor({ product, database, dataDir, printer, kind, bytes: aPrint({ minutes: 90, mm: 4000 }) }),
    )
    for (let run = 0; run < runs; run += 1) {
      const step = steps[run % steps.length] ?? steps[0]
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
      jobs: runs,
      completed: runs,
      stock: { quantity: runs },
      spool: { entries: runs, jobs: runs },
    })
    const names = printer.machine.prints.map(({ file }) => file.name)
    expect([names.length, new Set(names).size]).toEqual([runs, runs])
    // The server removes every file that it has sent, even if a kill has interrupted the removal, and no other file.
    const files = () => [...printer.machine.files.keys()]
    expect(await until(async () => files().length === 1, PATIENCE_MS, 100), files().join(', ')).toBe(true)
    expect(files()).toEqual([FOREIGN_FILE])
    product.signal('SIGTERM')
    expect(await product.ended).toEqual({ code: 0, signal: null })
  },
)
