import type { Printer } from '@pegasus/contracts/print-queue/printers'
import { expect, it } from 'vitest'
import { type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'
import { aPrintJob, aSpool } from '../../../../test/support/stock-factories.ts'

const send = async <T>(app: TestApp, method: 'GET' | 'POST', url: string, payload?: object): Promise<T> => {
  const answer = await app.http.inject({
    method,
    url: `/api${url}`,
    headers: await app.as('staff'),
    ...(payload && { payload }),
  })
  if (answer.statusCode > 201) throw new Error(`${url}: ${answer.statusCode} ${answer.body}`)
  return answer.json<T>()
}

it('a printer names the job that is proposed for it until somebody assigns or starts that job', async () => {
  const app = await buildTestApp()
  const admin = await app.as('admin')
  const added = await app.http.inject({
    method: 'POST',
    url: '/api/printers',
    headers: admin,
    payload: { name: 'Bench', slots: [{ slot: 1, filament_id: await aSpool(app, { material: 'PLA' }) }] },
  })
  const printerId = added.json<Printer>().id
  const planned = async () => {
    await app.planner.run()
    const { next_job, proposed_job, spool_to_load } = await send<Printer>(
      app,
      'GET',
      `/printers/${printerId}`,
    )
    return [next_job?.id ?? null, proposed_job?.id ?? null, spool_to_load !== null]
  }
  expect(await planned()).toEqual([null, null, false])
  await aSpool(app, { material: 'PETG', remainingGrams: 900 })
  const first = await aPrintJob(app, { material: 'PLA', estimatedMinutes: 60 })
  const second = await aPrintJob(app, { material: 'PETG', estimatedMinutes: 60 })
  expect(await planned()).toEqual([null, first, false])
  await send(app, 'POST', `/print-queue/${first}/assign`, { printer_id: printerId })
  expect(await planned()).toEqual([first, second, false])
  await send(app, 'POST', `/print-queue/${first}/start`, { printer: 'Bench' })
  expect(await planned()).toEqual([null, second, false])
  await send(app, 'POST', `/print-queue/${first}/complete`)
  // The plan says that the printer needs another spool, and for which job.
  expect(await planned()).toEqual([null, second, true])
})
