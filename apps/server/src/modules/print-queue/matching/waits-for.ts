import type { JobWait, MatchReason, WaitCode } from '@pegasus/contracts/print-queue/job-waits'
import type { Queryable } from '../../../platform/database/database.ts'
import { filamentAfterRunning } from './filament/filament-after-running.ts'
import { knownReasons, matchPrinter } from './match-printer.ts'
import { actionOf } from './wait-action.ts'
import {
  type Candidate,
  type JobRequirements,
  type UnloadedSpool,
  readCandidates,
  readUnloadedSpools,
  readRequirements,
} from './requirements.queries.ts'

/**
 * How hard it is to remove each reason. From low to high: it ends by itself, it needs a step at the machine, it needs
 * another file, or it cannot be removed.
 */
const DISTANCE: Readonly<Record<WaitCode, number>> = {
  busy: 1,
  previous_job: 1,
  needs_clearing: 2,
  grams_short: 4,
  color: 5,
  material: 6,
  offline: 8,
  maintenance: 10,
  no_slice: 16,
  nozzle: 32,
  bed_too_small: 64,
  no_printer: 128,
  on_hold: 128,
}

/** Returns the sum of the distances of all reasons. It is 0 for a printer that can start. */
export const distanceOf = (reasons: readonly MatchReason[]): number =>
  reasons.reduce((sum, { code }) => sum + DISTANCE[code], 0)

const NO_PRINTER: JobWait = {
  code: 'no_printer',
  message: 'There is no printer yet.',
  action: actionOf('add_printer', 'Add a printer'),
}

/**
 * Returns the reasons why a job does not start. If a printer is assigned, they are those of that printer, otherwise
 * those of the printer that is closest to starting.
 */
export function waitsOf(
  needs: JobRequirements,
  candidates: readonly Candidate[],
  unloaded: readonly UnloadedSpool[],
): JobWait[] {
  if (needs.status === 'on_hold')
    return [
      {
        code: 'on_hold',
        message: needs.hold_reason ? `On hold: ${needs.hold_reason}` : 'On hold.',
        action: actionOf('requeue', 'Requeue'),
      },
    ]
  if (needs.status !== 'pending') return []
  const own = candidates.filter(({ id }) => id === needs.assigned_printer_id)
  const offered = own.length > 0 ? own : candidates
  let closest: { printer: Candidate; reasons: MatchReason[]; distance: number } | null = null
  let busy = 0
  for (const printer of offered) {
    // More reasons can only increase the distance. If these alone reach the smallest distance so far, skip the printer.
    // A distance of 2 or more also means that it is not merely busy.
    if (closest && distanceOf(knownReasons(needs, printer)) >= Math.max(closest.distance, 2)) continue
    const reasons = matchPrinter(needs, printer, unloaded)
    if (reasons.length === 0) return []
    const distance = distanceOf(reasons)
    if (distance === 1) busy += 1
    if (!closest || distance < closest.distance) closest = { printer, reasons, distance }
  }
  if (!closest) return [NO_PRINTER]
  const { printer, reasons } = closest
  if (busy > 1)
    return [{ code: 'busy', message: `All ${busy} printers that fit are busy.`, printer_id: printer.id }]
  return reasons.map((reason) => ({
    ...reason,
    message: `${printer.name}: ${reason.message}`,
    printer_id: printer.id,
  }))
}

/**
 * The data to match jobs with printers: the requirements of the jobs, all printers, and the spools that the jobs could
 * use and that are in no printer.
 */
export interface MatchData {
  requirements: JobRequirements[]
  candidates: Candidate[]
  unloaded: UnloadedSpool[]
}

/**
 * Returns the materials of jobs and of their sliced files, in lower case. A list of files that several jobs share is
 * read once.
 */
function materialsOf(requirements: readonly JobRequirements[]): string[] {
  const materials = new Set<string>()
  const add = (material: string | null) => material !== null && materials.add(material.toLowerCase())
  for (const { material } of requirements) add(material)
  for (const slices of new Set(requirements.map((needs) => needs.slices)))
    for (const { tools } of slices) for (const { material } of tools) add(material)
  return [...materials]
}

/**
 * Reads the data to match these jobs with printers. Makes at most four round trips to the database, however many jobs
 * there are. Each loaded spool has the weight that it is expected to have after the running plates.
 *
 * A printer can use at most as many spools of a filament as it has slots. So only that many unloaded spools of each
 * filament are read, the fullest first. If any spools can feed the tools of a job, the fullest ones can.
 */
export async function readMatchData(sql: Queryable, jobIds: readonly string[]): Promise<MatchData> {
  const { running, candidates, ...data } = await readData(sql, jobIds, ({ candidates: printers }) => ({
    most: Math.max(0, ...printers.map(({ slot_count: slots }) => slots)),
    grams: 0,
  }))
  return {
    ...data,
    candidates: candidates.map((printer) => ({ ...printer, loaded: filamentAfterRunning(printer, running) })),
  }
}

/**
 * Like `readMatchData`, for a plan of all these jobs, which can use up several spools of one filament. For each
 * filament, it also reads the fullest unloaded spools, up to the number that a plan can need:
 * - `most`: one spool for each slot of all printers.
 * - `grams`: the spools that are replaced during the plan, together twice the filament of all plates. A spool is
 *   replaced if it has too little for the next plate. Its own plates and the next plate then need more than it contained.
 *   Each plate counts at most twice in this way.
 */
export async function readPlanData(sql: Queryable, jobIds: readonly string[]): Promise<MatchData> {
  const { running: _, ...data } = await readData(sql, jobIds, ({ candidates, requirements }) => ({
    most: candidates.reduce((sum, { slot_count: slots }) => sum + slots, 0),
    grams: 2 * requirements.reduce((sum, needs) => sum + mostGrams(needs), 0),
  }))
  return data
}

async function readData(
  sql: Queryable,
  jobIds: readonly string[],
  limit: (data: Omit<MatchData, 'unloaded'>) => { most: number; grams: number },
): Promise<MatchData & { running: ReadonlyMap<string, JobRequirements> }> {
  const candidates = await readCandidates(sql)
  const runningIds = candidates.flatMap(({ running: plate }) => plate?.job_id ?? [])
  const all = await readRequirements(sql, [...new Set([...jobIds, ...runningIds])])
  const running = new Map(all.map((needs) => [needs.id, needs]))
  const wanted = new Set(jobIds)
  const requirements = all.filter(({ id }) => wanted.has(id))
  const materials = materialsOf(requirements)
  const chosenIds = [...new Set(requirements.flatMap(({ spool_id: id }) => id ?? []))]
  const { most, grams } = limit({ requirements, candidates })
  const unloaded =
    materials.length === 0 || candidates.length === 0
      ? []
      : await readUnloadedSpools(sql, { materials, chosenIds, most, grams })
  return { requirements, candidates, unloaded, running }
}

/** Returns the most grams that the missing pieces of a job can need, with any of its sliced files. */
function mostGrams({
  quantity,
  good_quantity: good,
  estimated_grams: estimated,
  slices,
}: JobRequirements): number {
  const missing = Math.max(0, quantity - good)
  const bySlice = slices.map(({ grams, pieces }) => (grams ?? 0) * Math.ceil(missing / Math.max(1, pieces)))
  return Math.max(((estimated ?? 0) / quantity) * missing, ...bySlice)
}

/** Adds to each job the reasons why it waits. Jobs that are neither pending nor on hold get an empty list. */
export async function withWaits<Job extends { id: string; status: string }>(
  sql: Queryable,
  jobs: readonly Job[],
): Promise<(Job & { waits_for: JobWait[] })[]> {
  const waiting = jobs.filter(({ status }) => status === 'pending' || status === 'on_hold')
  if (waiting.length === 0) return jobs.map((job) => ({ ...job, waits_for: [] }))
  const { requirements, candidates, unloaded } = await readMatchData(
    sql,
    waiting.map(({ id }) => id),
  )
  const byId = new Map(requirements.map((needs) => [needs.id, waitsOf(needs, candidates, unloaded)]))
  return jobs.map((job) => ({ ...job, waits_for: byId.get(job.id) ?? [] }))
}
