import type { Floats, Row, Update } from '../../../platform/database/column-types.ts'
import { firstRow } from '../../../platform/database/first-row.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { updateTable } from '../../../platform/database/write-rows.ts'
import { queueOrder, reverseQueueOrder } from './queue-order.ts'

/** The columns of a job about what it prints, how far it is, and what it needs. */
export type JobColumn =
  | 'quantity'
  | 'good_quantity'
  | 'rejected_quantity'
  | 'status'
  | 'priority'
  | 'position'
  | 'material'
  | 'color'
  | 'match_strictness'

/** A job with all editable fields. */
export type JobToEdit = Row<
  'print_jobs',
  | 'id'
  | 'label_code'
  | 'item_id'
  | 'stl_file_id'
  | 'stl_version_id'
  | JobColumn
  | 'pieces_per_plate'
  | 'expected_rejects'
  | 'slice_id'
  | 'spool_id'
  | 'order_id'
  | 'order_line_id'
  | 'attempt'
  | 'estimated_minutes'
  | 'planned_cost_minor'
  | 'planned_pieces'
  | 'extra_quantity'
  | 'hold_reason'
  | 'merged_into_id'
  | 'due_at'
  | 'notes'
  | 'revision'
  | 'deleted_at'
> &
  Floats<'print_jobs', 'estimated_grams'>

const selectJobToEdit = (sql: Queryable) => sql`
  select id, label_code, item_id, stl_file_id, stl_version_id, quantity, pieces_per_plate, expected_rejects, slice_id, good_quantity, rejected_quantity, status,
         priority, position, material, color, spool_id, match_strictness, order_id, order_line_id, attempt, estimated_grams::float8,
         estimated_minutes, planned_cost_minor, planned_pieces, extra_quantity, hold_reason, merged_into_id, due_at, notes, revision, deleted_at
  from print_jobs`

/** Returns a job, locked until the transaction ends. Jobs deleted after `since` are included. */
export const lockJobToEdit = (tx: Queryable, id: string, since: Date) =>
  firstRow(tx<JobToEdit[]>`
    ${selectJobToEdit(tx)} where id = ${id} and (deleted_at is null or deleted_at > ${since}) for update`)

/** Returns jobs that this transaction has created, with all editable fields. They need no lock. */
export const listJobsToEdit = (tx: Queryable, ids: readonly string[]): Promise<JobToEdit[]> =>
  tx<JobToEdit[]>`${selectJobToEdit(tx)} where id = any(${[...ids]}::uuid[])`

export type JobEdit = Pick<
  Update<'print_jobs'>,
  | 'item_id'
  | 'stl_file_id'
  | 'stl_version_id'
  | 'quantity'
  | 'pieces_per_plate'
  | 'expected_rejects'
  | 'slice_id'
  | 'priority'
  | 'material'
  | 'color'
  | 'spool_id'
  | 'match_strictness'
  | 'order_id'
  | 'order_line_id'
  | 'estimated_grams'
  | 'estimated_minutes'
  | 'planned_cost_minor'
  | 'planned_pieces'
  | 'extra_quantity'
  | 'due_at'
  | 'notes'
  | 'merged_into_id'
  | 'deleted_at'
>

export async function editJob(tx: Queryable, id: string, change: JobEdit, now: Date): Promise<void> {
  await tx`
    ${updateTable(tx, 'print_jobs', { ...change, updated_at: now })}, revision = revision + 1 where id = ${id}`
}

/**
 * Takes a lock so that only one reorder runs at a time, because each reorder depends on the result of the previous one.
 */
export async function lockOrder(tx: Queryable): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended('print-queue-order', 0))`
}

export type QueuePosition = Row<'print_jobs', 'id' | 'label_code' | 'priority' | 'position'>

const selectPlace = (tx: Queryable, id: string) => tx`
  select id, label_code, priority, position from print_jobs
  where id = ${id} and deleted_at is null and status in ('pending', 'in_progress', 'on_hold')`

/** Returns the position of an unfinished job. Returns null if the job is finished or does not exist. */
export const findQueuePosition = (tx: Queryable, id: string) =>
  firstRow(tx<QueuePosition[]>`${selectPlace(tx, id)}`)

/**
 * Like `findQueuePosition`, but locks the job, so that a priority that is set at the same time is not lost.
 */
export const lockQueuePosition = (tx: Queryable, id: string) =>
  firstRow(tx<QueuePosition[]>`${selectPlace(tx, id)} for update`)

/** Returns the job before `nextId`, or the last job of the queue if `nextId` is null. The moved job is ignored. */
export const findPositionBefore = (tx: Queryable, nextId: string | null, movedId: string) =>
  firstRow(tx<QueuePosition[]>`
    select j.id, j.label_code, j.priority, j.position from print_jobs j
    ${nextId === null ? tx`` : tx`join print_jobs n on n.id = ${nextId}`}
    where j.deleted_at is null and j.status in ('pending', 'in_progress', 'on_hold') and j.id <> ${movedId}
      ${nextId === null ? tx`` : tx`and (${queueOrder(tx)}) < (${queueOrder(tx, 'n')})`}
    order by ${reverseQueueOrder(tx)}
    limit 1`)

/** Renumbers the positions within a priority so that there is a gap between all neighbors. The order stays the same. */
export async function spreadOut(tx: Queryable, priority: number): Promise<void> {
  await tx`
    with line as (
      select id, row_number() over (order by position, created_at, id) as nth,
             count(*) over () as jobs, max(position) over () as last
      from print_jobs
      where priority = ${priority} and deleted_at is null and status in ('pending', 'in_progress', 'on_hold')
    )
    update print_jobs j set position = l.last - (l.jobs - l.nth) * 1024 from line l where l.id = j.id`
}

/**
 * Sets the priority and position of a job. If the position is null, moves the job to the end of the queue.
 */
export async function setJobPosition(
  tx: Queryable,
  id: string,
  { priority, position }: { priority: number; position: number | null },
  now: Date,
): Promise<void> {
  // The revision counts edits. A new priority is an edit; a new position is not.
  await tx`
    update print_jobs
    set revision = revision + case when priority = ${priority} then 0 else 1 end, priority = ${priority},
        position = ${position === null ? tx`nextval('print_job_positions')` : position}, updated_at = ${now}
    where id = ${id}`
}
