import type { Queryable } from '../../../platform/database/database.ts'
import type { JobToChange } from '../jobs/job-changes.queries.ts'
import type { Fragment } from '../../../platform/database/search-patterns.ts'
import {
  countFailuresInARow,
  countRefusalsInARow,
  failuresInARow,
  findLastRefusal,
  refusalsInARow,
} from './plates.queries.ts'

/** After this number of failures in a row, a job is put on hold. */
const MAX_FAILURES_IN_A_ROW = 3
/**
 * A job is put on hold after printers refused this many of its plates in a row with the same file. The first refusal
 * may be the printer's fault. After the second, the file is probably at fault.
 */
const MAX_REFUSALS_IN_A_ROW = 2

const REFUSED = 'Printers refused this print job twice in a row.'

/**
 * Returns the SQL condition that the job `j` is still being printed, although three of its plates have failed in a row,
 * or printers have refused two in a row. Such a job gets no further plate. When its last running plate fails or is
 * cancelled, it is put on hold. If that plate is finished, the job continues.
 */
export const isGivenUp = (sql: Queryable): Fragment =>
  sql`(j.status = 'in_progress' and (${failuresInARow(sql, sql`j.id`)} >= ${sql.literal(MAX_FAILURES_IN_A_ROW)}
       or ${refusalsInARow(sql, sql`j.id`)} >= ${sql.literal(MAX_REFUSALS_IN_A_ROW)}))`

/**
 * Returns whether printers refused the last two plates of a locked job with the same file, so that the file is probably
 * at fault.
 */
export const isRefusedAgain = async (tx: Queryable, jobId: string): Promise<boolean> =>
  (await countRefusalsInARow(tx, jobId)) >= MAX_REFUSALS_IN_A_ROW

/**
 * Returns a message that says why a running job gets no further plate for now, or null if it may get one. See
 * `isGivenUp`.
 */
export async function findReasonToWait(tx: Queryable, { id, status }: JobToChange): Promise<string | null> {
  if (status !== 'in_progress') return null
  if ((await countFailuresInARow(tx, id)) >= MAX_FAILURES_IN_A_ROW)
    return 'The last three plates of this print job failed. Another plate can start when the running plates have ended.'
  return (await isRefusedAgain(tx, id))
    ? `${REFUSED} Another plate can start when the running plates have ended.`
    : null
}

/** Returns whether a job has enough good pieces, for example because its quantity was lowered. */
export const hasEnough = ({ quantity, good_quantity: good }: JobToChange): boolean =>
  good > 0 && good >= quantity

/**
 * Returns the reason to put a job on hold, or null if it may be tried again. The reason is that too many of its plates
 * failed, or that printers refused its plates. `lastFailure` is the reason of the last failure.
 */
export async function findHoldReason(
  tx: Queryable,
  job: JobToChange,
  lastFailure: string | null,
): Promise<string | null> {
  const { id, pieces_per_plate: perPlate } = job
  if (hasEnough(job)) return null
  if ((await countFailuresInARow(tx, id)) >= MAX_FAILURES_IN_A_ROW) {
    const sentence = `${MAX_FAILURES_IN_A_ROW} ${perPlate === null ? 'attempts' : 'plates'} failed in a row.`
    return lastFailure === null ? sentence : `${sentence} The last one: ${lastFailure}`
  }
  if (!(await isRefusedAgain(tx, id))) return null
  const help = `${REFUSED} Check its sliced file, then press Requeue.`
  const refusal = await findLastRefusal(tx, id)
  return refusal === null ? help : `${help} The last refusal: ${refusal}`
}
