import type { ActorColumns } from '../../../platform/actor.ts'
import { firstRow } from '../../../platform/database/first-row.ts'
import type { Floats, Insert, Row } from '../../../platform/database/column-types.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { insertInto } from '../../../platform/database/write-rows.ts'
import { countUpToCap, newestFirst } from '../../../platform/database/list-queries.ts'
import type { PageRequest } from '../../../platform/http/paging.ts'

/** Writes an entry. Returns the spool's remaining grams, which a trigger updates. */
export async function insertLedgerEntry(tx: Queryable, entry: Insert<'spool_ledger'>): Promise<number> {
  const [row] = await tx<[{ after_grams: number }]>`
    ${insertInto(tx, 'spool_ledger', entry)}
    returning after_grams::float8`
  return row.after_grams
}

/** A ledger entry with the fields that people see. */
export interface EntryRow
  extends ActorColumns,
    Row<'spool_ledger', 'id' | 'spool_id' | 'kind' | 'reason' | 'print_job_id' | 'undoes_id' | 'created_at'>,
    Floats<
      'spool_ledger',
      'delta_grams' | 'before_grams' | 'after_grams' | 'reported_grams' | 'length_mm' | 'gross_grams'
    > {
  print_job_label: string | null
  is_undone: boolean
  can_undo: boolean
  last_at: string
}

/**
 * Selects ledger entries. An entry cannot be undone after the spool was weighed or corrected, because the
 * measured weight does not depend on earlier entries.
 */
const selectEntry = (sql: Queryable) => sql`
  select e.id, e.spool_id, e.kind, round(e.delta_grams, 2)::float8 as delta_grams,
         round(e.before_grams, 2)::float8 as before_grams, round(e.after_grams, 2)::float8 as after_grams,
         round(e.reported_grams, 2)::float8 as reported_grams, round(e.length_mm, 1)::float8 as length_mm,
         e.gross_grams::float8, e.reason, e.print_job_id, j.label_code as print_job_label, e.undoes_id,
         u.id is not null as is_undone,
         e.kind <> 'open' and e.undoes_id is null and u.id is null and not exists (
           select from spool_ledger m
           where m.spool_id = e.spool_id and (m.created_at, m.id) > (e.created_at, e.id)
             and m.kind in ('weigh', 'correct') and m.undoes_id is null
             and not exists (select from spool_ledger mu where mu.undoes_id = m.id)
         ) as can_undo,
         e.actor_kind, e.actor_id, e.actor_name, e.created_at, coalesce(e.last_at, e.created_at) as last_at
  from spool_ledger e
  left join spool_ledger u on u.undoes_id = e.id
  left join print_job_labels j on j.id = e.print_job_id`

export const listEntries = (sql: Queryable, spoolId: string, page: PageRequest): Promise<EntryRow[]> =>
  sql<EntryRow[]>`
    ${selectEntry(sql)}
    where e.spool_id = ${spoolId}
      ${newestFirst(sql, page, sql`e.created_at`, sql`e.id`)}`

export const countEntries = (sql: Queryable, spoolId: string): Promise<number> =>
  countUpToCap(sql, sql`select 1 from spool_ledger where spool_id = ${spoolId}`)

export const findEntry = (sql: Queryable, id: string) =>
  firstRow(sql<EntryRow[]>`${selectEntry(sql)} where e.id = ${id}`)

/** Returns the exact grams of an entry. `EntryRow` has only the rounded grams. */
export async function findDelta(sql: Queryable, id: string): Promise<number> {
  const [row] = await sql<[{ delta_grams: number }]>`
    select delta_grams::float8 from spool_ledger where id = ${id}`
  return row.delta_grams
}

/** Finds the newest entry of a spool if it is a use that this actor reported recently. Returns null otherwise. */
export async function findRunningUse(
  tx: Queryable,
  spoolId: string,
  by: { actorId: string | null; reportedSince: Date; begunSince: Date },
): Promise<string | null> {
  const [row] = await tx<{ id: string; is_running: boolean }[]>`
    select id, kind = 'use' and undoes_id is null and print_job_id is null and actor_id = ${by.actorId}
               and coalesce(last_at, created_at) >= ${by.reportedSince} and created_at >= ${by.begunSince}
               as is_running
    from spool_ledger where spool_id = ${spoolId}
    order by created_at desc, id desc limit 1`
  return row?.is_running ? row.id : null
}

/**
 * Adds a report to a running use. `grams` is the reported amount; `taken` is the part of it that was still on
 * the spool.
 */
export async function growUse(
  tx: Queryable,
  id: string,
  use: { grams: number; taken: number; lengthMm: number | null; now: Date },
): Promise<number> {
  const [row] = await tx<[{ after_grams: number }]>`
    update spool_ledger
    set delta_grams = delta_grams - ${use.taken}::numeric,
        reported_grams = case when reported_grams is not null or ${use.taken < use.grams}
                              then coalesce(reported_grams, -delta_grams) + ${use.grams}::numeric end,
        length_mm = case when length_mm is null and ${use.lengthMm}::numeric is null then null
                         else coalesce(length_mm, 0) + coalesce(${use.lengthMm}::numeric, 0) end,
        last_at = ${use.now}
    where id = ${id}
    returning after_grams::float8`
  return row.after_grams
}
