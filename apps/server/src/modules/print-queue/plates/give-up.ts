import type { Queryable } from '../../../platform/database/database.ts'
import type { JobToChange } from '../jobs/job-changes.queries.ts'
import type { Fragment } from '../../../platform/database/search-patterns.ts'
import { countFailuresInARow, failuresInARow } from './plates.queries.ts'

/** After this number of failures in a row, a job is put on hold. */
const MAX_FAILURES_IN_A_ROW = 3

/**
 * Returns the SQL condition that three plates of the job `j` failed in a row and that the job is still being printed.
 * A job with three failures gets no further plate. It is put on hold when its last running plate ends, unless a plate
 * with good pieces has restarted the count.
 */
export const isGivenUp = (sql: Queryable): Fragment =>
  sql`(j.status = 'in_progress' and ${failuresInARow(sql, sql`j.id`)} >= ${sql.literal(MAX_FAILURES_IN_A_ROW)})`

/** Like `isGivenUp`, for a locked job. */
export const hasGivenUp = async (tx: Queryable, { id, status }: JobToChange): Promise<boolean> =>
  status === 'in_progress' && (await countFailuresInARow(tx, id)) >= MAX_FAILURES_IN_A_ROW

/** Returns whether a job has all its good pieces, for example because its quantity was lowered. */
export const hasEnough = ({ quantity, good_quantity: good }: JobToChange): boolean =>
  good > 0 && good >= quantity

/**
 * Returns the reason to put a job on hold after its failures, or null if it may be tried again. `lastFailure`
 * is the reason of its last failure.
 */
export async function findHoldReason(
  tx: Queryable,
  job: JobToChange,
  lastFailure: string | null,
): Promise<string | null> {
  const { id, pieces_per_plate: perPlate } = job
  if (hasEnough(job)) return null
  if ((await countFailuresInARow(tx, id)) < MAX_FAILURES_IN_A_ROW) return null
  const sentence = `${MAX_FAILURES_IN_A_ROW} ${perPlate === null ? 'attempts' : 'plates'} failed in a row.`
  return lastFailure === null ? sentence : `${sentence} The last one: ${lastFailure}`
}
