import { expect, it } from 'vitest'
import { type TestApp, buildTestApp } from '../../../test/support/build-test-app.ts'
import { anAgent, claim, sendReport } from '../../../test/support/print-agents.ts'
import { aPrintJob, anItem } from '../../../test/support/stock-factories.ts'

const FEW = 10_000
const MANY = Number(process.env['PEGASUS_JOBS'] ?? '1000000')
const PRINTERS = 200
const WAITING = 300
const SAMPLES = 60
/** The response times of two runs may differ by this factor, because a busy machine makes them vary. */
const MAX_FACTOR = 2
/** A difference of fewer milliseconds is noise. */
const NOISE_MS = 5

const addPrinters = (app: TestApp) => app.database.sql`
  insert into printers (id, name, kind, model, seen_at, created_at, updated_at)
  select gen_random_uuid(), 'Printer ' || n, 'agent', 'MK4S', now(), now(), now() from generate_series(1, ${PRINTERS}) n`

/**
 * Adds completed jobs with the numbers `from` + 1 to `to`, each with one plate, as the queue would store them. They
 * finished one minute apart.
 */
async function addFinishedJobs(
  app: TestApp,
  itemId: string,
  { from, to }: { from: number; to: number },
): Promise<void> {
  await app.database.transaction(async (tx) => {
    await tx`set local statement_timeout = 0`
    await tx`
      with machines as (select array_agg(id) as ids from printers)
      insert into print_jobs (id, item_id, quantity, good_quantity, status, priority, position, printer_id, progress, plates,
                              plates_done, cost_minor, started_at, finished_at, created_at, updated_at)
      select gen_random_uuid(), ${itemId}, 1, 1, 'completed', 5, n, ids[1 + n % ${PRINTERS}], 1, 1, 1, 120, at, at, at, at
      from machines, generate_series(${from + 1}::int, ${to}::int) n, lateral (select now() - n * interval '1 minute' as at) moments`
    await tx`
      insert into job_plates (id, print_job_id, number, printer_id, state, pieces, good_quantity, progress, print_minutes,
                              started_at, finished_at)
      select gen_random_uuid(), id, 1, printer_id, 'done', 1, 1, 1, 60, started_at, finished_at
      from print_jobs where status = 'completed' and position > ${from}`
  })
  await app.database.sql`vacuum analyze print_jobs`
  await app.database.sql`vacuum analyze job_plates`
}

it(`the queue, the floor and a claim take as long with ${MANY} finished jobs as with ${FEW}, on ${PRINTERS} printers`, async () => {
  const app = await buildTestApp()
  const headers = await app.as('staff')
  const { key } = await anAgent(app)
  const itemId = await anItem(app)
  await addPrinters(app)
  for (let n = 0; n < WAITING; n += 1) await aPrintJob(app, { itemId })
  const get = (url: string) => async () => {
    const answer = await app.http.inject({ url, headers })
    expect(answer.statusCode).toBe(200)
  }
  /**
   * Claims a job and returns its id. The caller must report a failure afterwards, so that the printer is free for the
   * next claim.
   */
  const claimOne = async () => {
    const answer = await claim(app, key, 'agent', { printer: 'Printer 7' })
    expect(answer.statusCode).toBe(200)
    return answer.json<{ id: string }>().id
  }
  const questions: Record<string, () => Promise<unknown>> = {
    queue: get('/api/print-queue?limit=100'),
    'finished jobs': get('/api/print-queue?status=completed&limit=100'),
    floor: get('/api/printers?limit=1000'),
    dashboard: get('/api/stats'),
    claim: claimOne,
  }
  const measure = async () => {
    const times: Record<string, { fastest: number; median: number; p95: number }> = {}
    for (const [name, ask] of Object.entries(questions)) {
      const laps: number[] = []
      for (let sample = 0; sample < SAMPLES; sample += 1) {
        // This commit invalidates all cached lists, so that each sample is measured without a cache.
        await app.database.sql`update items set notes = ${`${name} ${sample}`} where id = ${itemId}`
        const begun = performance.now()
        const id = await ask()
        laps.push(performance.now() - begun)
        if (typeof id === 'string')
          expect((await sendReport(app, key, id, 'fail', { reason: 'again' })).statusCode).toBe(200)
      }
      const sorted = laps.toSorted((a, b) => a - b)
      const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN
      times[name] = { fastest: at(0), median: at(0.5), p95: at(0.95) }
    }
    return times
  }
  await addFinishedJobs(app, itemId, { from: 0, to: FEW })
  await measure()
  const few = await measure()
  await addFinishedJobs(app, itemId, { from: FEW, to: MANY })
  await measure()
  const many = await measure()
  console.info(`milliseconds with ${FEW} and ${MANY} finished jobs:`, { few, many })
  for (const name of Object.keys(questions)) {
    // A cold or busy machine can only make a sample slower, so the slowest samples are printed but not compared.
    for (const figure of ['fastest', 'median'] as const)
      expect(many[name]?.[figure], `${name}, ${figure}`).toBeLessThan(
        (few[name]?.[figure] ?? Number.NaN) * MAX_FACTOR + NOISE_MS,
      )
  }
})
