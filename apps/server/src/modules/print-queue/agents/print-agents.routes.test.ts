import { createHash } from 'node:crypto'
import type { InventoryItem } from '@pegasus/contracts/inventory/items'
import type { AgentJob } from '@pegasus/contracts/print-queue/agents'
import type { Model } from '@pegasus/contracts/stl-library/models'
import { createCube } from '@pegasus/mesh/samples/shapes'
import { writeBinaryStl } from '@pegasus/mesh/stl/write-stl'
import { describe, expect, it } from 'vitest'
import { auditOf, keyHeader } from '../../../../test/support/accounts/api-keys.ts'
import { buildTestApp } from '../../../../test/support/build-test-app.ts'
import { upload } from '../../../../test/support/library/model-upload.ts'
import {
  LEASE_MS,
  passTime,
  anAgent,
  claim,
  claimed,
  fileOf,
  shownJob,
  sendReport,
  transitionsOf,
} from '../../../../test/support/print-agents.ts'
import { aPrintJob, advance, anItem, anOrder } from '../../../../test/support/stock-factories.ts'

const NOBODY = '01890000-0000-7000-8000-000000000000'

const lateBody = (what: 'heartbeat' | 'complete' | 'fail') =>
  what === 'heartbeat' ? { progress: 0.9 } : { reason: 'late' }

describe('calls of a printer agent', () => {
  describe('valid calls of a printer agent', () => {
    it('a printer agent claims the next job by priority, position and age, and gets 204 if there is none', async () => {
      const app = await buildTestApp()
      const { key } = await anAgent(app)
      expect([(await claim(app, key)).statusCode, (await claim(app, key)).body]).toEqual([204, ''])
      const ids: Record<string, string> = {}
      for (const [name, priority] of [
        ['late', 5],
        ['first', 1],
        ['second', 3],
        ['third', 3],
      ] as const)
        ids[name] = await aPrintJob(app, { itemId: await anItem(app, { name }), priority })
      await advance(app, ids['third'] ?? '', { to: 'on_hold' })
      const names: string[] = []
      for (let i = 0; i < 3; i += 1) names.push((await claimed(app, key)).inventory_item_name)
      expect(names).toEqual(['first', 'second', 'late'])
      expect((await claim(app, key)).statusCode).toBe(204)
    })

    it('a printer agent receives the data needed for printing, and nothing about the customer', async () => {
      const app = await buildTestApp()
      const { key, label } = await anAgent(app)
      const bytes = writeBinaryStl(createCube(20))
      const model = (
        await upload(app, await app.as('staff'), { name: 'wähl mich.stl', bytes }, { title: 'Cube' })
      ).json<Model>()
      const orderId = await anOrder(app, { orderNumber: 'PO-7', customerName: 'Keisuke' })
      const id = await aPrintJob(app, { stlFileId: model.id, quantity: 4, orderId, notes: 'brim' })
      const answer = await claim(app, key)
      const agentJob = answer.json<AgentJob>()
      expect(agentJob).toMatchObject({
        id,
        status: 'in_progress',
        quantity: 4,
        agent: 'bench-1',
        notes: 'brim',
        stl_file_title: 'Cube',
        started_at: app.clock.now().toISOString(),
        lease_expires_at: new Date(app.clock.now().getTime() + LEASE_MS).toISOString(),
        file: {
          path: `/api/print-jobs/${id}/file`,
          file_name: 'wähl mich.stl',
          file_size: bytes.byteLength,
          sha256: createHash('sha256').update(bytes).digest('hex'),
          plate: null,
          pieces: 4,
          tools: [],
        },
      })
      for (const secret of ['PO-7', 'Keisuke', 'order_id', 'thumbnail', 'sig='])
        expect(answer.body).not.toContain(secret)

      const download = await fileOf(app, key, id)
      expect(download.rawPayload.equals(bytes)).toBe(true)
      expect(download.headers).toMatchObject({
        'content-type': 'model/stl',
        'content-disposition': expect.stringMatching(
          /^attachment; filename="w_hl mich\.stl"; filename\*=UTF-8''w%C3/,
        ),
        'x-content-type-options': 'nosniff',
      })
      expect(await transitionsOf(app, id)).toMatchObject([
        { to_status: 'pending' },
        { to_status: 'in_progress', actor_kind: 'api_key', actor_name: label },
      ])
    })

    it('a printer agent gets the model version that was queued, even if the model has been deleted since', async () => {
      const app = await buildTestApp()
      const { key } = await anAgent(app)
      const bytes = writeBinaryStl(createCube(20))
      const model = (await upload(app, await app.as('staff'), { name: 'a.stl', bytes })).json<Model>()
      const id = await aPrintJob(app, { stlFileId: model.id })
      await claimed(app, key)
      await app.database.sql`update stl_files set deleted_at = now() where id = ${model.id}`
      expect((await fileOf(app, key, id)).rawPayload.equals(bytes)).toBe(true)
    })

    it('a printer agent keeps its job as long as it sends heartbeats, and reports its progress', async () => {
      const app = await buildTestApp()
      const { key } = await anAgent(app)
      const id = await aPrintJob(app)
      const { lease_id: leaseId } = await claimed(app, key)
      const revision = async () => {
        const [row] = await app.database.sql`select revision from print_jobs where id = ${id}`
        return row?.['revision'] as number
      }
      const before = await revision()
      for (const progress of [0.1, 0.25, 0.25, undefined, 1]) {
        await passTime(LEASE_MS - 1, app)
        await app.leases.run()
        const body = progress === undefined ? undefined : { progress, lease_id: leaseId }
        const beat = await sendReport(app, key, id, 'heartbeat', body)
        expect(beat.statusCode).toBe(200)
        expect(beat.json<AgentJob>()).toMatchObject({
          progress: progress ?? 0.25,
          lease_expires_at: new Date(app.clock.now().getTime() + LEASE_MS).toISOString(),
        })
      }
      expect(await revision()).toBe(before)
      expect((await shownJob(app, id))?.progress).toBe(1)
    })

    it('completing a job without a request body counts all pieces as good, and adds them to stock only once', async () => {
      const app = await buildTestApp()
      const { key } = await anAgent(app)
      const itemId = await anItem(app, { quantity: 2 })
      const id = await aPrintJob(app, { itemId, quantity: 6 })
      await claimed(app, key)
      const answers = await Promise.all([1, 2, 3].map(() => sendReport(app, key, id, 'complete')))
      await passTime(LEASE_MS, app)
      answers.push(await sendReport(app, key, id, 'complete', { good_quantity: 1 }))
      for (const answer of answers)
        expect([answer.statusCode, answer.json<AgentJob>()]).toEqual([
          200,
          expect.objectContaining({
            status: 'completed',
            good_quantity: 6,
            rejected_quantity: 0,
            lease_id: null,
          }),
        ])
      const item = (
        await app.http.inject({ url: `/api/inventory/${itemId}`, headers: await app.as('viewer') })
      ).json<InventoryItem>()
      expect(item.quantity).toBe(8)
      expect((await transitionsOf(app, id)).map(({ to_status: to }) => to)).toEqual([
        'pending',
        'in_progress',
        'completed',
      ])
    })

    it('a printer agent can complete a job with counts, and report a failed job with a reason', async () => {
      const app = await buildTestApp()
      const { key } = await anAgent(app)
      const [first, second] = [await aPrintJob(app, { quantity: 6 }), await aPrintJob(app, { quantity: 6 })]
      await claimed(app, key)
      await claimed(app, key)
      expect((await sendReport(app, key, first, 'complete', { rejected_quantity: 2 })).json()).toMatchObject({
        good_quantity: 4,
        rejected_quantity: 2,
      })
      for (let i = 0; i < 2; i += 1)
        expect(
          (await sendReport(app, key, second, 'fail', { reason: ' layer shift ' })).json(),
        ).toMatchObject({
          status: 'failed',
          failure_reason: 'layer shift',
        })
      const entries = await auditOf(app, 'print_job')
      expect(entries.map(({ action }) => action)).toEqual([
        'print_job.claimed',
        'print_job.claimed',
        'print_job.completed',
        'print_job.failed',
      ])
    })

    it('a print job returns to the queue for the next agent if its own agent sends no heartbeats', async () => {
      const app = await buildTestApp()
      const [silent, next] = [await anAgent(app), await anAgent(app)]
      const id = await aPrintJob(app)
      await claimed(app, silent.key, 'bench-1')
      await passTime(LEASE_MS - 1, app)
      await app.leases.run()
      expect((await shownJob(app, id))?.status).toBe('in_progress')
      app.clock.advance(1)
      await app.leases.run()
      expect(await shownJob(app, id)).toMatchObject({
        status: 'pending',
        agent: null,
        progress: 0,
        started_at: null,
      })
      expect((await transitionsOf(app, id)).at(-1)).toEqual({
        to_status: 'pending',
        reason: 'bench-1 stopped responding',
        actor_kind: 'system',
        actor_name: 'Pegasus Ops',
      })
      const late = ['heartbeat', 'complete', 'fail'] as const
      expect((await fileOf(app, silent.key, id)).statusCode).toBe(409)
      await claimed(app, next.key, 'bench-2')
      for (const what of late)
        expect((await sendReport(app, silent.key, id, what, lateBody(what))).statusCode).toBe(409)
      expect(await shownJob(app, id)).toMatchObject({ status: 'in_progress', agent: 'bench-2' })
    })

    it('a printer agent that was silent cannot complete its job after somebody has changed the item of the job', async () => {
      const app = await buildTestApp()
      const { key } = await anAgent(app)
      const [dragon, vase] = [await anItem(app, { quantity: 0 }), await anItem(app, { quantity: 0 })]
      const id = await aPrintJob(app, { itemId: dragon })
      await claimed(app, key)
      await passTime(LEASE_MS, app)
      await app.leases.run()
      const headers = { ...(await app.as('staff')), 'if-match': '*' }
      const payload = { inventory_item_id: vase }
      const edit = { method: 'PUT', url: `/api/print-queue/${id}`, headers, payload } as const
      expect((await app.http.inject(edit)).statusCode).toBe(200)
      expect((await sendReport(app, key, id, 'complete')).statusCode).toBe(409)
      const counted = await app.database.sql`select quantity from stock_items`
      expect(counted).toEqual([{ quantity: 0 }, { quantity: 0 }])
    })

    it.each(['heartbeat', 'complete', 'fail'] as const)(
      'a printer agent that was silent takes its job back with its next %s if nobody has claimed the plate',
      async (what) => {
        const app = await buildTestApp()
        const { key } = await anAgent(app)
        const itemId = await anItem(app, { quantity: 0 })
        const id = await aPrintJob(app, { itemId, quantity: 3 })
        const { lease_id: leaseId } = await claimed(app, key)
        await passTime(LEASE_MS * 90, app)
        await app.leases.run()
        await app.leases.run()
        expect((await shownJob(app, id))?.status).toBe('pending')
        const answer = await sendReport(app, key, id, what, { ...lateBody(what), lease_id: leaseId })
        const status = { heartbeat: 'in_progress', complete: 'completed', fail: 'failed' }[what]
        expect([answer.statusCode, answer.json<AgentJob>()]).toMatchObject([200, { status }])
        expect((await transitionsOf(app, id)).map(({ to_status: to }) => to)).toEqual([
          'pending',
          'in_progress',
          'pending',
          'in_progress',
          ...(what === 'heartbeat' ? [] : [status]),
        ])
        expect((await claim(app, key)).statusCode).toBe(204)
        if (what === 'heartbeat')
          expect((await sendReport(app, key, id, 'complete', { lease_id: leaseId })).json()).toMatchObject({
            status: 'completed',
            good_quantity: 3,
          })
        expect(await app.database.sql`select 1 from leases`).toHaveLength(0)
        const counted = await app.database.sql`select quantity from stock_items where id = ${itemId}`
        expect(counted).toEqual([{ quantity: what === 'fail' ? 0 : 3 }])
      },
    )

    it('a printer agent takes over an expired job even before the expiry check has run', async () => {
      const app = await buildTestApp()
      const { key } = await anAgent(app)
      const id = await aPrintJob(app)
      const first = await claimed(app, key, 'bench-1')
      await passTime(LEASE_MS, app)
      const second = await claimed(app, key, 'bench-2')
      expect([second.id, second.agent]).toEqual([id, 'bench-2'])
      expect(second.lease_id).not.toBe(first.lease_id)
      // Both agents use the same key, so the lease id distinguishes them.
      expect((await sendReport(app, key, id, 'heartbeat', { lease_id: first.lease_id })).statusCode).toBe(409)
      expect((await sendReport(app, key, id, 'complete', { lease_id: first.lease_id })).statusCode).toBe(409)
      expect((await sendReport(app, key, id, 'heartbeat', { lease_id: second.lease_id })).statusCode).toBe(
        200,
      )
      expect((await transitionsOf(app, id)).map(({ to_status: to }) => to)).toEqual([
        'pending',
        'in_progress',
        'pending',
        'in_progress',
      ])
    })

    it('a printer agent loses its job if a person holds, cancels, requeues or completes that job', async () => {
      const app = await buildTestApp()
      const { key } = await anAgent(app)
      for (const to of ['on_hold', 'cancelled', 'pending', 'completed'] as const) {
        const id = await aPrintJob(app, { priority: 1 })
        await claimed(app, key)
        await advance(app, id, { to })
        expect([to, (await sendReport(app, key, id, 'heartbeat')).statusCode]).toEqual([to, 409])
        // If a person has completed the job, the agent may still report completion. All other reports are
        // refused.
        const completing = await sendReport(app, key, id, 'complete')
        expect([to, completing.statusCode]).toEqual([to, to === 'completed' ? 200 : 409])
        expect([to, (await sendReport(app, key, id, 'fail', { reason: 'late' })).statusCode]).toEqual([
          to,
          409,
        ])
        if (to === 'pending') await advance(app, id, { to: 'cancelled' })
      }
      expect(await app.database.sql`select 1 from leases`).toHaveLength(0)
    })
  })

  it('printer agent calls refuse bad input with 422 and unknown jobs with 404, and change nothing', async () => {
    const app = await buildTestApp()
    const { key } = await anAgent(app)
    for (const payload of [
      {},
      { agent: '' },
      { agent: ' ' },
      { agent: 7 },
      { agent: 'x'.repeat(101) },
      { agent: 'a\0' },
      [],
    ]) {
      const url = '/api/print-jobs/claim'
      const answer = await app.http.inject({ method: 'POST', url, headers: keyHeader(key), payload })
      expect([payload, answer.statusCode]).toEqual([payload, 422])
    }
    const bare = await app.http.inject({
      method: 'POST',
      url: '/api/print-jobs/claim',
      headers: keyHeader(key),
    })
    expect(bare.statusCode).toBe(422)
    const id = await aPrintJob(app, { quantity: 2 })
    await claimed(app, key)
    for (const [what, payload] of [
      ['heartbeat', { progress: -0.1 }],
      ['heartbeat', { progress: 1.1 }],
      ['heartbeat', { progress: '0.5' }],
      ['heartbeat', { progress: null }],
      ['heartbeat', { lease_id: 'mine' }],
      ['heartbeat', { progres: 0.5 }],
      ['heartbeat', { progress: 0.5, used_grams: 3 }],
      ['heartbeat', []],
      ['complete', { good_quantity: -1 }],
      ['complete', { good_quantity: 0.5 }],
      ['complete', { good_quantity: 1_000_001 }],
      ['complete', { rejected_quantity: 3 }],
      ['complete', { good_quantity: '2' }],
      ['fail', {}],
      ['fail', { reason: '' }],
      ['fail', { reason: 'x'.repeat(501) }],
      ['fail', { reason: 'a\u0000b' }],
      ['fail', { reason: 'a', rejected_quantity: -1 }],
    ] as const)
      expect([what, payload, (await sendReport(app, key, id, what, payload)).statusCode]).toEqual([
        what,
        payload,
        422,
      ])
    expect((await sendReport(app, key, id, 'fail')).statusCode).toBe(422)
    for (const unknown of [NOBODY, 'abc'])
      expect((await sendReport(app, key, unknown, 'heartbeat')).statusCode).toBe(404)
    expect((await fileOf(app, key, id)).json()).toEqual({ detail: 'This print job has no file.' })
    expect(await shownJob(app, id)).toMatchObject({ status: 'in_progress', progress: 0, good_quantity: 0 })
    expect((await sendReport(app, key, id, 'complete')).statusCode).toBe(200)
  })
})
