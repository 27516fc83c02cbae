import type { Row } from '../../../../platform/database/column-types.ts'
import type { Queryable } from '../../../../platform/database/database.ts'
import type { BeforeLoad } from '../../printers/load-spool.ts'
import type { LockedPlate } from '../lock-plate.ts'

/** The values that the completion of a plate replaced. Undo restores them. */
export interface BeforeDone {
  state: string
  progress: number
  used_grams: number | null
  is_estimated?: boolean
  print_minutes: number | null
  /** Whether the plate was added only to complete a job that nobody had started. */
  is_at_once: boolean
  /** Whether the pieces stayed on the bed. Missing on plates of earlier versions. */
  is_on_bed?: boolean
  /** Number of minutes that were added to the printer's printing time. */
  printer_minutes: number
  /** Ids of the entries in the spools' ledgers. */
  entries: string[]
  job: {
    used_grams: number | null
    print_minutes: number | null
    failure_reason: string | null
    spool_id: string | null
    agent: string | null
  }
}

interface EndedPlate extends Row<'job_plates', 'id' | 'state' | 'good_quantity' | 'rejected_quantity'> {
  before_done: BeforeDone | null
}

export async function saveBeforeDone(tx: Queryable, plateId: string, before: BeforeDone): Promise<void> {
  await tx`update job_plates set before_done = ${tx.json({ ...before })}::jsonb where id = ${plateId}`
}

/**
 * Returns the plate of a job that was the last to end. Cancelled plates do not count, because they have no result.
 */
export async function findLastEnded(sql: Queryable, jobId: string): Promise<EndedPlate | null> {
  const [row] = await sql<EndedPlate[]>`
    select id, state, good_quantity, rejected_quantity, before_done from job_plates
    where print_job_id = ${jobId} and state in ('done', 'failed')
    order by end_order desc limit 1`
  return row ?? null
}

/**
 * Returns whether another plate of a printer has ended after this one. Plates are ordered by a counter, because the clock
 * can be set back.
 */
export async function hasLaterPlate(
  sql: Queryable,
  { printerId, plateId }: { printerId: string; plateId: string },
): Promise<boolean> {
  const [row] = await sql`
    select 1 from job_plates
    where printer_id = ${printerId} and end_order > (select end_order from job_plates where id = ${plateId})
    limit 1`
  return row !== undefined
}

export async function hasNextAttempt(sql: Queryable, jobId: string): Promise<boolean> {
  const [row] = await sql`select 1 from print_jobs where previous_job_id = ${jobId} and deleted_at is null`
  return row !== undefined
}

/**
 * Marks the completion of a plate as reverted, and removes the saved cost of its job. Also removes the record
 * of an earlier merge, because the pieces of this plate were never moved to another job. The job can then be
 * queued again.
 */
export async function clearCompletion(tx: Queryable, jobId: string, plateId: string): Promise<void> {
  await tx`update job_plates set before_done = null, booked_entries = '[]' where id = ${plateId}`
  await tx`update print_jobs set cost_minor = null, own_cost_minor = null, cost_snapshot = null, merged_into_id = null where id = ${jobId}`
}

/** The spools before a person started a plate with a chosen spool. */
export interface SpoolsBeforeStart {
  chosen: string
  /** The spool that was chosen for the job before. */
  job_spool: string | null
  /** Null if the start loaded no spool. */
  loaded: BeforeLoad | null
}

/** The values of a job that the start of a plate replaced. Plates of earlier versions have only the spools. */
export interface BeforeStart extends Partial<SpoolsBeforeStart> {
  job?: {
    printer_id: string | null
    assigned_printer_id: string | null
    /** Missing on plates of earlier versions. */
    assigned_anyway?: boolean
    /**
     * Whether the start ended the assignment, because no further pieces were missing. Missing on plates of earlier
     * versions.
     */
    was_released?: boolean
    /** Whether a person has removed the assignment since the start. */
    is_removed?: boolean
    pieces_per_plate: number | null
  }
}

/** Adds the spools to the values that `startPlate` has saved in the plate. */
export async function saveSpoolsBeforeStart(
  tx: Queryable,
  plateId: string,
  before: SpoolsBeforeStart,
): Promise<void> {
  await tx`
    update job_plates set before_start = coalesce(before_start, '{}') || ${tx.json({ ...before })}::jsonb
    where id = ${plateId}`
}

/**
 * Returns the columns that assign a job to a printer again when it returns to the queue. The assignment is empty if the
 * printer was deleted, or if a person has removed the assignment since the start. An admin's override applies only if
 * the job was assigned to this printer `before` the start.
 */
export async function assignmentTo(
  tx: Queryable,
  printerId: string | null,
  before: BeforeStart['job'],
): Promise<{ assigned_printer_id: string | null; assigned_anyway: boolean }> {
  const [printer] = await tx`select 1 from printers where id = ${printerId} and deleted_at is null`
  const isAnyway = before?.assigned_anyway === true && before.assigned_printer_id === printerId
  return printer && before?.is_removed !== true
    ? { assigned_printer_id: printerId, assigned_anyway: isAnyway }
    : { assigned_printer_id: null, assigned_anyway: false }
}

/**
 * Returns the columns that restore the assignment of a job after a plate has ended. The plate with the last missing
 * pieces ended the assignment when it started. If pieces are missing again, the job gets its earlier assignment back,
 * unless somebody has assigned it in the meantime. Otherwise, the result is empty.
 */
export async function assignmentAfter(
  tx: Queryable,
  { job, plate }: LockedPlate,
  { missing }: { missing: number },
): Promise<Partial<Awaited<ReturnType<typeof assignmentTo>>>> {
  if (missing <= 0 || job.assigned_printer_id !== null) return {}
  const [released] = await tx<{ before_start: BeforeStart }[]>`
    select before_start from job_plates
    where print_job_id = ${job.id} and number >= ${plate.number} and before_start->'job'->>'was_released' = 'true'
    order by number desc limit 1`
  const before = released?.before_start.job
  return before ? assignmentTo(tx, before.assigned_printer_id, before) : {}
}

export async function findBeforeStart(tx: Queryable, plateId: string): Promise<BeforeStart | null> {
  const [row] = await tx<{ before_start: BeforeStart | null }[]>`
    select before_start from job_plates where id = ${plateId}`
  return row?.before_start ?? null
}
