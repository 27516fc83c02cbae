import type { PrintJobStatus } from '@pegasus/contracts/statuses'
import { v7 as uuidv7 } from 'uuid'
import { type AuditContext, actorColumns } from '../../../platform/actor.ts'
import type { Queryable } from '../../../platform/database/database.ts'

/** What a new job says of itself; number, label and place in the queue come from the database. */
export interface JobColumns {
  id: string
  item_id: string | null
  stl_file_id: string | null
  stl_version_id: string | null
  quantity: number
  status: 'pending'
  priority: number
  material: string | null
  color: string | null
  spool_id: string | null
  printer_id: string | null
  attempt: number
  previous_job_id: string | null
  estimated_grams: number | null
  estimated_minutes: number | null
  order_id: string | null
  order_line_id: string | null
  due_at: Date | null
  notes: string | null
  /** The end of the queue unless told. */
  position?: number
  created_at: Date
  updated_at: Date
}

export async function insertJob(tx: Queryable, job: JobColumns): Promise<void> {
  await tx`insert into print_jobs ${tx(job as unknown as Record<string, string>)}`
}

export interface JobToChange {
  id: string
  item_id: string | null
  spool_id: string | null
  quantity: number
  status: PrintJobStatus
  attempt: number
}

/** Holds a job against other changes until the transaction ends; null if it is not there. */
export async function lockJob(tx: Queryable, id: string): Promise<JobToChange | null> {
  const [row] = await tx<JobToChange[]>`
    select id, item_id, spool_id, quantity, status, attempt from print_jobs where id = ${id} and deleted_at is null for update`
  return row ?? null
}

export interface JobChange {
  status: PrintJobStatus
  progress?: number
  good_quantity?: number
  rejected_quantity?: number
  failure_reason?: string | null
  hold_reason?: string | null
  agent?: string | null
  printer_id?: string | null
  spool_id?: string | null
  used_grams?: number
  started_at?: Date | null
  finished_at?: Date | null
}

export async function updateJob(tx: Queryable, id: string, change: JobChange, now: Date): Promise<void> {
  const row = { ...change, updated_at: now }
  await tx`
    update print_jobs set ${tx(row as unknown as Record<string, string>)}, revision = revision + 1 where id = ${id}`
}

export async function insertTransition(
  tx: Queryable,
  transition: {
    jobId: string
    from: PrintJobStatus | null
    to: PrintJobStatus
    reason?: string | null
    good?: number | null
    rejected?: number | null
  },
  by: AuditContext,
): Promise<void> {
  const row = {
    id: uuidv7(),
    print_job_id: transition.jobId,
    from_status: transition.from,
    to_status: transition.to,
    reason: transition.reason ?? null,
    good_quantity: transition.good ?? null,
    rejected_quantity: transition.rejected ?? null,
    ...actorColumns(by.actor),
    created_at: by.now,
  }
  await tx`insert into job_transitions ${tx(row as unknown as Record<string, string>)}`
}

/** What an item's job prints: its model and what a piece of it takes. Null for an item that is not there. */
export async function findItemToPrint(
  sql: Queryable,
  itemId: string,
): Promise<{ stl_file_id: string | null; weight_grams: number | null } | null> {
  const [row] = await sql<{ stl_file_id: string | null; weight_grams: number | null }[]>`
    select stl_file_id, weight_grams::float8 from stock_items where id = ${itemId} and deleted_at is null`
  return row ?? null
}

/** The same, with the item held against deletion until the transaction ends: jobs are printed for what is there. */
export async function holdItemToPrint(
  tx: Queryable,
  itemId: string,
): Promise<{ stl_file_id: string | null; weight_grams: number | null } | null> {
  const [row] = await tx<{ stl_file_id: string | null; weight_grams: number | null }[]>`
    select stl_file_id, weight_grams::float8 from stock_items where id = ${itemId} and deleted_at is null for share`
  return row ?? null
}

/** The file that a model stands for now; null for a model that is not there. */
export async function findVersionToPrint(sql: Queryable, modelId: string): Promise<string | null> {
  const [row] = await sql<{ current_version_id: string }[]>`
    select current_version_id from library_models where id = ${modelId} and deleted_at is null`
  return row?.current_version_id ?? null
}

export async function isLiveSpool(sql: Queryable, id: string): Promise<boolean> {
  const [row] = await sql`select 1 from stock_spools where id = ${id} and deleted_at is null`
  return row !== undefined
}

export async function isLiveOrder(sql: Queryable, id: string): Promise<boolean> {
  const [row] = await sql`select 1 from placed_orders where id = ${id} and deleted_at is null`
  return row !== undefined
}

/** The printer of a name, made where it is missing. */
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
  return row.id
}
