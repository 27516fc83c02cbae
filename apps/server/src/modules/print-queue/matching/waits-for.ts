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
 * Rates how hard each reason is to remove. From low to high: it ends by itself, it needs a step at the
 * machine, it needs another file, or it cannot be removed.
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

/** Returns the sum of the distances. It is 0 for a printer that can start. */
export const distanceOf = (reasons: readonly MatchReason[]): number =>
  reasons.reduce((sum, { code }) => sum + DISTANCE[code], 0)

const NO_PRINTER: JobWait = {
  code: 'no_printer',
  message: 'There is no printer yet.',
  action: actionOf('add_printer', 'Add a printer'),
}

/**
 * Returns the reasons why a job does not start. They are those of its assigned printer, otherwise those of
 * the printer that is closest to starting.
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
    // Further reasons can only increase the distance. So this printer cannot be closer than the closest one,
    // and being busy is not its only reason.
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
 * The data to match jobs with printers: requirements of the jobs, all printers, and the unloaded spools that
 * the jobs could use.
 */
export interface MatchData {
  requirements: JobRequirements[]
  candidates: Candidate[]
  unloaded: UnloadedSpool[]
}

/** Returns the materials of jobs and of their sliced files, in lower case. Jobs may share an array of files. */
function materialsOf(requirements: readonly JobRequirements[]): string[] {
  const materials = new Set<string>()
  const add = (material: string | null) => material !== null && materials.add(material.toLowerCase())
  for (const { material } of requirements) add(material)
  for (const slices of new Set(requirements.map((needs) => needs.slices)))
    for (const { tools } of slices) for (const { material } of tools) add(material)
  return [...materials]
}

/**
 * Reads the data that matching needs. Makes at most four round trips to the database, however many jobs there are. The
 * loaded spools have the weight that the running plates are expected to leave, as in the plan.
 *
 * A printer can use only as many spools of a filament as it has slots. So the function reads that many unloaded spools of
 * each filament, the fullest first: if any of them can feed the tools of a job, the fullest ones can.
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
 * Like `readMatchData`, for a plan of all these jobs, which can use up several spools of one filament. Of each filament,
 * reads the fullest unloaded spools, as many as every plan can need:
 * - `most`: one spool for each slot of all printers.
 * - `grams`: the spools that the plan replaces. A spool is replaced if it has too little for the next plate. The plates
 *   that were printed from it and that next plate therefore need more than the spool contained. A plate counts at most
 *   twice in this way, so all replaced spools together weigh less than twice the filament of all plates.
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

/** Returns the largest weight that the missing pieces of a job can have, with any of its sliced files. */
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
