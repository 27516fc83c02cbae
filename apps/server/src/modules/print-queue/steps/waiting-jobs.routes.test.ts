import type { AgentJob } from '@pegasus/contracts/print-queue/agents'
import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import type { Plate } from '@pegasus/contracts/print-queue/plates'
import type { Printer } from '@pegasus/contracts/print-queue/printers'
import { expect, it } from 'vitest'
import { auditOf } from '../../../../test/support/accounts/api-keys.ts'
import { type Calls, callsOf } from '../../../../test/support/api-calls.ts'
import { type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'
import { aPrinterSetup } from '../../../../test/support/network-printers.ts'
import { LEASE_MS, passTime, anAgent, claim, claimed } from '../../../../test/support/print-agents.ts'
import { aPrintJob, anItem, anOrder } from '../../../../test/support/stock-factories.ts'

async function aShop(): Promise<{ app: TestApp; staff: Calls }> {
  const app = await buildTestApp()
  return { app, staff: callsOf(app, { ...(await app.as('staff')), 'if-match': '*' }) }
}

/** Performs a step of a job as staff. Returns the job. */
async function act(staff: Calls, id: string, step: string, body: object = {}): Promise<PrintJob> {
  const answer = await staff(`POST /api/print-queue/${id}/${step}`, body)
  if (answer.status > 201) throw new Error(`${step}: ${answer.status} ${answer.text}`)
  return answer.json<PrintJob>()
}

const jobOf = async (staff: Calls, id: string): Promise<PrintJob> =>
  (await staff(`GET /api/print-queue/${id}`)).json<PrintJob>()

const stockOf = async (staff: Calls, id: string) =>
  (await staff(`GET /api/inventory/${id}`)).json<{ quantity: number }>().quantity

/** Adds a job of eight pieces, divided into two plates. */
const aDividedJob = async (app: TestApp) => {
  const itemId = await anItem(app, { quantity: 0 })
  return { itemId, id: await aPrintJob(app, { itemId, quantity: 8, piecesPerPlate: 4 }) }
}

it('a held job whose quantity is lowered to its good pieces is completed when it is requeued', async () => {
  const { app, staff } = await aShop()
  const { id, itemId } = await aDividedJob(app)
  await act(staff, id, 'start')
  await act(staff, id, 'complete')
  await act(staff, id, 'hold')
  await staff(`PUT /api/print-queue/${id}`, { quantity: 4 })
  expect(await act(staff, id, 'requeue')).toMatchObject({ status: 'completed', good_quantity: 4, plates: 1 })
  expect(await stockOf(staff, itemId)).toBe(4)
})

it('a step that names no plate is refused while several plates print, and the refusal lists them', async () => {
  const { app, staff } = await aShop()
  const { id } = await aDividedJob(app)
  for (const printer of ['Left', 'Right']) await act(staff, id, 'start', { printer })
  const plates = (await staff(`GET /api/print-queue/${id}/plates`)).json<Plate[]>()
  for (const step of ['complete', 'fail']) {
    const refused = await staff(`POST /api/print-queue/${id}/${step}`, { reason: 'Warped' })
    expect([refused.status, refused.json()]).toMatchObject([
      409,
      {
        detail: 'Plates 1 and 2 of this print job are printing. Open its page, and choose one of them.',
        plates: plates.map((plate) => ({ id: plate.id, number: plate.number })),
      },
    ])
  }
  expect(await act(staff, id, 'complete', { plate_id: plates[0]?.id })).toMatchObject({ good_quantity: 4 })
})

it.each(['a failure of its last plate', 'the silence of its agent'])(
  'a job with enough good pieces is completed by %s',
  async (end) => {
    const { app, staff } = await aShop()
    const { id, itemId } = await aDividedJob(app)
    await act(staff, id, 'start', { printer: 'Left' })
    const { key } = await anAgent(app)
    if (end.endsWith('agent')) await claimed(app, key)
    else await act(staff, id, 'start', { printer: 'Right' })
    await staff(`PUT /api/print-queue/${id}`, { quantity: 4 })
    const [first, second] = (await staff(`GET /api/print-queue/${id}/plates`)).json<Plate[]>()
    expect(await act(staff, id, 'complete', { plate_id: first?.id })).toMatchObject({ status: 'in_progress' })
    if (end.endsWith('agent')) {
      await passTime(LEASE_MS, app)
      await app.leases.run()
    } else await act(staff, id, 'fail', { plate_id: second?.id, reason: 'Warped' })
    expect(await jobOf(staff, id)).toMatchObject({
      status: 'completed',
      good_quantity: 4,
      missing_quantity: 0,
    })
    expect((await jobOf(staff, id)).cost).not.toBeNull()
    expect(await stockOf(staff, itemId)).toBe(4)
  },
)

it('a waiting job without missing pieces cannot be claimed by an agent or started', async () => {
  const { app, staff } = await aShop()
  const { key } = await anAgent(app)
  const { id } = await aDividedJob(app)
  await app.database.sql`update print_jobs set good_quantity = 8, priority = 1 where id = ${id}`
  const next = await aPrintJob(app, { priority: 2 })
  const answer = await claim(app, key)
  expect([answer.statusCode, answer.json<AgentJob>().id]).toEqual([200, next])
  const refused = await staff(`POST /api/print-queue/${id}/start`)
  expect([refused.status, refused.detail()]).toEqual([409, 'No piece of this print job is missing.'])
})

it('a person cannot start a job on a printer that the server runs', async () => {
  const { app, staff } = await aShop()
  const setup = await aPrinterSetup(app, 'moonraker')
  const id = await aPrintJob(app, { itemId: setup.itemId })
  const answer = await staff(`POST /api/print-queue/${id}/start`, { printer: 'left' })
  expect([answer.status, answer.detail()]).toEqual([
    409,
    'The server itself runs Left. Assign the job to it, and the server starts it.',
  ])
  await app.printers.run()
  expect(await jobOf(staff, id)).toMatchObject({ status: 'pending', plates_done: 0 })
  expect((await staff('GET /api/printers')).json<Printer[]>()).toMatchObject([{ state: 'available' }])
})

it('a job whose quantity is increased during a print continues, because its plate keeps the pieces from its start', async () => {
  const { app, staff } = await aShop()
  const itemId = await anItem(app, { quantity: 0 })
  const id = await aPrintJob(app, { itemId, quantity: 7 })
  await act(staff, id, 'start')
  await staff(`PUT /api/print-queue/${id}`, { quantity: 14 })
  expect(await act(staff, id, 'complete')).toMatchObject({
    status: 'pending',
    good_quantity: 7,
    missing_quantity: 7,
    plates: 2,
  })
  expect(await act(staff, id, 'complete')).toMatchObject({ status: 'pending', good_quantity: 7 })
  expect(await stockOf(staff, itemId)).toBe(7)
  await act(staff, id, 'start')
  expect(await act(staff, id, 'complete')).toMatchObject({ status: 'completed', good_quantity: 14 })
  const less = await aPrintJob(app, { itemId, quantity: 7 })
  await act(staff, less, 'start')
  await staff(`PUT /api/print-queue/${less}`, { quantity: 5 })
  expect(await act(staff, less, 'complete')).toMatchObject({ status: 'completed', good_quantity: 7 })
  expect(await stockOf(staff, itemId)).toBe(21)
})

it('a repeated completion of a plate adds no pieces to stock', async () => {
  const { app, staff } = await aShop()
  const { id, itemId } = await aDividedJob(app)
  await act(staff, id, 'start')
  await act(staff, id, 'complete')
  const repeated = await staff(`POST /api/print-queue/${id}/complete`)
  expect([repeated.status, repeated.json()]).toMatchObject([
    200,
    { status: 'pending', good_quantity: 4, plates_done: 1 },
  ])
  expect(await stockOf(staff, itemId)).toBe(4)
  const key = { 'idempotency-key': 'plate-2' }
  const complete = (body: object) => staff(`POST /api/print-queue/${id}/complete`, body, key)
  for (let call = 0; call < 2; call += 1)
    expect((await complete({ good_quantity: 3 })).json()).toMatchObject({
      status: 'pending',
      good_quantity: 7,
    })
  expect((await complete({ good_quantity: 1 })).status).toBe(409)
  expect(await stockOf(staff, itemId)).toBe(7)
})

it('a start that is repeated with the same idempotency key starts only one plate of a divided job', async () => {
  const { app, staff } = await aShop()
  const { id } = await aDividedJob(app)
  const key = { 'idempotency-key': 'start-1' }
  const start = (body: object = {}) => staff(`POST /api/print-queue/${id}/start`, body, key)
  const answers = await Promise.all([start(), start(), start()])
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  const plates = (await staff(`GET /api/print-queue/${id}/plates`)).json<Plate[]>()
  expect(plates.map(({ number, state }) => [number, state])).toEqual([[1, 'printing']])
  expect((await start({ pieces: 2 })).json()).toMatchObject({ code: 'idempotency_key_reused' })
})

it('a job that gets another order or item is moved to the order line that matches it', async () => {
  const { app, staff } = await aShop()
  const [dragon, gear] = [
    await anItem(app, { sku: 'DRG', quantity: 0 }),
    await anItem(app, { sku: 'GEAR', quantity: 0 }),
  ]
  const orderOf = (...skus: string[]) =>
    anOrder(app, { lines: skus.map((sku) => ({ sku, name: sku, quantity: 2, unitPriceMinor: 100 })) })
  const [one, two] = [await orderOf('DRG'), await orderOf('DRG', 'GEAR')]
  const id = await aPrintJob(app, { itemId: dragon, orderId: one, quantity: 2 })
  const queuedFor = async (orderId: string) => {
    const { items } = (await staff(`GET /api/orders/${orderId}`)).json<{
      items: { sku: string; queued_quantity: number }[]
    }>()
    return items.map(({ sku, queued_quantity: queued }) => [sku, queued])
  }
  expect(await queuedFor(one)).toEqual([['DRG', 2]])
  await staff(`PUT /api/print-queue/${id}`, { order_id: two })
  expect([await queuedFor(one), await queuedFor(two)]).toEqual([
    [['DRG', 0]],
    [
      ['DRG', 2],
      ['GEAR', 0],
    ],
  ])
  await staff(`PUT /api/print-queue/${id}`, { inventory_item_id: gear })
  expect(await queuedFor(two)).toEqual([
    ['DRG', 0],
    ['GEAR', 2],
  ])
  await staff(`PUT /api/print-queue/${id}`, { order_id: null })
  expect((await jobOf(staff, id)).order_line_id).toBeNull()
})

it('a completed job can be queued again only if pieces are missing, and only for these pieces', async () => {
  const { app, staff } = await aShop()
  const { id } = await aDividedJob(app)
  for (const rejected of [2, 0, 0]) {
    await act(staff, id, 'start')
    await act(staff, id, 'complete', { rejected_quantity: rejected })
  }
  expect(await jobOf(staff, id)).toMatchObject({ status: 'completed', rejected_quantity: 2 })
  expect((await staff(`POST /api/print-queue/${id}/requeue`)).status).toBe(409)
  const whole = await aPrintJob(app, { quantity: 10 })
  await act(staff, whole, 'start')
  await act(staff, whole, 'complete', { good_quantity: 7 })
  expect(await act(staff, whole, 'requeue')).toMatchObject({ attempt: 2, quantity: 3 })
})

it('a job that is assigned to a deleted printer waits for any printer', async () => {
  const { app, staff } = await aShop()
  const printer = (await staff('POST /api/printers', { name: 'Old' })).json<Printer>()
  const id = await aPrintJob(app)
  expect(await act(staff, id, 'assign', { printer_id: printer.id })).toMatchObject({
    assigned_printer_id: printer.id,
  })
  expect((await staff(`DELETE /api/printers/${printer.id}`)).status).toBe(204)
  expect(await jobOf(staff, id)).toMatchObject({ assigned_printer_id: null })
  const { key } = await anAgent(app)
  expect((await claim(app, key)).json<AgentJob>().id).toBe(id)
})

it('a merged job can be queued again after its completion is undone', async () => {
  const { app, staff } = await aShop()
  const { id, itemId } = await aDividedJob(app)
  await act(staff, id, 'start')
  await act(staff, id, 'complete')
  const other = await aPrintJob(app, { itemId, quantity: 8, piecesPerPlate: 4 })
  await act(staff, other, 'merge', { job_id: id })
  expect(await jobOf(staff, id)).toMatchObject({ status: 'completed', merged_into_job_id: other })
  expect(await act(staff, id, 'undo')).toMatchObject({ status: 'in_progress', merged_into_job_id: null })
  await act(staff, id, 'cancel')
  expect(await act(staff, id, 'requeue')).toMatchObject({ attempt: 2, quantity: 4 })
})

it('moving a job in the queue is recorded in the audit if its priority changes', async () => {
  const { app, staff } = await aShop()
  const [first, last] = [await aPrintJob(app, { priority: 1 }), await aPrintJob(app, { priority: 4 })]
  await staff('POST /api/print-queue/reorder', { id: last, before_id: first })
  const [entry] = (await auditOf(app, 'print_job')).filter(({ action }) => action === 'print_job.updated')
  expect(entry).toMatchObject({ entity_id: last, before: { priority: 4 }, after: { priority: 1 } })
})
