import type { AgentJob } from '@pegasus/contracts/print-queue/agents'
import { expect, it } from 'vitest'
import { buildTestApp } from '../../../../test/support/build-test-app.ts'
import { anAgent, claim } from '../../../../test/support/print-agents.ts'
import { aPrintJob, aPrinter } from '../../../../test/support/stock-factories.ts'
import { SYSTEM_ACTOR } from '../../../platform/actor.ts'
import { toAppError } from '../../../platform/errors/to-app-error.ts'
import { startPlate } from '../index.ts'

const ROUNDS = Number(process.env['PEGASUS_ROUNDS'] ?? '1000')

it(`exactly one of two agents and the planner gets a job that all three take at once, in ${ROUNDS} rounds`, async () => {
  const app = await buildTestApp({ variables: { API_KEY_REQUESTS_PER_MINUTE: '100000' } })
  const replica = await app.replica()
  const { sql } = app.database
  const { key } = await anAgent(app)
  const printerId = await aPrinter(app, 'Ada')
  /**
   * Starts a plate of a waiting job, as the server does for a network printer. Returns null if another caller has
   * already taken the job.
   */
  const plan = async (jobId: string): Promise<string | null> => {
    const by = { actor: SYSTEM_ACTOR, now: app.clock.now() }
    try {
      await replica.database.transaction((tx) => startPlate(tx, { jobId, printerId, state: 'sending' }, by))
      return jobId
    } catch (error) {
      expect(toAppError(error).code).toBe('PRINT_JOB_STATE')
      return null
    }
  }
  const agent = async (server: typeof app, name: string): Promise<string | null> => {
    const answer = await claim(server, key, name)
    expect([200, 204]).toContain(answer.statusCode)
    return answer.statusCode === 200 ? answer.json<AgentJob>().id : null
  }
  const won = { first: 0, second: 0, planner: 0 }
  for (let round = 0; round < ROUNDS; round += 1) {
    const jobId = await aPrintJob(app)
    // A different caller is first in each round.
    const asking = [() => agent(app, 'first'), () => agent(replica, 'second'), () => plan(jobId)]
    const results = new Map<number, string | null>()
    await Promise.all(
      asking.map(async (_, index) => {
        const who = (index + round) % asking.length
        results.set(who, await asking[who]!())
      }),
    )
    const winners = [...results].filter(([, id]) => id !== null)
    expect(winners.map(([, id]) => id)).toEqual([jobId])
    const plates = await sql`select from job_plates where print_job_id = ${jobId}`
    expect(plates).toHaveLength(1)
    won[(['first', 'second', 'planner'] as const)[winners[0]![0]]!] += 1
    await sql`delete from leases`
    await sql`update job_plates set state = 'cancelled', finished_at = now() where print_job_id = ${jobId}`
    await sql`update print_jobs set status = 'cancelled', finished_at = now() where id = ${jobId}`
    await sql`update printers set state = 'available'`
  }
  console.info('one job for two agents and the planner:', won)
  expect(Math.min(...Object.values(won))).toBeGreaterThan(0)
})
