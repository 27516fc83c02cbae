import { fileURLToPath } from 'node:url'
import type { Printer } from '@pegasus/contracts/print-queue/printers'
import { expect, it } from 'vitest'
import { type SimulatedPrinter, aPrint, simulatedPrinters } from '../servers/simulated-printers.ts'
import { addFloor, addWaitingJob } from './dispatch-floor.ts'
import { forgetTime, inDatabase } from './product-database.ts'
import {
  type ProductProcess,
  bearer,
  canSignIn,
  isLongRun,
  makeDataFolder,
  postmasterOf,
  sendSignal,
  signIn,
  startProduct,
  until,
} from './product-process.ts'

/** The entry point of a server that visits its printers on request, so that the test need not wait between visits. */
const MAIN = fileURLToPath(new URL('../simulation/floor-product.ts', import.meta.url))
const PATIENCE_MS = 60_000
const MOST_ROUNDS = 30
const START = 'POST /printer/print/start'
const UPLOAD = 'POST /server/files/upload'

/**
 * The process or device that is killed. A killed printer loses its print. A forgetful printer also loses its files and
 * its history.
 */
type Victim = 'database' | 'printer' | 'forgetful printer'
type Kill = readonly [victim: Victim, request: string, phase: 'before' | 'after']

const VICTIMS: readonly Victim[] = ['database', 'printer', 'forgetful printer']
const STEPS = [
  [START, 'after'],
  [START, 'before'],
  [UPLOAD, 'after'],
  [UPLOAD, 'before'],
  ['GET /server/files/metadata', 'before'],
  ['GET /printer/objects/query', 'before'],
] as const
/** The short run kills each victim once, at the most dangerous step. The long run has 200 kills. */
const KILLS: readonly Kill[] = isLongRun
  ? Array.from({ length: 200 }, (_, n): Kill => {
      const step = STEPS[Math.floor(n / VICTIMS.length) % STEPS.length] ?? STEPS[0]
      return [VICTIMS[n % VICTIMS.length] ?? 'database', ...step]
    })
  : VICTIMS.map((victim): Kill => [victim, START, 'after'])

/** Watches the starts of a printer. `violations` lists the starts onto a bed that was not cleared. */
function watchBed(printer: SimulatedPrinter) {
  const bed = { isFull: false, starts: 0, violations: [] as string[] }
  const record = (request: string): void => {
    if (!request.startsWith(START)) return
    const name = printer.machine.running?.file.name
    if (name === undefined) return
    if (bed.isFull) bed.violations.push(`${name} was started onto a full bed`)
    bed.isFull = true
    bed.starts += 1
  }
  return { bed, record }
}

function killPrinter({ machine, faults }: SimulatedPrinter, isForgetful: boolean): void {
  machine.reboot()
  if (isForgetful) {
    machine.files.clear()
    machine.prints.length = 0
  }
  // Some requests find the printer switched off.
  faults.push({ kind: 'lost', times: 3 })
}

/** Asks the server to visit its printers, and waits until it has done so. */
async function visit(product: ProductProcess): Promise<void> {
  const visited = new Promise<void>((resolve) => product.child.once('message', () => resolve()))
  product.child.send('visit')
  await visited
}

it(`${KILLS.length} dispatches print each job once, on a free bed, even if the database or the printer is killed at any step`, {
  timeout: 120_000 + KILLS.length * 60_000,
}, async () => {
  const [printer] = await simulatedPrinters(['moonraker'])
  if (!printer) throw new Error('no printer')
  const dataDir = await makeDataFolder()
  const product = await startProduct(dataDir, {}, MAIN)
  const bytes = aPrint({ minutes: 90, mm: 4000 })
  const floor = await inDatabase(dataDir, (database) =>
    addFloor({ product, database, dataDir, printer, kind: 'moonraker', bytes }),
  )
  const { bed, record } = watchBed(printer)
  const { machine } = printer

  const call = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const { access_token: token } = await signIn(product.url)
    const headers = { ...bearer(token), ...(body && { 'content-type': 'application/json' }) }
    const response = await fetch(`${product.url}${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    })
    return (await response.json()) as T
  }
  /** Adds a job, kills the victim at the step of its dispatch, and waits until it works again. */
  const killOnce = async ([victim, step, phase]: Kill): Promise<void> => {
    let isKilled = false
    let deadPid: number | null = null
    printer.watch = async (request, now) => {
      if (now === 'after') record(request)
      if (now !== phase || !request.startsWith(step)) return
      printer.watch = (later, then) => void (then === 'after' && record(later))
      if (victim === 'database') {
        deadPid = await postmasterOf(dataDir)
        sendSignal(deadPid, 'SIGKILL')
      } else killPrinter(printer, victim === 'forgetful printer')
      isKilled = true
    }
    await inDatabase(dataDir, (database) => addWaitingJob(database, floor))
    // A visit that is already running does not see the new job, so ask for further visits.
    for (let round = 0; round < MOST_ROUNDS && !isKilled; round += 1) await visit(product)
    if (!isKilled) throw new Error(`no kill at ${step}`)
    const isHealed = async () =>
      (deadPid === null || (await postmasterOf(dataDir).catch(() => deadPid)) !== deadPid) &&
      (await canSignIn(product.url))
    if (!(await until(isHealed, PATIENCE_MS, 100))) throw new Error('the product did not recover')
  }
  /** People and the printer work until the job, or its last attempt, is completed. */
  const finish = async (kill: Kill): Promise<void> => {
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      await inDatabase(dataDir, forgetTime)
      await visit(product)
      if (machine.running) machine.advance(100)
      const shown = await call<Printer>('GET', `/api/printers/${floor.printerId}`)
      if (shown.state === 'needs_clearing' && !machine.running) {
        bed.isFull = false
        await call('POST', `/api/printers/${floor.printerId}/clear`, {})
      }
      const [job] = await inDatabase(
        dataDir,
        ({ sql }) =>
          sql<{ id: string; status: string }[]>`
            select id, status from print_jobs order by created_at desc, id desc limit 1`,
      )
      if (job?.status === 'completed') return
      if (job?.status === 'failed' || job?.status === 'on_hold')
        await call('POST', `/api/print-queue/${job.id}/requeue`)
      // A person gives the next attempt to the same printer.
      else if (job?.status === 'pending')
        await call('POST', `/api/print-queue/${job.id}/assign`, { printer_id: floor.printerId })
    }
    const left = await inDatabase(dataDir, async ({ sql }) => [
      await sql`select status, failure_reason from print_jobs order by created_at desc limit 2`,
      await sql`select state, failure_reason from job_plates order by started_at desc limit 2`,
      await sql`select state, state_reason from printers`,
    ])
    throw new Error(`not completed: ${JSON.stringify([kill, left, printer.requests.slice(-10)])}`)
  }

  for (const kill of KILLS) {
    await killOnce(kill)
    await finish(kill)
  }
  const end = await inDatabase(dataDir, async ({ sql }) => {
    const [jobs] = await sql`select count(*)::int as completed from print_jobs where status = 'completed'`
    const [stock] = await sql`select quantity from items where id = ${floor.itemId}`
    const [spool] = await sql`
        select count(*)::int as entries, count(distinct print_job_id)::int as jobs from spool_ledger
        where spool_id = ${floor.spoolId} and kind = 'use'`
    const stuck = await sql`
        select id, state from job_plates where state in ('sending', 'printing', 'paused', 'printed')`
    return { ...jobs, stock, spool, stuck }
  })
  const runs = KILLS.length
  expect(bed.violations).toEqual([])
  expect(end).toEqual({
    completed: runs,
    stock: { quantity: runs },
    spool: { entries: runs, jobs: runs },
    stuck: [],
  })
  console.info(`${runs} kills of database and printer: ${bed.starts} starts, ${runs} good pieces`)
})
