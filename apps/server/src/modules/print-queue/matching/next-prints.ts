import { isNetworkKind } from '@pegasus/contracts/print-queue/printers'
import type { Queryable } from '../../../platform/database/database.ts'
import { fitsFilament } from './fits-filament.ts'
import { listAssignedJobs, listProposedJobs } from './next-prints.queries.ts'
import { matchPrinter } from './match-printer.ts'
import { readMatchData } from './waits-for.ts'
import type { Candidate, JobRequirements } from './requirements.queries.ts'

/** A job that a printer can start now. */
export interface NextPrint {
  jobId: string
  stlVersionId: string | null
  /** The sliced file that a person chose. */
  sliceId: string | null
  sliceFormat: string | null
  /** The loaded spool that the print uses. */
  spoolId: string | null
}

/**
 * Returns the loaded spool that a job uses: its chosen spool, otherwise the first one that matches. An
 * overridden job may have no match and then uses the first loaded spool.
 */
const spoolOf = (needs: JobRequirements, { loaded }: Candidate): string | null =>
  (
    loaded.find(({ id }) => id === needs.spool_id) ??
    loaded.find((spool) => fitsFilament(needs, spool)) ??
    loaded[0]
  )?.id ?? null

/**
 * Returns the prints that a network printer can start now. Jobs that are assigned to the printer come first,
 * in queue order. The planner's proposals follow if the printer takes jobs automatically. Jobs that cannot
 * start are left out.
 */
export async function listNextPrints(sql: Queryable, printerId: string): Promise<NextPrint[]> {
  const assigned = await listAssignedJobs(sql, printerId)
  const jobs = [...assigned, ...(await listProposedJobs(sql, printerId))]
  if (jobs.length === 0) return []
  const { requirements, candidates, unloaded } = await readMatchData(
    sql,
    jobs.map(({ id }) => id),
  )
  const printer = candidates.find(({ id }) => id === printerId)
  if (!printer || !isNetworkKind(printer.kind)) return []
  return jobs.flatMap((job) => {
    const needs = requirements.find(({ id }) => id === job.id)
    if (!needs || needs.is_given_up) return []
    const isOwn = needs.assigned_printer_id === printerId
    // A job that is assigned to this printer may overtake an earlier one that cannot be printed yet.
    const reasons = matchPrinter(needs, printer, unloaded).filter(
      ({ code }) => !(isOwn && code === 'previous_job'),
    )
    if (reasons.length > 0) return []
    const { id: jobId, stl_version_id: stlVersionId, slice_id: sliceId, slice_format: sliceFormat } = job
    return [{ jobId, stlVersionId, sliceId, sliceFormat, spoolId: spoolOf(needs, printer) }]
  })
}
