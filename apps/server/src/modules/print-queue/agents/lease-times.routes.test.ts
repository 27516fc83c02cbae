import { describe, expect, it } from 'vitest'
import { type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'
import {
  LEASE_MS,
  passTime,
  anAgent,
  claim,
  claimed,
  shownJob,
  sendReport,
} from '../../../../test/support/print-agents.ts'
import { keyHeader } from '../../../../test/support/accounts/api-keys.ts'
import { aPrintJob } from '../../../../test/support/stock-factories.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../platform/clock.ts'
import { renewLease } from './leases.queries.ts'

const fileStatus = async (app: TestApp, key: string, id: string) =>
  (await app.http.inject({ url: `/api/print-jobs/${id}/file`, headers: keyHeader(key) })).statusCode

describe('the end of a lease', () => {
  it('an agent may read its file, even after an outage of the database, until its plate returns to the queue', async () => {
    const app = await buildTestApp()
    const { key } = await anAgent(app)
    const id = await aPrintJob(app)
    const { lease_id: leaseId } = await claimed(app, key)
    await app.leases.run()
    app.clock.advance(LEASE_MS)
    expect(await fileStatus(app, key, id)).toBe(404)
    await passTime(LEASE_MS, app)
    await app.leases.run()
    for (const each of [app, await app.replica()]) expect(await fileStatus(each, key, id)).toBe(409)
    await sendReport(app, key, id, 'heartbeat', { lease_id: leaseId })
    expect(await fileStatus(app, key, id)).toBe(404)
  })

  it('after the server starts, no print job returns to the queue before its agent has had a whole lease', async () => {
    const app = await buildTestApp()
    const { key } = await anAgent(app)
    const id = await aPrintJob(app)
    const { lease_id: leaseId } = await claimed(app, key)
    app.clock.advance(LEASE_MS * 10)
    const restarted = await app.replica()
    await restarted.leases.run()
    expect((await claim(restarted, key)).statusCode).toBe(204)
    await passTime(LEASE_MS - 1, restarted)
    await restarted.leases.run()
    expect((await shownJob(restarted, id))?.status).toBe('in_progress')
    restarted.clock.advance(1)
    await restarted.leases.run()
    expect((await shownJob(restarted, id))?.status).toBe('pending')
    expect((await sendReport(restarted, key, id, 'complete', { lease_id: leaseId })).statusCode).toBe(200)
  })

  it.each([
    ['a day forwards', DAY_MS],
    ['ten minutes backwards', -10 * MINUTE_MS],
  ])('every printer agent keeps its whole lease when the clock jumps %s', async (_, jumpMs) => {
    const app = await buildTestApp()
    const replica = await app.replica()
    const { key } = await anAgent(app)
    const id = await aPrintJob(app)
    const { lease_id: leaseId } = await claimed(app, key)
    const processes = [app, replica] as const
    const check = async () => {
      for (const each of processes) await each.leases.run()
      for (const each of processes) expect((await claim(each, key)).statusCode).toBe(204)
      return (await shownJob(app, id))?.status
    }
    expect(await check()).toBe('in_progress')
    await passTime(LEASE_MS / 2, ...processes)
    app.clock.jump(jumpMs)
    expect(await check()).toBe('in_progress')
    await passTime(LEASE_MS / 2 - 1, ...processes)
    expect(await check()).toBe('in_progress')
    // The clock has jumped. The next heartbeat renews the lease by the new time, on both server processes.
    expect((await sendReport(replica, key, id, 'heartbeat', { lease_id: leaseId })).statusCode).toBe(200)
    expect(await check()).toBe('in_progress')
    await passTime(LEASE_MS - 1, ...processes)
    expect(await check()).toBe('in_progress')
    app.clock.advance(1)
    for (const each of processes) await each.leases.run()
    expect((await shownJob(app, id))?.status).toBe('pending')
  })

  it('the job of a silent agent returns to the queue after its lease when the clock jumps an hour backwards', async () => {
    const app = await buildTestApp()
    const { key } = await anAgent(app)
    const id = await aPrintJob(app)
    await claimed(app, key)
    app.clock.jump(-HOUR_MS)
    await passTime(LEASE_MS - 1, app)
    await app.leases.run()
    expect((await shownJob(app, id))?.status).toBe('in_progress')
    app.clock.advance(1)
    await app.leases.run()
    expect((await shownJob(app, id))?.status).toBe('pending')
  })

  it.each(['an expiry check', 'a claim'])(
    'time in which a process could not check the leases does not count as silence, even if %s comes first',
    async (first) => {
      const app = await buildTestApp()
      const { key } = await anAgent(app)
      const id = await aPrintJob(app)
      const { lease_id: leaseId } = await claimed(app, key)
      await app.leases.run()
      await app.database.sql`alter table leases rename to leases_away`
      for (let passed = 0; passed < LEASE_MS; passed += LEASE_MS / 12) {
        app.clock.advance(LEASE_MS / 12)
        await expect(app.leases.run()).rejects.toThrow('leases')
      }
      await app.database.sql`alter table leases_away rename to leases`
      if (first === 'a claim') expect((await claim(app, key)).statusCode).toBe(204)
      await app.leases.run()
      expect((await shownJob(app, id))?.status).toBe('in_progress')
      await passTime(LEASE_MS - 1, app)
      await app.leases.run()
      expect((await shownJob(app, id))?.status).toBe('in_progress')
      app.clock.advance(1)
      await app.leases.run()
      expect((await shownJob(app, id))?.status).toBe('pending')
      expect((await sendReport(app, key, id, 'complete', { lease_id: leaseId })).statusCode).toBe(200)
    },
  )

  it('a heartbeat changes no index of the leases, because no statement searches for leases by time', async () => {
    const app = await buildTestApp()
    const { key } = await anAgent(app)
    await aPrintJob(app)
    const { lease_id: leaseId } = await claimed(app, key)
    app.clock.advance(MINUTE_MS)
    const now = app.clock.now()
    const [counts] = await app.database.transaction(async (tx) => {
      await renewLease(tx, leaseId ?? '', { now, expiresAt: new Date(now.getTime() + LEASE_MS) })
      return tx`
        select pg_stat_get_xact_tuples_updated('leases'::regclass)::int as updated,
               pg_stat_get_xact_tuples_hot_updated('leases'::regclass)::int as without_index`
    })
    expect(counts).toEqual({ updated: 1, without_index: 1 })
  })
})
