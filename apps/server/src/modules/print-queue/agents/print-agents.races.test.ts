import type { AgentJob } from '@pegasus/contracts/print-queue/agents'
import type { Model } from '@pegasus/contracts/stl-library/models'
import { createCube } from '@pegasus/mesh/samples/shapes'
import { writeBinaryStl } from '@pegasus/mesh/stl/write-stl'
import { describe, expect, it } from 'vitest'
import { buildTestApp } from '../../../../test/support/build-test-app.ts'
import { untilWaiting } from '../../../../test/support/database/lock-waits.ts'
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
} from '../../../../test/support/print-agents.ts'
import { aPrinter, aPrintJob, advance } from '../../../../test/support/stock-factories.ts'
import { SYSTEM_ACTOR } from '../../../platform/actor.ts'
import { toAppError } from '../../../platform/errors/to-app-error.ts'
import { startPlate } from '../index.ts'

const NOBODY = '01890000-0000-7000-8000-000000000000'

describe('concurrent printer agents', () => {
  it('50 printer agents on two processes claim each of 20 jobs once', async () => {
    const app = await buildTestApp()
    const replica = await app.replica()
    const { key } = await anAgent(app)
    const ids = await Promise.all(Array.from({ length: 20 }, () => aPrintJob(app)))
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) => claim(i % 2 ? app : replica, key, `agent-${i}`)),
    )
    const won = answers
      .filter(({ statusCode }) => statusCode === 200)
      .map((answer) => answer.json<AgentJob>().id)
    const empty = answers.filter(({ statusCode }) => statusCode === 204).length
    console.info(`claims: ${won.length} of 20 jobs, ${new Set(won).size} different, ${empty} of 30 empty`)
    expect(won.toSorted()).toEqual(ids.toSorted())
    expect(empty).toBe(30)
    expect(await app.database.sql`select 1 from leases`).toHaveLength(20)
  })

  it('while a claim waits, a second claim gets the next job, and the server waits and then finds the first job taken', async () => {
    const app = await buildTestApp()
    const replica = await app.replica()
    const { key } = await anAgent(app)
    const first = await aPrintJob(app, { priority: 1 })
    const next = await aPrintJob(app, { priority: 2 })
    const printerId = await aPrinter(app, 'Ada')
    /** Starts a plate of the first job, as the server does for a network printer. */
    const start = (): Promise<string> =>
      replica.database
        .transaction((tx) =>
          startPlate(
            tx,
            { jobId: first, printerId, state: 'sending' },
            { actor: SYSTEM_ACTOR, now: app.clock.now() },
          ),
        )
        .then(
          () => 'started',
          (error: unknown) => toAppError(error).code,
        )
    const { waiting, taken, started } = await app.database.transaction(async (tx) => {
      // The claim has chosen its job, and now waits for this table lock before it saves its lease.
      await tx`lock table leases in share row exclusive mode`
      const waiting = claim(app, key, 'first')
      await untilWaiting(app, 1)
      // If the claim had not locked its job, the second claim and the server would take the same job.
      const taken = claim(replica, key, 'second')
      await untilWaiting(app, 2)
      const started = start()
      await untilWaiting(app, 3)
      return { waiting, taken, started }
    })
    expect((await waiting).json()).toMatchObject({ id: first })
    expect((await taken).json()).toMatchObject({ id: next })
    expect(await started).toBe('PRINT_JOB_STATE')
    const plates = await app.database.sql`select print_job_id from job_plates order by print_job_id`
    expect(plates.map((plate) => plate['print_job_id'])).toEqual([first, next].toSorted())
  })

  it('20 expired print jobs each return to the queue once, even if several processes and claims check them at once', async () => {
    const app = await buildTestApp()
    const replica = await app.replica()
    const { key } = await anAgent(app)
    await Promise.all(Array.from({ length: 20 }, () => aPrintJob(app)))
    await Promise.all(Array.from({ length: 20 }, () => claim(app, key)))
    await passTime(LEASE_MS, app, replica)
    const claims = Array.from({ length: 10 }, (_, i) => claim(i % 2 ? app : replica, key, 'next'))
    await Promise.all([...claims, ...[app, replica, app, replica].map((process) => process.leases.run())])
    await app.leases.run()
    const returned = await app.database.sql`
      select print_job_id from job_transitions where to_status = 'pending' and from_status = 'in_progress'`
    expect(returned).toHaveLength(20)
    expect(new Set(returned.map((row) => row['print_job_id'])).size).toBe(20)
  })

  it('a heartbeat at the moment of an expiry check keeps the print job or takes it back', async () => {
    const app = await buildTestApp()
    const { key } = await anAgent(app)
    for (let i = 0; i < 30; i += 1) {
      const id = await aPrintJob(app, { priority: 1 })
      await claimed(app, key)
      await passTime(LEASE_MS - 1, app)
      const beat = sendReport(app, key, id, 'heartbeat')
      // The check begins later in each round: before the heartbeat in the first round, and after it in the last round.
      for (let ticks = 0; ticks < i * i; ticks += 1) await new Promise(setImmediate)
      if (i === 29) await beat
      app.clock.advance(1)
      const [answer] = await Promise.all([beat, app.leases.run()])
      // The check skips locked rows, so run it again to see the final state.
      await app.leases.run()
      const status = (await shownJob(app, id))?.status
      expect([answer.statusCode, status]).toEqual([200, 'in_progress'])
      await advance(app, id, { to: 'cancelled' })
    }
    const returned = await app.database.sql`
      select 1 from job_transitions where reason = 'bench-1 stopped responding'`
    expect(returned.length).toBeGreaterThan(0)
    expect(returned.length).toBeLessThan(30)
  })

  it("T6 a printer agent cannot change another agent's job or read its data", async () => {
    const app = await buildTestApp()
    const [mine, other] = [await anAgent(app), await anAgent(app)]
    const bytes = writeBinaryStl(createCube(20))
    const model = (await upload(app, await app.as('staff'), { name: 'a.stl', bytes })).json<Model>()
    const stlFileId = model.id
    const [running, done, failed] = [
      await aPrintJob(app, { stlFileId }),
      await aPrintJob(app, { stlFileId }),
      await aPrintJob(app, { stlFileId }),
    ]
    for (let i = 0; i < 3; i += 1) await claimed(app, mine.key)
    await sendReport(app, mine.key, done, 'complete')
    await sendReport(app, mine.key, failed, 'fail', { reason: 'mine' })
    const pending = await aPrintJob(app, { stlFileId })
    await advance(app, pending, { to: 'on_hold' })
    const before = await app.database.sql`select * from print_jobs order by id`
    const leaks: string[] = []
    let tried = 0
    for (const id of [running, done, failed, pending, NOBODY]) {
      const answers = [
        await sendReport(app, other.key, id, 'heartbeat', { progress: 0.9 }),
        await sendReport(app, other.key, id, 'complete', { good_quantity: 1 }),
        await sendReport(app, other.key, id, 'fail', { reason: 'not mine' }),
        await fileOf(app, other.key, id),
      ]
      for (const answer of answers) {
        tried += 1
        const expected = id === NOBODY ? 404 : 409
        if (answer.statusCode !== expected || answer.body.includes('a.stl'))
          leaks.push(`${id}: ${answer.statusCode}`)
      }
    }
    console.info(`T6 leaks of claimed jobs ${leaks.length} of ${tried}`)
    expect(leaks).toEqual([])
    expect(await app.database.sql`select * from print_jobs order by id`).toEqual(before)
  })
})
