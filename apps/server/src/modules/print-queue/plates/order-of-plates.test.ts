import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import type { Plate } from '@pegasus/contracts/print-queue/plates'
import { v7 as uuidv7 } from 'uuid'
import { expect, it } from 'vitest'
import { buildTestApp } from '../../../../test/support/build-test-app.ts'
import { aPrintJob } from '../../../../test/support/stock-factories.ts'
import { DAY_MS } from '../../../platform/clock.ts'

/** Creates a job with ten plates, and functions for its steps. */
async function aLongJob() {
  const app = await buildTestApp()
  const id = await aPrintJob(app, { quantity: 20, piecesPerPlate: 2 })
  const url = `/api/print-queue/${id}`
  const post = async (step: string, payload?: object): Promise<PrintJob> => {
    app.clock.advance(1000)
    const headers = await app.as('staff')
    const answer = await app.http.inject({
      method: 'POST',
      url: `${url}/${step}`,
      headers,
      ...(payload && { payload }),
    })
    expect(answer.statusCode, answer.body).toBe(200)
    return answer.json<PrintJob>()
  }
  const plates = async () =>
    (await app.http.inject({ url: `${url}/plates`, headers: await app.as('staff') })).json<Plate[]>()
  const complete = async () => {
    await post('start', {})
    await post('complete', {})
  }
  /** Starts and fails a plate this many times. Returns the status of the job after each failure. */
  const fail = async (times: number) => {
    const states: string[] = []
    for (let nth = 0; nth < times; nth += 1) {
      await post('start', {})
      states.push((await post('fail', { reason: 'Came loose' })).status)
    }
    return states
  }
  return { clock: app.clock, post, plates, complete, fail }
}

it('three failed plates in a row put a job on hold, even if the clock was set back before them', async () => {
  const { clock, complete, fail } = await aLongJob()
  clock.jump(DAY_MS)
  await complete()
  clock.jump(-DAY_MS)
  expect(await fail(3)).toEqual(['pending', 'pending', 'on_hold'])
})

it('a job that was requeued before the clock was set back is on hold again after three failed plates', async () => {
  const { clock, post, fail } = await aLongJob()
  await fail(3)
  clock.jump(DAY_MS)
  expect((await post('requeue')).status).toBe('pending')
  clock.jump(-DAY_MS)
  expect(await fail(3)).toEqual(['pending', 'pending', 'on_hold'])
})

it('undo takes back the plate that was completed last, although the clock was set back before', async () => {
  const { clock, post, plates, complete } = await aLongJob()
  clock.jump(DAY_MS)
  await complete()
  clock.jump(-DAY_MS)
  await complete()
  expect((await plates()).map(({ can_undo }) => can_undo)).toEqual([false, true])
  await post('undo')
  expect((await plates())[0]).toMatchObject({ number: 1, state: 'done', can_undo: true })
})

it('a plate that is no longer on the bed cannot be undone, although the clock was set back before the next plate', async () => {
  const app = await buildTestApp()
  const { sql } = app.database
  const [id, nextId] = [await aPrintJob(app), await aPrintJob(app)]
  const post = async (step: string, payload: object) =>
    app.http.inject({
      method: 'POST',
      url: `/api/print-queue/${id}/${step}`,
      headers: await app.as('staff'),
      payload,
    })
  await post('start', { printer: 'MK4' })
  await sql`update printers set kind = 'moonraker' where name = 'MK4'`
  expect((await post('complete', { cleared: false })).statusCode).toBe(200)
  // The next plate was printed by a server whose clock is a day behind. So its id sorts before the first one.
  await sql`
    insert into job_plates (id, print_job_id, number, printer_id, state, pieces, started_at, finished_at)
    select ${uuidv7({ msecs: Date.now() - DAY_MS })}, ${nextId}, 1, id, 'done', 1, now() - interval '1 day',
           now() - interval '1 day' from printers where name = 'MK4'`
  const undone = await post('undo', {})
  expect([undone.statusCode, undone.json()]).toMatchObject([
    409,
    { detail: 'Another print is on the bed of MK4. Clear the bed first.' },
  ])
})
