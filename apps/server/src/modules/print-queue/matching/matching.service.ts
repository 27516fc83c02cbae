import type { MatchReason } from '@pegasus/contracts/print-queue/job-waits'
import type { MatchedTool, PrinterMatch } from '@pegasus/contracts/print-queue/matching'
import { isAdmin } from '@pegasus/contracts/roles'
import type { AuditContext } from '../../../platform/actor.ts'
import type { Database, Queryable } from '../../../platform/database/database.ts'
import { AppError, orThrow } from '../../../platform/errors/app-error.ts'
import { type PrintJobRow, findJobRow } from '../jobs/job-list.queries.ts'
import { assignPrinter } from './assign-printer.ts'
import { matchPrinter, matchTools } from './match-printer.ts'
import { distanceOf, readMatchData } from './waits-for.ts'
import type { Candidate } from './requirements.queries.ts'

/** A printer with the reasons why it cannot print a job now. */
export interface Match {
  printer: Candidate
  isAssigned: boolean
  reasons: MatchReason[]
  tools: MatchedTool[]
}

/**
 * Returns every printer with its reasons. Printers whose reasons are easiest to remove come first. Returns
 * null if the job does not exist.
 */
export async function listMatches(sql: Queryable, jobId: string): Promise<Match[] | null> {
  const { requirements, candidates, unloaded } = await readMatchData(sql, [jobId])
  const [needs] = requirements
  if (!needs) return null
  return candidates
    .map((printer) => ({
      printer,
      isAssigned: printer.id === needs.assigned_printer_id,
      reasons: matchPrinter(needs, printer, unloaded),
      tools: matchTools(needs, printer),
    }))
    .toSorted((a, b) => distanceOf(a.reasons) - distanceOf(b.reasons))
}

export interface Matching {
  /** Returns every printer with its reasons, like `listMatches`. Throws PRINT_JOB_NOT_FOUND. */
  list(jobId: string): Promise<PrinterMatch[]>
  /**
   * Assigns a job to a printer. If `printerId` is null, the job waits for any printer. Throws PRINT_JOB_NOT_FOUND,
   * PRINT_JOB_STATE for a finished job, PRINTER_NOT_FOUND, PRINTER_DOES_NOT_FIT unless overridden, or FORBIDDEN if the
   * caller of an override is not an admin.
   */
  assign(
    jobId: string,
    choice: { printerId: string | null; isOverride: boolean; role: string },
    by: AuditContext,
  ): Promise<PrintJobRow>
}

export function createMatching({ database }: { database: Database }): Matching {
  return {
    async list(jobId) {
      const matches = await listMatches(database.sql, jobId)
      if (!matches) throw new AppError('PRINT_JOB_NOT_FOUND')
      return matches.map(({ printer, isAssigned, reasons, tools }) => ({
        printer,
        is_assigned: isAssigned,
        reasons,
        tools,
      }))
    },

    assign: (jobId, { role, ...choice }, by) =>
      database.transaction(async (tx) => {
        if (choice.isOverride && !isAdmin(role))
          throw new AppError('FORBIDDEN', { text: 'Only an admin can assign a printer that does not fit.' })
        await assignPrinter(tx, jobId, choice, by)
        return orThrow(await findJobRow(tx, jobId), 'PRINT_JOB_NOT_FOUND')
      }),
  }
}
