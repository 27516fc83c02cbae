import type { Queryable } from '../database/database.ts'
import type { TaskSubject } from './task-definition.ts'
import { FAILED_KEPT_SECONDS, failedQueueOf, SCHEMA } from './task-queues.ts'

/**
 * A task that has no attempts left (`gave_up`), or that has failed at least twice and is `waiting` for its next attempt
 * or `running`.
 */
export type FailedState = 'gave_up' | 'waiting' | 'running'

/** A failed task, as administrators see it in a list. */
export interface FailedTask {
  id: string
  queue: string
  state: FailedState
  /** Null if the task has no object, or the object no longer exists. */
  subject: TaskSubject | null
  attempts: number
  /** The time of the last failure if the task gave up, otherwise the start of its last attempt. RFC 3339. */
  failed_at: string
  next_attempt_at: string | null
  error: Error
}

/** The row of a failed task. */
export interface FailedRow extends Omit<FailedTask, 'subject' | 'error'> {
  data: object
  output: unknown
  singleton_key: string | null
  priority: number
}

/** A task that has failed this often is listed as failing, even if it will be tried again. */
const FAILING_AFTER_ATTEMPTS = 2

/**
 * Whether `onFailed` has run for a task that failed permanently. Until then the task must not be tried again, because
 * `onFailed` could undo the work of the new attempt.
 */
const isHandled = (sql: Queryable) => sql`
  not exists (
    select from ${sql(SCHEMA)}.job report
    where report.name = job.name || ${failedQueueOf('')} and report.source_id = job.id and report.state < 'completed')`

const isFailing = (sql: Queryable) => sql`
  (job.state = 'failed' and ${isHandled(sql)}
    or job.state = 'retry' and job.output is not null and job.retry_count >= ${FAILING_AFTER_ATTEMPTS - 1}
    or job.state = 'active' and job.output is not null and job.retry_count >= ${FAILING_AFTER_ATTEMPTS})`

const columns = (sql: Queryable) => sql`
  job.id, job.name as queue, job.data, job.output, job.singleton_key, job.priority,
  case job.state when 'failed' then 'gave_up' when 'retry' then 'waiting' else 'running' end as state,
  job.retry_count + case job.state when 'active' then 0 else 1 end as attempts,
  coalesce(job.completed_on, job.started_on, job.created_on) as failed_at,
  case job.state when 'retry' then job.start_after end as next_attempt_at`

/** Lists failed tasks of these queues. Tasks that gave up come first, and then those with the newest failure. */
export const listFailedRows = (
  sql: Queryable,
  queues: readonly string[],
  limit: number,
): Promise<FailedRow[]> =>
  sql<FailedRow[]>`
    select ${columns(sql)} from ${sql(SCHEMA)}.job
    where job.name = any(${[...queues]}) and ${isFailing(sql)}
    order by job.state = 'failed' desc, failed_at desc, job.id limit ${limit}`

/** Locks a failed task until the transaction ends. Returns null if it does not exist, or has just been tried again. */
export async function lockFailedRow(
  tx: Queryable,
  queues: readonly string[],
  id: string,
): Promise<FailedRow | null> {
  const [row] = await tx<FailedRow[]>`
    select ${columns(tx)} from ${tx(SCHEMA)}.job
    where job.id = ${id} and job.name = any(${[...queues]}) and ${isFailing(tx)} for update`
  return row ?? null
}

/** Deletes the row of a failed task from the queue. */
export async function deleteTask(tx: Queryable, { id, queue }: FailedRow): Promise<void> {
  await tx`delete from ${tx(SCHEMA)}.job where name = ${queue} and id = ${id}`
}

/** Makes a waiting task due now. */
export async function makeDue(tx: Queryable, { id, queue }: FailedRow): Promise<void> {
  await tx`
    update ${tx(SCHEMA)}.job set start_after = now() where name = ${queue} and id = ${id} and state = 'retry'`
}

/** Makes the queue keep a failed task longer than a finished one. */
export async function keepFailed(sql: Queryable, queue: string, id: string): Promise<void> {
  await sql`
    update ${sql(SCHEMA)}.job set deletion_seconds = ${FAILED_KEPT_SECONDS}
    where name = ${queue} and id = ${id} and state = 'failed'`
}

/** Sentences for people that replace the messages of pg-boss. */
const OWN_SENTENCES: readonly [RegExp, string][] = [
  [/^job heartbeat timeout$/, 'The server that ran the task stopped.'],
  [/^job timed out$|^handler execution exceeded/, 'The task did not finish in time.'],
]

/** Like `errorOf`, but replaces a message of pg-boss with a sentence for people. */
export function errorForPeople(output: unknown): Error {
  const error = errorOf(output)
  error.message = OWN_SENTENCES.find(([pattern]) => pattern.test(error.message))?.[1] ?? error.message
  return error
}

/**
 * Converts the stored output of a failed task to an error. The output contains the fields of the thrown error, or a
 * message of pg-boss about a deadline or a lost process.
 */
export function errorOf(output: unknown): Error {
  const kept = typeof output === 'object' && output !== null ? output : {}
  const inner = 'value' in kept && typeof kept.value === 'object' && kept.value !== null ? kept.value : kept
  const message = 'message' in inner ? String(inner.message) : 'unknown'
  const error = new Error(message)
  if ('name' in inner) error.name = String(inner.name)
  if ('code' in inner) Object.assign(error, { code: inner.code })
  return error
}
