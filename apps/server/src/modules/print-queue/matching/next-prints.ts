import { isNetworkKind } from '@pegasus/contracts/print-queue/printers'
import type { Queryable } from '../../../platform/database/database.ts'
import { spoolOnPrinter } from './fits-filament.ts'
import { listAssignedJobs, listProposedJobs } from './next-prints.queries.ts'
import { matchPrinter, neededGrams, sliceFor } from './match-printer.ts'
import { readMatchData } from './waits-for.ts'

/** A job that a printer can start now. */
export interface NextPrint {
  jobId: string
  sliceId: string
  /** The loaded spool that the print uses. */
  spoolId: string | null
}

/**
 * Returns the prints that a network printer can start now. Jobs that are assigned to the printer come first,
 * in queue order. The planner's proposals follow if the printer takes jobs automatically. Jobs that cannot
 * start are left out.
 */
export async function listNextPrints(sql: Queryable, printerId: string): Promise<NextPrint[]> {
  const assigned = await listAssignedJobs(sql, printerId)
  const jobs = [...assigned, ...(await listProposedJobs(sql, printerId))]
  if (jobs.length === 0) return []
  const { requirements, candidates, unloaded } = await readMatchData(sql, jobs)
  const printer = candidates.find(({ id }) => id === printerId)
  if (!printer || !isNetworkKind(printer.kind)) return []
  return jobs.flatMap((jobId) => {
    const needs = requirements.find(({ id }) => id === jobId)
    if (!needs || needs.is_given_up) return []
    const isOwn = needs.assigned_printer_id === printerId
    // A job that is assigned to this printer may overtake an earlier one that cannot be printed yet.
    const reasons = matchPrinter(needs, printer, unloaded).filter(
      ({ code }) => !(isOwn && code === 'previous_job'),
    )
    if (reasons.length > 0) return []
    const slice = sliceFor(needs, printer)
    if (!slice) return []
    const spool = spoolOnPrinter(needs, printer, { slice, needed: neededGrams(needs, slice, printer) })
    return [{ jobId: needs.id, sliceId: slice.id, spoolId: spool?.id ?? null }]
  })
}
