import type { AgentJob } from '@pegasus/contracts/print-queue/agents'
import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import { expect, it } from 'vitest'
import { type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'
import { untilWaiting } from '../../../../test/support/database/lock-waits.ts'
import { anAgent, claim, claimed, sendReport, transitionsOf } from '../../../../test/support/print-agents.ts'
import { aPrintJob, aPrinter, anItem } from '../../../../test/support/stock-factories.ts'
import { SYSTEM_ACTOR } from '../../../platform/actor.ts'
import { cancelPlate } from '../plates/end-plate.ts'

async function call(app: TestApp, method: 'POST' | 'DELETE', url: string, payload?: object) {
  const headers = { ...(await app.as('admin')), 'if-match': '*' }
  const answer = await app.http.inject({ method, url, headers, ...(payload && { payload }) })
  expect(answer.statusCode, answer.body).toBeLessThan(300)
  return answer
}

const assignmentOf = async (app: TestApp, id: string) => {
  const [job] = await app.database.sql`
    select assigned_printer_id as printer, assigned_anyway as anyway from print_jobs where id = ${id}`
  return job
}

it('an agent gets a job that is assigned to its printer while another printer prints a plate of the job', async () => {
  const app = await buildTestApp()
  const { key } = await anAgent(app)
  await aPrinter(app, 'Elsewhere')
  const printerId = await aPrinter(app, 'Mini')
  const id = await aPrintJob(app, { quantity: 8, piecesPerPlate: 4, priority: 5 })
  await call(app, 'POST', `/api/print-queue/${id}/assign`, { printer_id: printerId })
  await call(app, 'POST', `/api/print-queue/${id}/start`, { printer: 'Elsewhere' })
  const urgent = await aPrintJob(app, { priority: 1 })
  const claimOn = () => claim(app, key, 'bench-1', { printer: 'Mini' })
  const claimed = (await claimOn()).json<AgentJob>()
  expect(claimed.id).toBe(id)
  await sendReport(app, key, id, 'complete', { lease_id: claimed.lease_id })
  // The remaining pieces of the job are on the plate of the other printer.
  expect((await claimOn()).json<AgentJob>().id).toBe(urgent)
})

it('an override is kept for its printer, and never applies to another printer', async () => {
  const app = await buildTestApp()
  const [small, other] = [await aPrinter(app, 'Small'), await aPrinter(app, 'Other')]
  const id = await aPrintJob(app, {
    itemId: await anItem(app),
    material: 'PLA',
    quantity: 8,
    piecesPerPlate: 4,
  })
  await call(app, 'POST', `/api/print-queue/${id}/assign`, { printer_id: small, override: true })
  const step = (name: string, payload: object = {}) =>
    call(app, 'POST', `/api/print-queue/${id}/${name}`, payload)
  expect(await assignmentOf(app, id)).toEqual({ printer: small, anyway: true })
  // When the last plate of the job starts, the assignment ends. When the job returns to the queue, the assignment is
  // restored.
  await step('start', { printer: 'Small', pieces: 8 })
  for (const undo of [{ undo_start: true }, {}]) {
    await step('requeue', undo)
    expect(await assignmentOf(app, id)).toEqual({ printer: small, anyway: true })
    await step('start', { printer: 'Small', pieces: 8 })
    expect(await assignmentOf(app, id)).toEqual({ printer: null, anyway: false })
  }
  await step('fail', { reason: 'Warped' })
  expect(await assignmentOf(app, id)).toEqual({ printer: small, anyway: true })
  await step('assign', { printer_id: null })
  await step('start', { printer: 'Other', pieces: 8 })
  await step('requeue')
  expect(await assignmentOf(app, id)).toEqual({ printer: other, anyway: false })
})

it('a job whose assignment a person removes during the print waits for any printer when it returns to the queue', async () => {
  const app = await buildTestApp()
  const printerId = await aPrinter(app, 'Mini')
  const id = await aPrintJob(app)
  const step = (name: string, payload: object = {}) =>
    call(app, 'POST', `/api/print-queue/${id}/${name}`, payload)
  const cancelPlateOf = async (isUnsent: boolean) => {
    const [plate] = await app.database.sql<{ id: string }[]>`
      select id from job_plates where print_job_id = ${id} order by number desc limit 1`
    const by = { actor: SYSTEM_ACTOR, now: app.clock.now() }
    await app.database.transaction((tx) => cancelPlate(tx, plate?.id ?? '', { isUnsent }, by))
  }
  const back = [
    () => cancelPlateOf(false),
    () => cancelPlateOf(true),
    () => step('requeue'),
    () => step('requeue', { undo_start: true }),
  ]
  for (const goBack of back)
    for (const isRemoved of [true, false]) {
      await step('assign', { printer_id: printerId })
      await step('start', { printer: 'Mini' })
      if (isRemoved) await step('assign', { printer_id: null })
      await goBack()
      await call(app, 'POST', `/api/printers/${printerId}/clear`)
      expect(await assignmentOf(app, id), `${back.indexOf(goBack)}`).toEqual({
        printer: isRemoved ? null : printerId,
        anyway: false,
      })
    }
})

it('a deleted printer is assigned neither to a job restored from the trash nor to one whose start is undone', async () => {
  const app = await buildTestApp()
  const deleted = await aPrinter(app, 'Deleted')
  await aPrinter(app, 'Other')
  const [inTrash, started] = [await aPrintJob(app), await aPrintJob(app)]
  for (const id of [inTrash, started])
    await call(app, 'POST', `/api/print-queue/${id}/assign`, { printer_id: deleted, override: true })
  await call(app, 'DELETE', `/api/print-queue/${inTrash}`)
  await call(app, 'POST', `/api/print-queue/${started}/start`, { printer: 'Other' })
  await call(app, 'DELETE', `/api/printers/${deleted}`)
  await call(app, 'POST', `/api/print-queue/${inTrash}/restore`)
  await call(app, 'POST', `/api/print-queue/${started}/requeue`, { undo_start: true })
  const none = { printer: null, anyway: false }
  expect([await assignmentOf(app, inTrash), await assignmentOf(app, started)]).toEqual([none, none])
})

it('a job that is restored while its printer is being deleted is not assigned to that printer', async () => {
  const app = await buildTestApp()
  const printerId = await aPrinter(app, 'Mini')
  const id = await aPrintJob(app)
  await call(app, 'POST', `/api/print-queue/${id}/assign`, { printer_id: printerId })
  await call(app, 'DELETE', `/api/print-queue/${id}`)
  // Both changes wait for a lock at their last step, before either transaction is committed.
  const { deleted, restored } = await app.database.transaction(async (tx) => {
    await tx`lock table audit_entries in share mode`
    const ending = call(app, 'DELETE', `/api/printers/${printerId}`)
    await untilWaiting(app, 1)
    const starting = call(app, 'POST', `/api/print-queue/${id}/restore`)
    await untilWaiting(app, 2)
    return { deleted: { ending }, restored: { starting } }
  })
  await Promise.all([deleted.ending, restored.starting])
  expect(await assignmentOf(app, id)).toEqual({ printer: null, anyway: false })
})

it('a divided job that an admin has assigned stays on its printer when its last plate fails or is rejected', async () => {
  const app = await buildTestApp()
  const printer = await aPrinter(app, 'Mini')
  const id = await aPrintJob(app, { quantity: 2, piecesPerPlate: 1 })
  const step = (name: string, body: object) => call(app, 'POST', `/api/print-queue/${id}/${name}`, body)
  await app.database
    .sql`update print_jobs set assigned_printer_id = ${printer}, assigned_anyway = true where id = ${id}`
  await step('start', { printer: 'Mini' })
  await step('complete', {})
  for (const [end, body] of [
    ['fail', { reason: 'Warped' }],
    ['complete', { good_quantity: 0, rejected_quantity: 1 }],
  ] as const) {
    await step('start', { printer: 'Mini' })
    expect(await assignmentOf(app, id)).toEqual({ printer: null, anyway: false })
    expect((await step(end, body)).json()).toMatchObject({ status: 'pending', good_quantity: 1 })
    expect(await assignmentOf(app, id), end).toEqual({ printer, anyway: true })
  }
  await step('start', { printer: 'Mini' })
  expect((await step('complete', {})).json()).toMatchObject({
    status: 'completed',
    assigned_printer_id: null,
  })
})

it('an override returns when pieces are missing again after an undo or a failed plate, unless a person has changed the assignment', async () => {
  const app = await buildTestApp()
  const [mini, other] = [await aPrinter(app, 'Mini'), await aPrinter(app, 'Other')]
  const id = await aPrintJob(app, { quantity: 2, piecesPerPlate: 1 })
  const step = (name: string, body: object) => call(app, 'POST', `/api/print-queue/${id}/${name}`, body)
  await app.database
    .sql`update print_jobs set assigned_printer_id = ${mini}, assigned_anyway = true where id = ${id}`
  await step('start', { printer: 'Other' })
  await step('start', { printer: 'Mini' })
  const plates = await app.database.sql<{ id: string }[]>`
    select id from job_plates where print_job_id = ${id} order by number`
  await step('complete', { plate_id: plates[1]?.id })
  await step('fail', { plate_id: plates[0]?.id, reason: 'Warped' })
  expect(await assignmentOf(app, id), 'failed').toEqual({ printer: mini, anyway: true })

  await step('start', { printer: 'Mini' })
  await step('complete', {})
  await step('undo', {})
  await step('complete', { good_quantity: 0, rejected_quantity: 1 })
  expect(await assignmentOf(app, id), 'undone').toEqual({ printer: mini, anyway: true })

  await step('start', { printer: 'Mini' })
  await step('assign', { printer_id: other })
  await step('assign', { printer_id: null })
  await step('fail', { reason: 'Warped' })
  expect(await assignmentOf(app, id), 'chosen').toEqual({ printer: null, anyway: false })
})

const GONE = 'Mini was deleted, so any printer that fits can print the job.'

it.each([
  {
    what: 'a failed job that printed on its assigned printer',
    quantity: 1,
    leave: async (step: (name: string, payload?: object) => Promise<unknown>) => {
      await step('start', { printer: 'Mini' })
      await step('fail', { reason: 'Warped' })
    },
    back: ['requeue', { reason: 'Try again.' }],
    says: `Attempt 2 after J-00001: Try again. ${GONE}`,
  },
  {
    what: 'a failed job that printed elsewhere',
    quantity: 1,
    leave: async (step: (name: string, payload?: object) => Promise<unknown>) => {
      await step('start', { printer: 'Other' })
      await step('fail', { reason: 'Warped' })
    },
    back: ['requeue', {}],
    says: `Attempt 2 after J-00001. ${GONE}`,
  },
  {
    what: 'a divided job on hold after three failures',
    quantity: 8,
    leave: async (step: (name: string, payload?: object) => Promise<unknown>) => {
      for (let failure = 0; failure < 3; failure += 1) {
        await step('start', { printer: 'Mini' })
        await step('fail', { reason: 'Warped' })
      }
    },
    back: ['requeue', { reason: 'Bed leveled.' }],
    says: `Bed leveled. ${GONE}`,
  },
  {
    what: 'a job whose completion is undone',
    quantity: 1,
    leave: (step: (name: string, payload?: object) => Promise<unknown>) => step('complete'),
    back: ['undo', {}],
    says: `Completion undone. ${GONE}`,
  },
  {
    what: 'a divided job whose last plate ran elsewhere and is undone',
    quantity: 8,
    leave: async (step: (name: string, payload?: object) => Promise<unknown>) => {
      await step('start', { printer: 'Mini' })
      await step('complete')
      await step('complete', { good_quantity: 4 })
    },
    back: ['undo', {}],
    says: `Completion undone. ${GONE}`,
  },
] as const)(
  '$what comes back without its printer if that was deleted, says so, and can be printed elsewhere',
  async ({ quantity, leave, back: [way, payload], says }) => {
    const app = await buildTestApp()
    const { key } = await anAgent(app)
    const printerId = await aPrinter(app, 'Mini')
    const id = await aPrintJob(app, { quantity, ...(quantity > 1 && { piecesPerPlate: 4 }) })
    await call(app, 'POST', `/api/print-queue/${id}/assign`, { printer_id: printerId })
    await leave((name, body = {}) => call(app, 'POST', `/api/print-queue/${id}/${name}`, body))
    await call(app, 'POST', `/api/printers/${printerId}/clear`)
    await call(app, 'DELETE', `/api/printers/${printerId}`)
    const back = (await call(app, 'POST', `/api/print-queue/${id}/${way}`, payload)).json<PrintJob>()
    expect(back).toMatchObject({ status: 'pending', assigned_printer_id: null })
    expect((await transitionsOf(app, back.id)).at(-1)?.reason).toBe(says)
    expect((await claimed(app, key)).id).toBe(back.id)
  },
)

it('a job that returns to the queue while its printer still exists names no deleted printer', async () => {
  const app = await buildTestApp()
  const printerId = await aPrinter(app, 'Mini')
  const id = await aPrintJob(app)
  await call(app, 'POST', `/api/print-queue/${id}/start`, { printer: 'Mini' })
  await call(app, 'POST', `/api/print-queue/${id}/fail`, { reason: 'Warped' })
  const next = (await call(app, 'POST', `/api/print-queue/${id}/requeue`)).json<PrintJob>()
  expect((await transitionsOf(app, next.id)).map(({ reason }) => reason)).toEqual(['Attempt 2 after J-00001'])
  await call(app, 'POST', `/api/print-queue/${next.id}/assign`, { printer_id: printerId })
  await call(app, 'POST', `/api/print-queue/${next.id}/hold`)
  await call(app, 'POST', `/api/print-queue/${next.id}/requeue`)
  expect(await assignmentOf(app, next.id)).toEqual({ printer: printerId, anyway: false })
  expect((await transitionsOf(app, next.id)).at(-1)?.reason).toBeNull()
})

it('the history names a deleted printer only once, when the job first returns to the queue without it', async () => {
  const app = await buildTestApp()
  const printerId = await aPrinter(app, 'Mini')
  const id = await aPrintJob(app)
  const step = (name: string, payload: object = {}) =>
    call(app, 'POST', `/api/print-queue/${id}/${name}`, payload)
  const lastReason = async () => (await transitionsOf(app, id)).at(-1)?.reason
  await step('start', { printer: 'Mini' })
  await step('hold')
  await call(app, 'POST', `/api/printers/${printerId}/clear`)
  await call(app, 'DELETE', `/api/printers/${printerId}`)
  app.clock.advance(1000)
  await step('requeue')
  expect(await lastReason()).toBe(GONE)
  app.clock.advance(1000)
  await step('hold')
  await step('requeue')
  expect(await lastReason()).toBeNull()
})

it('the history of a job that another printer is still printing does not name a deleted printer', async () => {
  const app = await buildTestApp()
  for (const name of ['First', 'Second']) await aPrinter(app, name)
  const printerId = await aPrinter(app, 'Mini')
  const id = await aPrintJob(app, { quantity: 12, piecesPerPlate: 4 })
  const step = (name: string, payload: object = {}) =>
    call(app, 'POST', `/api/print-queue/${id}/${name}`, payload)
  for (const printer of ['First', 'Second', 'Mini']) await step('start', { printer })
  const [first, , last] = await app.database.sql<{ id: string }[]>`
    select id from job_plates where print_job_id = ${id} order by number`
  await app.database.transaction((tx) =>
    cancelPlate(tx, last?.id ?? '', { isUnsent: true }, { actor: SYSTEM_ACTOR, now: app.clock.now() }),
  )
  await step('complete', { plate_id: first?.id })
  await call(app, 'POST', `/api/printers/${printerId}/clear`)
  await call(app, 'DELETE', `/api/printers/${printerId}`)
  expect((await step('undo')).json()).toMatchObject({ status: 'in_progress' })
  expect((await transitionsOf(app, id)).at(-1)?.reason).toBe('Completion undone')
})

it("the history of an agent's job does not name its deleted printer, because any printer could have printed the job", async () => {
  const app = await buildTestApp()
  const { key } = await anAgent(app)
  const id = await aPrintJob(app)
  const { statusCode } = await claim(app, key, 'bench-1', { printer: 'Mini' })
  expect(statusCode).toBe(200)
  await call(app, 'POST', `/api/print-queue/${id}/fail`, { reason: 'Warped' })
  const [printer] = await app.database.sql<{ id: string }[]>`select id from printers where name = 'Mini'`
  await call(app, 'POST', `/api/printers/${printer?.id}/clear`)
  await call(app, 'DELETE', `/api/printers/${printer?.id}`)
  const next = (await call(app, 'POST', `/api/print-queue/${id}/requeue`)).json<PrintJob>()
  expect((await transitionsOf(app, next.id)).at(-1)?.reason).toBe('Attempt 2 after J-00001')
})
