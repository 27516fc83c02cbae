import type { AgentJob } from '@pegasus/contracts/print-queue/agents'
import type { Printer } from '@pegasus/contracts/print-queue/printers'
import { type World, reportCleared } from './floor-world.ts'

/** A person clears the agent's printer, if the printer waits for that. */
export async function clearAgentBed(world: World): Promise<void> {
  const { floor } = world
  const answer = await floor.send('GET', '/api/printers')
  const printers = (answer?.status === 200 ? answer.body : []) as Printer[]
  const full = printers.find(({ kind, state }) => kind === 'agent' && state === 'needs_clearing')
  if (!full) return
  world.isAgentBedFull = false
  await reportCleared(world, full.id, { plate_id: full.current_job?.plate_id ?? null })
}

/** Simulates the agent, which claims a job or reports about its job. */
export async function actAsAgent(world: World): Promise<void> {
  const { floor, below, agentJob } = world
  if (!agentJob) {
    const body = { agent: 'simulated', printer: 'Agent', materials: ['PLA'], file_types: ['gcode'] }
    const claimed = await floor.sendAgent('/api/print-jobs/claim', body)
    world.agentJob = claimed?.status === 200 ? (claimed.body as AgentJob) : null
    if (world.agentJob && world.isAgentBedFull) floor.violations.push('the agent prints onto a full bed')
    if (claimed?.status === 204 && below(3) === 0) await clearAgentBed(world)
    return
  }
  const path = `/api/print-jobs/${agentJob.id}`
  const lease = { lease_id: agentJob.lease_id }
  const step = below(3)
  if (step === 0) {
    const response = await floor.sendAgent(`${path}/heartbeat`, { ...lease, progress: 0.5 })
    if (response && response.status !== 200) world.agentJob = null
    return
  }
  const result = step === 1 ? { reason: 'Warped', used_mm: 1000 } : { used_grams: 12, print_minutes: 90 }
  const end = { ...result, cleared: below(2) === 0 }
  // The agent repeats a report until it gets a response.
  const response = await floor.sendAgent(`${path}/${step === 1 ? 'fail' : 'complete'}`, { ...lease, ...end })
  if (response === null || response.status === 200) {
    world.isAgentBedFull = !end.cleared
    if (step === 2) world.agentCompletions += 1
  }
  if (response) world.agentJob = null
}

/** Records a violation if more plates of the agent's printer count as printed than the agent can have completed. */
export async function findPhantoms({ floor, agentCompletions }: World): Promise<void> {
  const [row] = await floor.database().sql<[{ done: number }]>`
    select count(*)::int as done from job_plates where printer_id = ${floor.agentId} and state = 'done'`
  if (row.done > agentCompletions)
    floor.violations.push(
      `${row.done} plates of the agent are done, but it has completed ${agentCompletions}`,
    )
}
