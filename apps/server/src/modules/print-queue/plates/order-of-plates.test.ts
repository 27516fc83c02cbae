import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import type { Plate } from '@pegasus/contracts/print-queue/plates'
import { expect, it } from 'vitest'
import { buildTestApp } from '../../../../test/support/build-test-app.ts'
import { aPrintJob } from '../../../../test/support/stock-factories.ts'
import { DAY_MS } from '../../../platform/clock.ts'

/** Creates a job with many plates. */
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
  /** Returns the states of the job after each failed plate. */
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

it('a job is on hold after three failed plates in a row, although the clock was set back after its last good plate', async () => {
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
