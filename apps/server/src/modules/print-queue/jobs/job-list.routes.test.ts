import type { InventoryItem } from '@pegasus/contracts/inventory/items'
import type { StockMovement } from '@pegasus/contracts/inventory/stock-movements'
import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import { PRINT_JOB_STATUSES, PRINT_JOB_TRANSITIONS } from '@pegasus/contracts/statuses'
import type { Model } from '@pegasus/contracts/stl-library/models'
import { createBox, createCube } from '@pegasus/mesh/samples/shapes'
import { writeBinaryStl } from '@pegasus/mesh/stl/write-stl'
import { describe, expect, it } from 'vitest'
import { type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'
import { addVersion, analyzed, upload } from '../../../../test/support/library/model-upload.ts'
import {
  aPrintJob,
  aPrinter,
  aSpool,
  advance,
  allPages,
  anItem,
  anOrder,
  refusalOf,
} from '../../../../test/support/stock-factories.ts'
import { MINUTE_MS } from '../../../platform/clock.ts'

const get = async (app: TestApp, url: string) => app.http.inject({ url, headers: await app.as('viewer') })

const queue = async (app: TestApp, query = ''): Promise<PrintJob[]> =>
  (await get(app, `/api/print-queue${query}`)).json<PrintJob[]>()

const names = (jobs: readonly PrintJob[]): string[] => jobs.map((job) => job.inventory_item_name)

const aJobNamed = async (app: TestApp, name: string, priority = 3): Promise<string> =>
  aPrintJob(app, { itemId: await anItem(app, { name }), priority })

describe('GET /api/print-queue', () => {
  describe('valid requests for the queue', () => {
    it('GET /api/print-queue shows a job with its item, spool and order', async () => {
      const app = await buildTestApp()
      const itemId = await anItem(app, { name: 'Wrist link', weight_grams: 31, print_time_minutes: 150 })
      const spoolId = await aSpool(app, { color: 'Matte Black', colorHex: '#111111', remainingGrams: 400 })
      const orderId = await anOrder(app, { orderNumber: 'PO-7' })
      const id = await aPrintJob(app, {
        itemId,
        spoolId,
        orderId,
        quantity: 12,
        priority: 1,
        estimatedMinutes: 1900,
        dueAt: app.clock.now(),
        notes: 'left hand',
      })
      const now = app.clock.now().toISOString()
      expect(await queue(app)).toEqual([
        {
          id,
          label_code: 'J-00001',
          inventory_item_id: itemId,
          inventory_item_name: 'Wrist link',
          stl_file_id: null,
          stl_file_title: null,
          stl_thumbnail_path: null,
          stl_version_number: null,
          stl_current_version_number: null,
          quantity: 12,
          good_quantity: 0,
          rejected_quantity: 0,
          missing_quantity: 12,
          is_printed: false,
          can_complete: true,
          current_plate: null,
          pieces_per_plate: null,
          expected_rejects: 0,
          plates: 1,
          plates_done: 0,
          status: 'pending',
          priority: 1,
          position: 1,
          material: 'PLA',
          color: 'Matte Black',
          color_hex: '#111111',
          filament_id: spoolId,
          filament_label: 'S-0001',
          filament_remaining_grams: 400,
          match_strictness: 'exact',
          waits_for: [
            {
              code: 'no_printer',
              message: 'There is no printer yet.',
              action: expect.objectContaining({ kind: 'add_printer' }),
            },
          ],
          assigned_printer_id: null,
          printer: null,
          printer_id: null,
          slice_id: null,
          slice_pieces: null,
          slice_plates: null,
          agent: null,
          attempt: 1,
          previous_job_id: null,
          next_job_id: null,
          merged_into_job_id: null,
          failure_reason: null,
          hold_reason: null,
          progress: 0,
          estimated_grams: 372,
          expected_start: null,
          expected_end: null,
          estimated_minutes: 1900,
          used_grams: null,
          print_minutes: null,
          cost: null,
          cost_is_measured: null,
          planned_cost: 29.43,
          order_line_id: null,
          order_id: orderId,
          order_number: 'PO-7',
          due_at: now,
          started_at: null,
          finished_at: null,
          notes: 'left hand',
          revision: 1,
          created_at: now,
          updated_at: now,
          deleted_at: null,
        },
      ])
    })

    it('a print job shows the requested color, or otherwise the color of its spool or item', async () => {
      const app = await buildTestApp()
      const itemId = await anItem(app, { color: 'Signal Orange', color_hex: '#e8641b' })
      const nameless = await anItem(app, { color_hex: '#0000ff' })
      const black = await aSpool(app, { color: 'Matte Black', colorHex: '#111111' })
      const orange = await aSpool(app, { color: 'signal orange' })
      const grey = await aSpool(app, { color: 'Grey' })
      const cases = [
        [{ itemId }, 'Signal Orange', '#E8641B'],
        [{ itemId: nameless }, null, '#0000FF'],
        [{ itemId, color: 'SIGNAL ORANGE' }, 'SIGNAL ORANGE', '#E8641B'],
        [{ itemId, color: 'Blue' }, 'Blue', null],
        [{ itemId, spoolId: black }, 'Matte Black', '#111111'],
        [{ itemId, spoolId: black, color: 'matte black' }, 'matte black', '#111111'],
        [{ itemId, spoolId: black, color: 'Blue' }, 'Blue', null],
        // The color of this spool has no hex value.
        [{ itemId, spoolId: orange }, 'signal orange', '#E8641B'],
        [{ itemId, spoolId: grey }, 'Grey', null],
      ] as const
      for (const [job] of cases) await aPrintJob(app, job)
      const shown = (await queue(app)).map(({ color, color_hex }) => [color, color_hex])
      expect(shown).toEqual(cases.map(([, color, hex]) => [color, hex]))
    })

    it('GET /api/print-queue shows the printer that runs a job, the progress, and the agent that reports it', async () => {
      const app = await buildTestApp()
      const [printerId, again] = [await aPrinter(app, 'MK4 · 02'), await aPrinter(app, 'mk4 · 02')]
      expect(again).toBe(printerId)
      const id = await aPrintJob(app)
      await advance(app, id, { to: 'in_progress', progress: 0.62, agent: 'bench-1', printerId })
      expect((await queue(app))[0]).toMatchObject({
        status: 'in_progress',
        printer: 'MK4 · 02',
        agent: 'bench-1',
        progress: 0.62,
        started_at: expect.any(String),
      })
    })

    it('a print job without an item is named after its model, and keeps the version that was queued', async () => {
      const app = await buildTestApp()
      const bytes = writeBinaryStl(createCube(20))
      const model = (
        await upload(app, await app.as('staff'), { name: 'c.stl', bytes }, { title: 'Cube' })
      ).json<Model>()
      await aPrintJob(app, { stlFileId: model.id })
      expect((await queue(app))[0]).toMatchObject({
        inventory_item_id: null,
        inventory_item_name: 'Cube',
        stl_file_id: model.id,
      })
      const [row] = await app.database.sql<[{ same: boolean }]>`
        select j.stl_version_id = f.current_version_id as same
        from print_jobs j join stl_files f on f.id = j.stl_file_id`
      expect(row.same).toBe(true)
    })

    it('a print job shows the picture and number of the version that it prints, even if the model has a newer one', async () => {
      const app = await buildTestApp()
      const staff = await app.as('staff')
      const [small, large] = [20, 40].map((side) => writeBinaryStl(createBox(side, 20, 10)))
      const { id: modelId } = (await upload(app, staff, { name: 'c.stl', bytes: small! })).json<Model>()
      await analyzed(app, staff, modelId)
      const pictureAt = async (path: string | null) => {
        const answer = await app.http.inject({ url: path ?? '' })
        expect(answer.statusCode).toBe(200)
        return answer.rawPayload.toString('base64')
      }
      const itemId = await anItem(app, { stl_file_id: modelId })
      const [ofModel, ofItem] = [
        await aPrintJob(app, { stlFileId: modelId }),
        await aPrintJob(app, { itemId }),
      ]
      const [before] = await queue(app)
      const picture = await pictureAt(before?.stl_thumbnail_path ?? null)
      expect(before).toMatchObject({ stl_version_number: 1, stl_current_version_number: 1 })

      await addVersion(app, staff, modelId, { bytes: large! })
      const model = await analyzed(app, staff, modelId)
      expect(await pictureAt(model.thumbnail_path)).not.toBe(picture)
      for (const id of [ofModel, ofItem]) {
        const job = (await get(app, `/api/print-queue/${id}`)).json<PrintJob>()
        expect(job).toMatchObject({ stl_version_number: 1, stl_current_version_number: 2 })
        expect(await pictureAt(job.stl_thumbnail_path)).toBe(picture)
        const scanned = await get(app, `/api/scan?code=${job.label_code}`)
        const { found } = scanned.json<{ found: { thumbnail_path: string } }>()
        expect(await pictureAt(found.thumbnail_path)).toBe(picture)
      }
      const later = (await get(app, `/api/print-queue/${await aPrintJob(app, { itemId })}`)).json<PrintJob>()
      expect([later.stl_version_number, later.stl_thumbnail_path]).toEqual([2, model.thumbnail_path])
      await app.http.inject({ method: 'DELETE', url: `/api/stl-files/${modelId}`, headers: staff })
      expect((await queue(app)).map((job) => job.stl_thumbnail_path)).toEqual([null, null, null])
    })

    it('GET /api/print-queue sorts by priority, position and age, page by page, without finished jobs', async () => {
      const app = await buildTestApp()
      await aJobNamed(app, 'p3 first', 3)
      await aJobNamed(app, 'p1', 1)
      await aJobNamed(app, 'p3 second', 3)
      const held = await aJobNamed(app, 'p2 held', 2)
      const done = await aJobNamed(app, 'done', 1)
      await advance(app, held, { to: 'on_hold', reason: 'seat is tight' })
      await advance(app, done, { to: 'completed' })
      const { items, total } = await allPages<PrintJob>(
        app,
        await app.as('viewer'),
        '/api/print-queue?limit=1',
      )
      expect(names(items)).toEqual(['p1', 'p2 held', 'p3 first', 'p3 second'])
      expect(items[1]).toMatchObject({ status: 'on_hold', hold_reason: 'seat is tight' })
      expect(total).toBe('4')
      expect(names(await queue(app, '?status=pending'))).toEqual(['p1', 'p3 first', 'p3 second'])
    })

    it('GET /api/print-queue filters by item, queue, status and trash', async () => {
      const app = await buildTestApp()
      const itemId = await anItem(app, { name: 'Hook' })
      const [low, high, done, away] = [
        await aPrintJob(app, { itemId, priority: 5 }),
        await aPrintJob(app, { itemId, priority: 1 }),
        await aPrintJob(app, { itemId }),
        await aPrintJob(app, { itemId }),
      ]
      const others = [await aJobNamed(app, 'Other'), await aJobNamed(app, 'Other')]
      for (const id of [done, others[0]!]) await advance(app, id, { to: 'completed' })
      for (const id of [away, others[1]!])
        await app.http.inject({
          method: 'DELETE',
          url: `/api/print-queue/${id}`,
          headers: await app.as('staff'),
        })
      const ids = async (query: string) => (await queue(app, query)).map((job) => job.id)
      const ofItem = `?inventory_item_id=${itemId}`
      expect(await ids(ofItem)).toEqual([high, low])
      expect(await ids(`${ofItem}&status=completed`)).toEqual([done])
      expect(await ids(`${ofItem}&deleted=true`)).toEqual([away])
      const paged = await allPages<PrintJob>(app, await app.as('viewer'), `/api/print-queue${ofItem}&limit=1`)
      expect(paged).toMatchObject({ items: [{ id: high }, { id: low }], total: '2' })
      const refused = await get(app, '/api/print-queue?inventory_item_id=1')
      expect([refused.statusCode, refused.json()]).toMatchObject([
        422,
        { detail: 'inventory_item_id is not an id' },
      ])
    })

    it('GET /api/print-queue lists finished jobs on request, latest first', async () => {
      const app = await buildTestApp()
      for (const name of ['a', 'b', 'c']) {
        app.clock.advance(MINUTE_MS)
        await advance(app, await aJobNamed(app, name, name === 'a' ? 1 : 5), { to: 'completed' })
      }
      const { items } = await allPages<PrintJob>(
        app,
        await app.as('viewer'),
        '/api/print-queue?status=completed&limit=2',
      )
      expect(names(items)).toEqual(['c', 'b', 'a'])
    })

    it('GET /api/print-queue lists and counts the failed jobs of a time that were not queued again', async () => {
      const app = await buildTestApp()
      const fail = async (name: string): Promise<string> => {
        app.clock.advance(MINUTE_MS)
        const id = await aJobNamed(app, name)
        for (const to of ['in_progress', 'failed'] as const)
          await advance(app, id, { to, reason: 'layer shift' })
        return id
      }
      await fail('old')
      const since = app.clock.now().toISOString()
      for (const name of ['b', 'c', 'd']) await fail(name)
      const url = `/api/print-queue/${await fail('queued again')}/requeue`
      const headers = await app.as('staff')
      expect((await app.http.inject({ method: 'POST', url, headers, payload: {} })).statusCode).toBe(201)
      const answer = await get(app, `/api/print-queue?status=failed&unresolved_since=${since}&limit=2`)
      expect(names(answer.json())).toEqual(['d', 'c'])
      expect(answer.headers['x-total-count']).toBe('3')
      expect(await queue(app, '?status=failed')).toHaveLength(5)
    })
  })

  it('GET /api/print-queue refuses bad input with 422, including a cursor from a list with another sort order', async () => {
    const app = await buildTestApp()
    for (const name of ['a', 'b']) await aJobNamed(app, name)
    const link = String((await get(app, '/api/print-queue?limit=1')).headers.link)
    const cursor = /cursor=([^>&]+)/.exec(link)?.[1]
    for (const query of [
      '?limit=1001',
      '?status=printing',
      '?unresolved_since=today',
      '?cursor=abc',
      `?status=failed&cursor=${cursor}`,
    ])
      expect((await get(app, `/api/print-queue${query}`)).statusCode).toBe(422)
  })

  it('GET /api/print-queue returns 401 without a token', async () => {
    expect((await (await buildTestApp()).http.inject('/api/print-queue')).statusCode).toBe(401)
  })
})

describe('changes of print jobs', () => {
  it('a print job adds its good pieces to stock exactly once, even if it is completed several times', async () => {
    const app = await buildTestApp()
    const itemId = await anItem(app, { quantity: 2 })
    const id = await aPrintJob(app, { itemId, quantity: 6 })
    await advance(app, id, { to: 'in_progress', agent: 'bench-1' })
    const completions = Array.from({ length: 8 }, () => advance(app, id, { to: 'completed', rejected: 1 }))
    await Promise.all(completions)
    const item = (await get(app, `/api/inventory/${itemId}`)).json<InventoryItem>()
    expect(item.quantity).toBe(7)
    const [movement] = (await get(app, `/api/inventory/${itemId}/movements`)).json<StockMovement[]>()
    expect(movement).toMatchObject({ kind: 'produce', delta: 5, document: { kind: 'print_job', id } })
    expect((await queue(app, '?status=completed'))[0]).toMatchObject({
      good_quantity: 5,
      rejected_quantity: 1,
      progress: 1,
    })
    const steps = await app.database.sql<{ to_status: string }[]>`
      select to_status from job_transitions where print_job_id = ${id} order by id`
    expect(steps.map((step) => step.to_status)).toEqual(['pending', 'in_progress', 'completed'])
  })

  it('a print job changes its status only as the transition table allows', async () => {
    const app = await buildTestApp()
    const steps = {
      pending: { to: 'pending' },
      in_progress: { to: 'in_progress' },
      on_hold: { to: 'on_hold' },
      completed: { to: 'completed' },
      failed: { to: 'failed', reason: 'layer shift' },
      cancelled: { to: 'cancelled' },
    } as const
    const wayTo = {
      pending: [],
      in_progress: ['in_progress'],
      on_hold: ['on_hold'],
      completed: ['completed'],
      failed: ['in_progress', 'failed'],
      cancelled: ['cancelled'],
    } as const
    for (const from of PRINT_JOB_STATUSES)
      for (const to of PRINT_JOB_STATUSES) {
        const id = await aPrintJob(app)
        for (const status of wayTo[from]) await advance(app, id, steps[status])
        const isAllowed =
          PRINT_JOB_TRANSITIONS[from].includes(to) || (from === 'completed' && to === 'completed')
        const refusal = await refusalOf(advance(app, id, steps[to]))
        expect([from, to, refusal]).toEqual([from, to, isAllowed ? null : 'PRINT_JOB_STATE'])
      }
  })

  it('print jobs with invalid values or unknown references are refused', async () => {
    const app = await buildTestApp()
    const nobody = crypto.randomUUID()
    const itemId = await anItem(app)
    for (const [job, code] of [
      [{ quantity: 0 }, 'PRINT_JOB_INVALID'],
      [{ quantity: 1.5 }, 'PRINT_JOB_INVALID'],
      [{ priority: 0 }, 'PRINT_JOB_INVALID'],
      [{ priority: 100 }, 'PRINT_JOB_INVALID'],
      [{ estimatedGrams: -1 }, 'PRINT_JOB_INVALID'],
      [{ itemId: nobody }, 'ITEM_NOT_FOUND'],
      [{ stlFileId: nobody, itemId: null }, 'MODEL_NOT_FOUND'],
      [{ spoolId: nobody }, 'SPOOL_NOT_FOUND'],
      [{ orderId: nobody }, 'ORDER_NOT_FOUND'],
    ] as const)
      expect([job, await refusalOf(aPrintJob(app, { itemId, ...job }))]).toEqual([job, code])
    const id = await aPrintJob(app, { itemId, quantity: 2 })
    expect(await refusalOf(advance(app, id, { to: 'completed', rejected: 3 }))).toBe('PRINT_JOB_INVALID')
    expect(await refusalOf(advance(app, nobody, { to: 'completed' }))).toBe('PRINT_JOB_NOT_FOUND')
  })
})
