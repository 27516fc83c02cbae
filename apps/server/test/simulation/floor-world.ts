import type { AgentJob } from '@pegasus/contracts/print-queue/agents'
import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import type { SimulatedFloor } from './simulated-floor.ts'

/** The state of the simulation that its steps share. */
export interface World {
  floor: SimulatedFloor
  random: () => number
  /** Returns a whole number from 0 up to, but not including, the limit. */
  below(limit: number): number
  /** The job that the agent prints. */
  agentJob: AgentJob | null
  /** Whether a finished print is on the bed of the agent's printer. */
  isAgentBedFull: boolean
  /** Number of plates that the agent can have completed. */
  agentCompletions: number
  orders: number
  /** The last accepted report of each printer that its bed was cleared, by the printer's id. It can be sent again. */
  clears: Map<string, ClearReport>
}

/** A report that a bed was cleared: the request, with its `Idempotency-Key`. */
export interface ClearReport {
  path: string
  body: object
  key: { 'idempotency-key': string }
}

/** Returns a random entry of a list; undefined if the list is empty. */
export const pick = <T>({ below }: World, list: readonly T[]): T | undefined => list[below(list.length)]

/** Returns at most 50 jobs with this status, or an empty list if the server does not respond. */
export async function listJobs({ floor }: World, status: string): Promise<PrintJob[]> {
  const answer = await floor.send('GET', `/api/print-queue?limit=50&status=${status}`)
  return (answer?.status === 200 ? answer.body : []) as PrintJob[]
}

/** Sends a report that a bed was cleared, and stores it if the server has accepted it. */
export async function reportCleared(world: World, printerId: string, body: object): Promise<void> {
  const path = `/api/printers/${printerId}/clear`
  const key = { 'idempotency-key': `clear ${world.clears.size} ${world.random()}` }
  const answer = await world.floor.send('POST', path, body, key)
  if (answer?.status === 200) world.clears.set(printerId, { path, body, key })
}
