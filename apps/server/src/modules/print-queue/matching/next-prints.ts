import { isNetworkKind } from '@pegasus/contracts/print-queue/printers'
import type { Queryable } from '../../../platform/database/database.ts'
import { spoolOnPrinter } from './filament/fits-filament.ts'
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
 * Most printers can start one of their first 20 jobs. For other printers, the rest of the jobs is read in large pages.
 */
const FIRST_PAGE = 20
const NEXT_PAGE = 500

/**
 * Returns the prints that a network printer can start now, in this order: jobs that are assigned to the printer, in
 * queue order, and then the planner's proposals, if the printer takes jobs automatically. Jobs that cannot start are
 * skipped, however many they are.
 */
export async function listNextPrints(sql: Queryable, printerId: string): Promise<NextPrint[]> {
  let page = await listAssignedJobs(sql, printerId, { afterId: null, limit: FIRST_PAGE })
  const proposed = await listProposedJobs(sql, printerId)
  const prints = await listStartable(sql, printerId, [...page, ...proposed])
  const isProposed = new Set(proposed)
  const proposals = prints.filter(({ jobId }) => isProposed.has(jobId))
  let own = prints.filter(({ jobId }) => !isProposed.has(jobId))
  for (let size = FIRST_PAGE; own.length === 0 && page.length === size; size = NEXT_PAGE) {
    page = await listAssignedJobs(sql, printerId, { afterId: page.at(-1) ?? null, limit: NEXT_PAGE })
    own = await listStartable(sql, printerId, page)
  }
  return [...own, ...proposals]
}

/** Returns the prints of these jobs that a network printer can start now, in the order of the jobs. */
async function listStartable(
  sql: Queryable,
  printerId: string,
  jobs: readonly string[],
): Promise<NextPrint[]> {
  if (jobs.length === 0) return []
  const { requirements, candidates, unloaded } = await readMatchData(sql, jobs)
  const printer = candidates.find(({ id }) => id === printerId)
  if (!printer || !isNetworkKind(printer.kind)) return []
  return jobs.flatMap((jobId) => {
    const needs = requirements.find(({ id }) => id === jobId)
    if (!needs || needs.is_given_up) return []
    const isOwn = needs.assigned_printer_id === printerId
    // An assigned job may overtake an earlier assigned job that cannot be printed yet.
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
