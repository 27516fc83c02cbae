import type { PrintJobStatus } from '@pegasus/contracts/statuses'
import { v7 as uuidv7 } from 'uuid'
import { type AuditContext, actorColumns } from '../../../platform/actor.ts'
import { firstRow } from '../../../platform/database/first-row.ts'
import type { Floats, Insert, Row, Update } from '../../../platform/database/column-types.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { insertInto, updateTable } from '../../../platform/database/write-rows.ts'

/**
 * Inserts jobs. The database sets the number, the label code and, unless given, the position at the end of the queue.
 */
export async function insertJobs(
  tx: Queryable,
  jobs: Insert<'print_jobs'> | readonly Insert<'print_jobs'>[],
): Promise<void> {
  await insertInto(tx, 'print_jobs', jobs)
}

export type JobToChange = Row<
  'print_jobs',
  | 'id'
  | 'label_code'
  | 'item_id'
  | 'spool_id'
  | 'slice_id'
  | 'printer_id'
  | 'assigned_printer_id'
  | 'assigned_anyway'
  | 'quantity'
  | 'good_quantity'
  | 'rejected_quantity'
  | 'pieces_per_plate'
  | 'status'
  | 'attempt'
  | 'print_minutes'
  | 'started_at'
  | 'failure_reason'
  | 'agent'
> &
  Floats<'print_jobs', 'used_grams'>

/** Returns a job, locked until the transaction ends, or null if it does not exist. */
export const lockJob = (tx: Queryable, id: string): Promise<JobToChange | null> =>
  lockAnyJob(tx, id, { isLive: true })

/** Like `lockJob`, but also finds a job in the trash. */
export const lockJobOrDeleted = (tx: Queryable, id: string) => lockAnyJob(tx, id, { isLive: false })

const lockAnyJob = (tx: Queryable, id: string, { isLive }: { isLive: boolean }) =>
  firstRow(tx<(JobToChange & Row<'print_jobs', 'deleted_at'>)[]>`
    select id, label_code, item_id, spool_id, slice_id, printer_id, assigned_printer_id, assigned_anyway, quantity,
           good_quantity, rejected_quantity, pieces_per_plate, status, attempt, print_minutes, started_at, failure_reason, agent,
           used_grams::float8, deleted_at
    from print_jobs where id = ${id} and (deleted_at is null or not ${isLive}::boolean) for update`)

export type JobChange = Row<'print_jobs', 'status'> &
  Pick<
    Update<'print_jobs'>,
    | 'good_quantity'
    | 'rejected_quantity'
    | 'pieces_per_plate'
    | 'failure_reason'
    | 'hold_reason'
    | 'agent'
    | 'printer_id'
    | 'spool_id'
    | 'assigned_printer_id'
    | 'assigned_anyway'
    | 'used_grams'
    | 'print_minutes'
    | 'started_at'
    | 'finished_at'
  >

export async function updateJob(tx: Queryable, id: string, change: JobChange, now: Date): Promise<void> {
  await tx`
    ${updateTable(tx, 'print_jobs', { ...change, updated_at: now })}, revision = revision + 1 where id = ${id}`
}

/** A change to a job's status. */
export interface NewTransition {
  jobId: string
  from: PrintJobStatus | null
  to: PrintJobStatus
  reason?: string | null
  good?: number | null
  rejected?: number | null
  /** The other job in a split or a merge. */
  otherJobId?: string | null
}

export async function insertTransition(
  tx: Queryable,
  transition: NewTransition,
  by: AuditContext,
): Promise<void> {
  await insertTransitions(tx, [transition], by)
}

/** Inserts several transitions. Pass at least one. */
export async function insertTransitions(
  tx: Queryable,
  transitions: readonly NewTransition[],
  by: AuditContext,
): Promise<void> {
  const rows = transitions.map((transition) => ({
    id: uuidv7(),
    print_job_id: transition.jobId,
    from_status: transition.from,
    to_status: transition.to,
    reason: transition.reason ?? null,
    good_quantity: transition.good ?? null,
    rejected_quantity: transition.rejected ?? null,
    other_job_id: transition.otherJobId ?? null,
    ...actorColumns(by.actor),
    created_at: by.now,
  }))
  await insertInto(tx, 'job_transitions', rows)
}

type ItemToPrint = Row<'stock_items', 'stl_file_id'>

/** Returns the model of an item. Returns null if the item does not exist. */
export const findItemToPrint = (sql: Queryable, itemId: string) =>
  firstRow(sql<ItemToPrint[]>`
    select stl_file_id from stock_items where id = ${itemId} and deleted_at is null`)

/**
 * Like `findItemToPrint`, but prevents the item from being deleted until the transaction ends. Returns null for a
 * deleted item.
 */
export async function holdItemToPrint(tx: Queryable, itemId: string): Promise<ItemToPrint | null> {
  return (await holdItemsToPrint(tx, [itemId])).get(itemId) ?? null
}

/**
 * Like `holdItemToPrint`, but for several items. The result is a map by item id. Items are always locked in
 * the same order, so that two calls cannot deadlock.
 */
export async function holdItemsToPrint(
  tx: Queryable,
  itemIds: readonly string[],
): Promise<Map<string, ItemToPrint>> {
  const rows = await tx<(ItemToPrint & { id: string })[]>`
    select id, stl_file_id from stock_items
    where id = any(${[...itemIds]}::uuid[]) and deleted_at is null
    order by id for share`
  return new Map(rows.map((row) => [row.id, row]))
}

/** Returns the ids of the current versions of models as a map by model id. Models that do not exist are left out. */
export async function findVersionsToPrint(
  sql: Queryable,
  modelIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await sql<{ id: string; current_version_id: string }[]>`
    select id, current_version_id from library_models
    where id = any(${[...modelIds]}::uuid[]) and deleted_at is null`
  return new Map(rows.map((row) => [row.id, row.current_version_id]))
}

/** Returns the id of the current version of a model, or null if the model does not exist. */
export async function findVersionToPrint(sql: Queryable, modelId: string): Promise<string | null> {
  return (await findVersionsToPrint(sql, [modelId])).get(modelId) ?? null
}

export async function isLiveSpool(sql: Queryable, id: string): Promise<boolean> {
  const [row] = await sql`select 1 from stock_spools where id = ${id} and deleted_at is null`
  return row !== undefined
}

export async function isSliceOfVersion(
  sql: Queryable,
  id: string,
  versionId: string | null,
): Promise<boolean> {
  const [row] = await sql`
    select 1 from printable_slices where id = ${id} and deleted_at is null and stl_version_id = ${versionId}`
  return row !== undefined
}

export async function isLiveOrder(sql: Queryable, id: string): Promise<boolean> {
  const [row] = await sql`select 1 from placed_orders where id = ${id} and deleted_at is null`
  return row !== undefined
}

/**
 * Locks those of the orders that are pending until the transaction ends, because the first job of an order changes the
 * order. Call this before items are locked: a reservation also locks the order before the item.
 */
export async function lockPendingOrders(tx: Queryable, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await tx`
    select from placed_orders where id = any(${[...ids]}::uuid[]) and status = 'pending'
    order by id for no key update`
}

/**
 * Locks the order of a job and another order until the transaction ends, if they are pending. Call it before the job is
 * locked: a change of an order locks first the order and then its jobs, and a reservation locks first the order and
 * then the item.
 */
export async function lockPendingOrdersOf(
  tx: Queryable,
  jobId: string,
  otherOrderId: string | null = null,
): Promise<void> {
  const rows = await tx<{ order_id: string | null }[]>`select order_id from print_jobs where id = ${jobId}`
  const ids = [otherOrderId, ...rows.map(({ order_id: id }) => id)].flatMap((id) => id ?? [])
  await lockPendingOrders(tx, ids)
}

/** Returns the id of the printer with this name. Adds the printer if it is missing. */
export async function ensurePrinter(
  tx: Queryable,
  printer: { name: string; model?: string | null },
  now: Date,
): Promise<string> {
  const [row] = await tx<[{ id: string }]>`
    insert into printers (id, name, model, created_at, updated_at)
    values (${uuidv7()}, ${printer.name.trim()}, ${printer.model ?? null}, ${now}, ${now})
    on conflict (lower(name)) where deleted_at is null do update set name = printers.name
    returning id`
  await tx`insert into printer_slots (printer_id, slot) values (${row.id}, 1) on conflict do nothing`
  return row.id
}
