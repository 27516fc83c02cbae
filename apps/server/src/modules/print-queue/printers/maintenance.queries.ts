import type { ActorColumns } from '../../../platform/actor.ts'
import type { Insert, Row, Update } from '../../../platform/database/column-types.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { insertInto, updateTable } from '../../../platform/database/write-rows.ts'

export type PlanRow = Row<
  'maintenance_plans',
  'id' | 'name' | 'every_hours' | 'every_days' | 'done_at_minutes' | 'done_at'
>

export const listPlans = (sql: Queryable, printerId: string): Promise<PlanRow[]> =>
  sql<PlanRow[]>`
    select id, name, every_hours, every_days, done_at_minutes, done_at from maintenance_plans
    where printer_id = ${printerId} and deleted_at is null order by lower(name), id`

export async function insertPlan(tx: Queryable, plan: Insert<'maintenance_plans'>): Promise<void> {
  await insertInto(tx, 'maintenance_plans', plan)
}

/** Changes a plan. The caller has locked its printer. */
export async function updatePlan(
  tx: Queryable,
  id: string,
  change: Update<'maintenance_plans'>,
): Promise<void> {
  await tx`${updateTable(tx, 'maintenance_plans', change)} where id = ${id}`
}

/** Ends an active plan of a printer. Returns its name, or null if there is no such plan. */
export async function endPlan(
  tx: Queryable,
  { id, printerId }: { id: string; printerId: string },
  now: Date,
): Promise<string | null> {
  const [row] = await tx<{ name: string }[]>`
    update maintenance_plans set deleted_at = ${now}
    where id = ${id} and printer_id = ${printerId} and deleted_at is null returning name`
  return row?.name ?? null
}

/** Restarts an active plan of a printer. Returns false if there is no such plan. */
export async function restartPlan(
  tx: Queryable,
  { id, printerId, printedMinutes }: { id: string; printerId: string; printedMinutes: number },
  now: Date,
): Promise<boolean> {
  const rows = await tx`
    update maintenance_plans set done_at = ${now}, done_at_minutes = ${printedMinutes}
    where id = ${id} and printer_id = ${printerId} and deleted_at is null returning id`
  return rows.length > 0
}

/**
 * Shifts the printed minutes at the last maintenance of all plans of a printer, after its total printing time was
 * corrected by this many minutes.
 */
export async function movePlans(tx: Queryable, printerId: string, minutes: number): Promise<void> {
  await tx`
    update maintenance_plans set done_at_minutes = done_at_minutes + ${minutes}
    where printer_id = ${printerId} and deleted_at is null`
}

export type EntryRow = ActorColumns &
  Row<'maintenance_log', 'id' | 'plan_id' | 'done' | 'printed_minutes' | 'created_at'>

/** Returns the last 100 entries of a printer's maintenance log, newest first. */
export const listEntries = (sql: Queryable, printerId: string): Promise<EntryRow[]> =>
  sql<EntryRow[]>`
    select id, plan_id, done, printed_minutes, actor_kind, actor_id, actor_name, created_at from maintenance_log
    where printer_id = ${printerId} order by created_at desc, id desc limit 100`

export async function insertEntry(tx: Queryable, entry: Insert<'maintenance_log'>): Promise<void> {
  await insertInto(tx, 'maintenance_log', entry)
}
