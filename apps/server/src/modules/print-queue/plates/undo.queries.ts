import type { Row } from '../../../platform/database/column-types.ts'
import type { Queryable } from '../../../platform/database/database.ts'

/** The values that the completion of a plate replaced. Undo puts them back. */
export interface BeforeDone {
  state: string
  progress: number
  used_grams: number | null
  print_minutes: number | null
  /** Whether the plate was made only to be completed: nobody had started the job. */
  is_at_once: boolean
  /** Minutes that were added to those of the printer. */
  printer_minutes: number
  /** Entries in the ledgers of spools. */
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

/** The plate of a job that ended last. Cancelled ones brought nothing. */
export async function findLastEnded(sql: Queryable, jobId: string): Promise<EndedPlate | null> {
  const [row] = await sql<EndedPlate[]>`
    select id, state, good_quantity, rejected_quantity, before_done from job_plates
    where print_job_id = ${jobId} and state in ('done', 'failed')
    order by finished_at desc, number desc limit 1`
  return row ?? null
}

export async function hasNextAttempt(sql: Queryable, jobId: string): Promise<boolean> {
  const [row] = await sql`select 1 from print_jobs where previous_job_id = ${jobId} and deleted_at is null`
  return row !== undefined
}

/** Marks a plate as taken back, and removes the cost that its job had when it was completed. */
export async function clearCompletion(tx: Queryable, jobId: string, plateId: string): Promise<void> {
  await tx`update job_plates set before_done = null where id = ${plateId}`
  await tx`update print_jobs set cost_minor = null, cost_snapshot = null where id = ${jobId}`
}
