import { type MatchReason, isMisfit } from '@pegasus/contracts/print-queue/job-waits'
import type { AuditContext } from '../../../platform/actor.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import { writeAudit } from '../../audit/index.ts'
import { publish } from '../../events/index.ts'
import { lockJobToEdit } from '../jobs/jobs.queries.ts'
import { lockPrinter } from '../printers/printers.queries.ts'
import { noteRemoval, saveAssignment } from './assignments.queries.ts'
import { matchPrinter } from './match-printer.ts'
import { readMatchData } from './waits-for.ts'

/** The printer for a job, and the kind of assignment. */
export interface AssignmentChoice {
  /** Null lets the job wait for any printer. */
  printerId: string | null
  /** If true, the printer is assigned even if it does not fit. */
  isOverride: boolean
  /**
   * If true, the print starts later. Filament that is not loaded yet is then no misfit, and only bed, nozzle and file
   * are checked. A job that is already assigned to the printer stays unchanged, even if an admin assigned it despite a
   * misfit.
   */
  isPlan?: boolean
}

const FINISHED = new Set(['completed', 'failed', 'cancelled'])
/**
 * The misfits of bed, nozzle and file. They prevent even an assignment for later, because loading another spool does
 * not remove them.
 */
export const MISFITS_BESIDES_FILAMENT: ReadonlySet<MatchReason['code']> = new Set([
  'bed_too_small',
  'nozzle',
  'no_slice',
])

/** The result of comparing a printer with a job. */
interface Comparison {
  name: string
  /** Whether the job is already assigned to the printer. */
  isAssigned: boolean
  /** The misfits that only an override can ignore. */
  misfits: MatchReason[]
}

/** Compares a job with a printer. Throws PRINTER_NOT_FOUND. */
async function compareWithPrinter(
  tx: Queryable,
  jobId: string,
  printerId: string,
  isPlan: boolean,
): Promise<Comparison> {
  const { requirements, candidates, unloaded } = await readMatchData(tx, [jobId])
  const printer = candidates.find(({ id }) => id === printerId)
  const [needs] = requirements
  if (!printer || !needs) throw new AppError('PRINTER_NOT_FOUND')
  const reasons = matchPrinter({ ...needs, assigned_anyway: false }, printer, unloaded)
  // In a plan, filament is ignored, because a person can load it before the start.
  const counts = (code: MatchReason['code']) => {
    if (isPlan) return MISFITS_BESIDES_FILAMENT.has(code)
    // A spool with too little filament is ignored while a plate is running, because a person can change the spool
    // afterwards. The start of the print checks it again.
    return isMisfit(code) && !(code === 'grams_short' && printer.running)
  }
  return {
    name: printer.name,
    isAssigned: needs.assigned_printer_id === printerId,
    misfits: reasons.filter(({ code }) => counts(code)),
  }
}

/**
 * Assigns a job to a printer, or lets it wait for any printer. Throws PRINT_JOB_NOT_FOUND, PRINT_JOB_STATE for a
 * finished job, PRINTER_NOT_FOUND, or PRINTER_DOES_NOT_FIT unless overridden.
 */
export async function assignPrinter(
  tx: Queryable,
  jobId: string,
  { printerId, isOverride, isPlan = false }: AssignmentChoice,
  by: AuditContext,
): Promise<void> {
  const job = await lockJobToEdit(tx, jobId, by.now)
  if (!job || job.deleted_at !== null) throw new AppError('PRINT_JOB_NOT_FOUND')
  if (FINISHED.has(job.status))
    throw new AppError('PRINT_JOB_STATE', {
      text: 'This print job has ended, so it does not wait for a printer.',
    })
  if (printerId !== null && !(await lockPrinter(tx, printerId))) throw new AppError('PRINTER_NOT_FOUND')
  const found = printerId === null ? null : await compareWithPrinter(tx, jobId, printerId, isPlan)
  if (isPlan && found?.isAssigned) return
  const misfits = found?.misfits ?? []
  if (misfits.length > 0 && !isOverride)
    throw new AppError('PRINTER_DOES_NOT_FIT', {
      text: `${found?.name} does not fit. ${misfits.map(({ message }) => message).join(' ')}`,
      body: { reasons: misfits },
    })
  await saveAssignment(tx, jobId, { printerId, isAnyway: misfits.length > 0 }, by.now)
  await noteRemoval(tx, jobId, printerId === null)
  const after = {
    printer: found?.name ?? null,
    ...(misfits.length > 0 && { reason: misfits.map(({ message }) => message).join(' ') }),
  }
  await writeAudit(
    tx,
    {
      action: misfits.length > 0 ? 'print_job.assigned_anyway' : 'print_job.assigned',
      entity: 'print_job',
      entityId: jobId,
      entityName: job.label_code,
      after,
    },
    by,
  )
  await publish(tx, { type: 'updated', entity: 'print_job', id: jobId })
  if (printerId !== null) await publish(tx, { type: 'updated', entity: 'printer', id: printerId })
}
