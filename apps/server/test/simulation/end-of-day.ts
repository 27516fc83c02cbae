import type { Printer } from '@pegasus/contracts/print-queue/printers'
import { until } from '../process/product-process.ts'
import { actAsAgent, clearAgentBed } from './floor-agent.ts'
import { clearBed, printByHand } from './floor-people.ts'
import { type World, listJobs } from './floor-world.ts'

type CurrentJob = NonNullable<Printer['current_job']>

const MOST_ROUNDS = 60
/**
 * Time limit for the end of a lease. The server takes the plate from a silent agent at its next check after a minute.
 */
const LEASE_PATIENCE_MS = 120_000

/**
 * Waits until a plate has returned to the queue. The agent does not know the plate, because it never got the response
 * to its claim. The server itself measures how long a lease lasts, so this takes real time.
 */
async function waitForLease({ floor }: World, { plate_id: plateId }: CurrentJob): Promise<void> {
  const isOver = async () => {
    const leased = await floor.database().sql`
      select from leases l join job_plates p on p.id = l.plate_id where p.id = ${plateId} and p.state = 'printing'`
    return leased.length === 0
  }
  await until(isOver, LEASE_PATIENCE_MS, 1000)
}

/** Ends all prints and jobs, as people do at the end of a day. Returns whether the floor is empty. */
export async function endTheDay(world: World): Promise<boolean> {
  const { floor } = world
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    for (const status of ['pending', 'on_hold'])
      for (const job of await listJobs(world, status))
        await floor.send('POST', `/api/print-queue/${job.id}/cancel`, {})
    if (world.agentJob) await actAsAgent(world)
    for (const { printer } of floor.machines) {
      printer.faults.length = 0
      if (printer.machine.running?.state === 'paused') printer.machine.resume()
      if (printer.machine.running) printer.machine.advance(1000)
    }
    await floor.passTime()
    await floor.passUploadPause()
    await floor.round()
    const printers = ((await floor.send('GET', '/api/printers'))?.body ?? []) as Printer[]
    const manual = printers.find(({ id }) => id === floor.manualId)
    if (manual?.current_job) await printByHand(world)
    await clearAgentBed(world)
    const agent = printers.find(({ id }) => id === floor.agentId)
    if (agent?.current_job && !world.agentJob) await waitForLease(world, agent.current_job)
    for (const { id, state } of printers) {
      const machine = floor.machines.find((each) => each.id === id)
      const isOut = state === 'error' || state === 'offline'
      if (machine && isOut) machine.printer.machine.acknowledge()
      // A printer that refused a plate, or whose print failed, stays in error until a person presses Resume.
      if (isOut || state === 'maintenance') await floor.send('POST', `/api/printers/${id}/resume`)
      if (machine && state === 'needs_clearing') await clearBed(world, machine)
    }
    const jobs = await listJobs(world, 'in_progress')
    const isIdle = printers.every(({ state, current_job: job }) => state === 'available' && job === null)
    if (isIdle && jobs.length === 0) return true
  }
  return false
}
