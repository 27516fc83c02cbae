import {
  MAX_ESTIMATED_GRAMS,
  MAX_ESTIMATED_MINUTES,
  MAX_JOB_QUANTITY,
  type PrintJob,
} from '@pegasus/contracts/print-queue/jobs'
import type { Model } from '@pegasus/contracts/stl-library/models'
import { createCube } from '@pegasus/mesh/samples/shapes'
import { writeBinaryStl } from '@pegasus/mesh/stl/write-stl'
import { describe, expect, it } from 'vitest'
import { auditOf } from '../../../../test/support/accounts/api-keys.ts'
import { type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'
import { untilWaiting } from '../../../../test/support/database/lock-waits.ts'
import { upload } from '../../../../test/support/library/model-upload.ts'
import { aPrintJob, aSpool, advance, anItem, anOrder } from '../../../../test/support/stock-factories.ts'
import { DAY_MS } from '../../../platform/clock.ts'

type Headers = Record<string, string>
type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

const QUEUE = '/api/print-queue'

const call = (app: TestApp, headers: Headers, method: Method, url: string, payload?: object) =>
  app.http.inject({ method, url, headers, ...(payload && { payload }) })

const queued = async (app: TestApp, headers: Headers, body: object): Promise<PrintJob> => {
  const answer = await call(app, headers, 'POST', QUEUE, body)
  if (answer.statusCode !== 201) throw new Error(`${answer.statusCode} ${answer.body}`)
  return answer.json<PrintJob>()
}

const change = (app: TestApp, headers: Headers, job: PrintJob, edit: object) =>
  call(app, { ...headers, 'if-match': `"${job.revision}"` }, 'PUT', `${QUEUE}/${job.id}`, edit)

const aModel = async (app: TestApp, title: string): Promise<Model> => {
  const bytes = writeBinaryStl(createCube(20 + title.length))
  return (await upload(app, await app.as('staff'), { name: 'c.stl', bytes }, { title })).json<Model>()
}

const versionOf = async (app: TestApp, id: string): Promise<string | null> => {
  const [row] = await app.database.sql<[{ stl_version_id: string | null }]>`
    select stl_version_id from print_jobs where id = ${id}`
  return row.stl_version_id
}

const order = async (app: TestApp, headers: Headers): Promise<string[]> =>
  (await call(app, headers, 'GET', QUEUE))
    .json<PrintJob[]>()
    .map((job) => `${job.inventory_item_name} P${job.priority}`)

describe('POST /api/print-queue', () => {
  it('POST /api/print-queue queues an item, with its current model and the weight of its pieces', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const model = await aModel(app, 'Gear')
    const itemId = await anItem(app, { name: 'Gear', stl_file_id: model.id, weight_grams: 12.5 })
    const spoolId = await aSpool(app)
    const orderId = await anOrder(app, { orderNumber: 'PO-1' })
    const body = {
      inventory_item_id: itemId,
      quantity: 4,
      priority: 1,
      material: 'PLA',
      color: 'Black',
      filament_id: spoolId,
      order_id: orderId,
      due_at: '2026-12-24T16:00:00Z',
      notes: 'gift',
    }
    const job = await queued(app, staff, body)
    expect(job).toMatchObject({ ...body, due_at: job.due_at, status: 'pending', estimated_grams: 50 })
    expect(job.stl_file_id).toBe(model.id)
    expect(await versionOf(app, job.id)).not.toBeNull()
    expect((await call(app, staff, 'GET', `${QUEUE}/${job.id}`)).headers.etag).toBe(`"${job.revision}"`)
    expect((await auditOf(app, 'print_job')).map(({ action }) => action)).toEqual(['print_job.created'])
  })

  it('POST /api/print-queue queues a model without an item as one piece at the default priority', async () => {
    const app = await buildTestApp()
    const model = await aModel(app, 'Cube')
    const job = await queued(app, await app.as('staff'), { stl_file_id: model.id })
    expect(job).toMatchObject({ inventory_item_name: 'Cube', quantity: 1, priority: 3 })
  })

  it('POST /api/print-queue caps the computed estimates of a very large job at the highest allowed values', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const itemId = await anItem(app, { weight_grams: 5000 })
    const job = await queued(app, staff, { inventory_item_id: itemId, quantity: MAX_JOB_QUANTITY })
    expect(job.estimated_grams).toBe(MAX_ESTIMATED_GRAMS)
    const small = await queued(app, staff, { inventory_item_id: itemId, estimated_minutes: 6000 })
    const answer = await change(app, staff, small, { quantity: MAX_JOB_QUANTITY })
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      expect.objectContaining({
        estimated_grams: MAX_ESTIMATED_GRAMS,
        estimated_minutes: MAX_ESTIMATED_MINUTES,
      }),
    ])
  })

  it('POST /api/print-queue queues one job for a repeated idempotency key', async () => {
    const app = await buildTestApp()
    const staff = { ...(await app.as('staff')), 'idempotency-key': 'k' }
    const body = { inventory_item_id: await anItem(app) }
    const jobs = await Promise.all([1, 2, 3].map(() => queued(app, staff, body)))
    expect(new Set(jobs.map((job) => job.id)).size).toBe(1)
  })

  it('POST /api/print-queue refuses invalid values, unknown references and viewers', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const item = { inventory_item_id: await anItem(app) }
    const nobody = crypto.randomUUID()
    const trashed = await aSpool(app)
    await call(app, staff, 'DELETE', `/api/filament/${trashed}`)
    for (const [body, status] of [
      [{}, 422],
      [{ ...item, quantity: 0 }, 422],
      [{ ...item, quantity: 1_000_001 }, 422],
      [{ ...item, quantity: 1.5 }, 422],
      [{ ...item, priority: 0 }, 422],
      [{ ...item, priority: 100 }, 422],
      [{ ...item, notes: 'a\0' }, 422],
      [{ ...item, due_at: 'tomorrow' }, 422],
      [{ inventory_item_id: 'gear' }, 422],
      [{ inventory_item_id: nobody }, 404],
      [{ stl_file_id: nobody }, 404],
      [{ ...item, filament_id: nobody }, 404],
      [{ ...item, filament_id: trashed }, 404],
      [{ ...item, order_id: nobody }, 404],
    ] as const)
      expect([body, (await call(app, staff, 'POST', QUEUE, body)).statusCode]).toEqual([body, status])
    expect((await call(app, await app.as('viewer'), 'POST', QUEUE, {})).statusCode).toBe(403)
    expect(await order(app, staff)).toEqual([])
  })
})

describe('PUT /api/print-queue/{id}', () => {
  it('PUT /api/print-queue/{id} changes the given fields, and scales the estimates with the quantity', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const job = await queued(app, staff, {
      inventory_item_id: await anItem(app),
      quantity: 4,
      estimated_grams: 100,
    })
    const after = (
      await change(app, staff, job, { quantity: 6, notes: 'two more', status: 'completed' })
    ).json()
    expect(after).toMatchObject({ quantity: 6, notes: 'two more', estimated_grams: 150, status: 'pending' })
    expect((await change(app, staff, after as PrintJob, { quantity: 6 })).json()).toEqual(after)
    expect((await auditOf(app, 'print_job'))[1]).toMatchObject({
      before: { quantity: 4, estimated_grams: 100, notes: null },
      after: { quantity: 6, estimated_grams: 150, notes: 'two more' },
    })
  })

  it('a print job takes the current version of its new item or model, and must keep at least one of the two', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const [cube, box] = [await aModel(app, 'Cube'), await aModel(app, 'A box')]
    const job = await queued(app, staff, { stl_file_id: cube.id })
    const before = await versionOf(app, job.id)
    const after = (await change(app, staff, job, { stl_file_id: box.id })).json<PrintJob>()
    expect(after.inventory_item_name).toBe('A box')
    expect(await versionOf(app, job.id)).not.toBe(before)
    expect((await change(app, staff, after, { stl_file_id: null })).statusCode).toBe(422)
    const itemId = await anItem(app, { name: 'Boxed', stl_file_id: cube.id })
    const boxed = (await change(app, staff, after, { inventory_item_id: itemId })).json<PrintJob>()
    expect(boxed).toMatchObject({ inventory_item_name: 'Boxed', stl_file_id: cube.id })
    expect(await versionOf(app, job.id)).toBe(before)
  })

  it('a started print job keeps its item, and only the notes of a finished print job can be changed', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const other = await anItem(app, { name: 'Other' })
    const get = async (id: string) => (await call(app, staff, 'GET', `${QUEUE}/${id}`)).json<PrintJob>()
    const id = await aPrintJob(app, { quantity: 2 })
    await advance(app, id, { to: 'in_progress' })
    expect((await change(app, staff, await get(id), { inventory_item_id: other })).statusCode).toBe(409)
    expect((await change(app, staff, await get(id), { quantity: 1 })).statusCode).toBe(200)
    await advance(app, id, { to: 'completed' })
    expect((await change(app, staff, await get(id), { quantity: 4 })).statusCode).toBe(409)
    expect((await change(app, staff, await get(id), { notes: 'nice' })).json()).toMatchObject({
      notes: 'nice',
    })
  })

  it('parallel edits of a print job do not overwrite each other', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const job = await queued(app, staff, { inventory_item_id: await anItem(app) })
    expect((await call(app, staff, 'PUT', `${QUEUE}/${job.id}`, { notes: 'x' })).statusCode).toBe(428)
    const answers = await Promise.all(['a', 'b', 'c'].map((notes) => change(app, staff, job, { notes })))
    expect(answers.map((answer) => answer.statusCode).toSorted((a, b) => a - b)).toEqual([200, 412, 412])
    expect((await change(app, await app.as('viewer'), job, {})).statusCode).toBe(403)
  })
})

describe('DELETE /api/print-queue/{id}', () => {
  it('DELETE /api/print-queue/{id} moves a job to the trash for 30 days, but not while it is being printed', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const id = await aPrintJob(app)
    await advance(app, id, { to: 'in_progress' })
    expect((await call(app, staff, 'DELETE', `${QUEUE}/${id}`)).statusCode).toBe(409)
    await advance(app, id, { to: 'pending' })
    expect((await call(app, staff, 'DELETE', `${QUEUE}/${id}`)).statusCode).toBe(204)
    expect((await call(app, staff, 'GET', `${QUEUE}/${id}`)).statusCode).toBe(404)
    expect((await call(app, staff, 'POST', `${QUEUE}/${id}/start`)).statusCode).toBe(404)
    expect((await call(app, staff, 'POST', `${QUEUE}/${id}/restore`)).json()).toMatchObject({
      status: 'pending',
    })
    await call(app, staff, 'DELETE', `${QUEUE}/${id}`)
    app.clock.advance(31 * DAY_MS)
    expect((await call(app, await app.as('staff'), 'POST', `${QUEUE}/${id}/restore`)).statusCode).toBe(404)
  })
})

describe('POST /api/print-queue/reorder', () => {
  const line = async (app: TestApp, jobs: readonly (readonly [string, number])[]) => {
    const ids: Record<string, string> = {}
    for (const [name, priority] of jobs)
      ids[name] = await aPrintJob(app, { itemId: await anItem(app, { name }), priority })
    return ids
  }
  const move = (app: TestApp, headers: Headers, id?: string, before_id?: string | null) =>
    call(app, headers, 'POST', `${QUEUE}/reorder`, { id, before_id })

  it('POST /api/print-queue/reorder moves a job before another or to the end, and keeps its priority if possible', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const { a, b, c, d, e } = await line(app, [
      ['a', 1],
      ['b', 3],
      ['c', 3],
      ['d', 3],
      ['e', 5],
    ])
    await move(app, staff, d, b)
    expect(await order(app, staff)).toEqual(['a P1', 'd P3', 'b P3', 'c P3', 'e P5'])
    await move(app, staff, b, e)
    expect(await order(app, staff)).toEqual(['a P1', 'd P3', 'c P3', 'b P3', 'e P5'])
    await move(app, staff, c, a)
    expect(await order(app, staff)).toEqual(['c P1', 'a P1', 'd P3', 'b P3', 'e P5'])
    await move(app, staff, c, null)
    expect(await order(app, staff)).toEqual(['a P1', 'd P3', 'b P3', 'e P5', 'c P5'])
    await aPrintJob(app, { itemId: await anItem(app, { name: 'f' }), priority: 5 })
    expect((await order(app, staff)).at(-1)).toBe('f P5')
  })

  it('POST /api/print-queue/reorder can always move a job between two others', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const { a, b, c } = await line(app, [
      ['a', 3],
      ['b', 3],
      ['c', 3],
    ])
    for (let turn = 0; turn < 12; turn += 1) {
      await move(app, staff, c, b)
      expect(await order(app, staff)).toEqual(['a P3', 'c P3', 'b P3'])
      await move(app, staff, b, c)
      expect(await order(app, staff)).toEqual(['a P3', 'b P3', 'c P3'])
    }
    expect(a).toBeDefined()
  })

  it('POST /api/print-queue/reorder keeps a priority that is set at the same time', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const { a, b } = await line(app, [
      ['a', 3],
      ['b', 9],
    ])
    const moved = await app.database.transaction(async (tx) => {
      await tx`update print_jobs set priority = 7 where id = ${a ?? ''}`
      const answer = move(app, staff, a, b)
      await untilWaiting(app, 1)
      return { answer }
    })
    expect((await moved.answer).json()).toMatchObject({ priority: 7 })
  })

  it('POST /api/print-queue/reorder keeps all jobs and distinct positions during parallel moves', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const ids = Object.values(
      await line(
        app,
        Array.from({ length: 8 }, (_, at) => [`j${at}`, 3] as const),
      ),
    )
    const moves = ids.flatMap((id, at) => [
      move(app, staff, id, ids[(at + 3) % 8]),
      move(app, staff, id, null),
    ])
    expect((await Promise.all(moves)).every((answer) => answer.statusCode === 200)).toBe(true)
    expect((await order(app, staff)).toSorted()).toEqual(ids.map((_, at) => `j${at} P3`))
    const places = await app.database.sql`select distinct position from print_jobs`
    expect(places).toHaveLength(8)
  })

  it('POST /api/print-queue/reorder refuses finished and unknown jobs, and viewers', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const { a, b } = await line(app, [
      ['a', 3],
      ['b', 3],
    ])
    await advance(app, b ?? '', { to: 'completed' })
    expect((await move(app, staff, a, b)).statusCode).toBe(409)
    expect((await move(app, staff, a, crypto.randomUUID())).statusCode).toBe(404)
    expect((await move(app, staff, a)).statusCode).toBe(422)
    expect((await move(app, await app.as('viewer'), a, null)).statusCode).toBe(403)
  })
})
