import type {
  AgentFacts,
  BedMm,
  Printer,
  PrinterSlot,
  PrinterSort,
  PrinterState,
} from '@pegasus/contracts/print-queue/printers'
import type { Floats, Insert, Row, Update } from '../../../platform/database/column-types.ts'
import { firstRow } from '../../../platform/database/first-row.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { countUpToCap } from '../../../platform/database/list-queries.ts'
import { type Fragment, matchesEveryWord } from '../../../platform/database/search-patterns.ts'
import { insertInto, updateRevised } from '../../../platform/database/write-rows.ts'
import { queueOrder } from '../jobs/queue-order.ts'
import { printOfFile, shareOfFile } from '../plates/plates.queries.ts'
import { FIRST_UNATTENDED, floorGroup, printEnd } from './floor-order.ts'

/** A job on a printer, with the data to sign the path of its picture. */
interface JobOnPrinter {
  id: string
  label_code: string
  name: string
  stl_file_id: string | null
  has_picture: boolean
  picture_version: string | null
}

interface CurrentJob extends JobOnPrinter {
  plate_id: string
  plate_number: number
  plates: number
  pieces: number
  plate_state: string
  note: string | null
  estimated_minutes: number | null
  started_at: string
}

export interface MaintenanceRhythm {
  name: string
  every_hours: number | null
  every_days: number | null
  done_at_minutes: number
  done_at: string
}

/** A printer with its slots, location, jobs and maintenance. Money is in minor units. */
export interface PrinterRow
  extends Row<
      'printers',
      | 'id'
      | 'number'
      | 'name'
      | 'model'
      | 'kind'
      | 'state'
      | 'state_reason'
      | 'state_until'
      | 'average_watts'
      | 'machine_minor_per_hour'
      | 'location_id'
      | 'address'
      | 'has_camera'
      | 'photo_key'
      | 'takes_jobs'
      | 'seen_at'
      | 'silence_of'
      | 'finishes_at'
      | 'printed_minutes'
      | 'finished_plates'
      | 'failed_plates'
      | 'notes'
      | 'revision'
      | 'created_at'
      | 'updated_at'
      | 'deleted_at'
    >,
    Floats<'printers', 'nozzle_mm' | 'progress'> {
  label_code: string
  bed_mm: BedMm | null
  agent_facts: AgentFacts | null
  has_api_key: boolean
  location: string | null
  slots: PrinterSlot[]
  maintenance: MaintenanceRhythm[]
  spool_to_load: Printer['spool_to_load']
  current_job: CurrentJob | null
  next_job: JobOnPrinter | null
  proposed_job: JobOnPrinter | null
}

/** The id, label code, name and picture data of a job `j`, as arguments for `jsonb_build_object`. */
const jobParts = (sql: Queryable) => sql`
  'id', j.id, 'label_code', j.label_code, 'name', coalesce(i.name, m.title), 'stl_file_id', m.id,
  'has_picture', coalesce(v.has_picture and m.deleted_at is null, false), 'picture_version', v.picture_version`

const withModel = (sql: Queryable) => sql`
  left join stock_items i on i.id = j.item_id
  left join library_models m on m.id = coalesce(j.stl_file_id, i.stl_file_id)
  left join library_versions v on v.id = coalesce(j.stl_version_id, m.current_version_id)`

/**
 * Selects printers with additional columns `more`. `printers` is the table or a query with its columns. Its alias in
 * the statement is `p`.
 */
const selectPrinter = (sql: Queryable, printers: Fragment, more: Fragment = sql``) => sql`
  select p.id, p.label_code, p.number, p.name, p.model, p.kind, p.state, p.state_reason, p.state_until, p.bed_mm,
         p.nozzle_mm::float8,
         case when p.kind = 'agent' and p.agent_facts <> '{}'
              then jsonb_build_object('bed_mm', p.agent_facts -> 'bed_mm', 'nozzle_mm', p.agent_facts -> 'nozzle_mm',
                                      'materials', p.agent_facts -> 'materials', 'file_types', p.agent_facts -> 'file_types',
                                      'stated_at', p.agent_facts_at) end as agent_facts,
         p.average_watts, p.machine_minor_per_hour, p.location_id, l.path as location, p.address,
         p.api_key_sealed is not null as has_api_key, p.has_camera, p.photo_key, p.takes_jobs, p.seen_at, p.silence_of, p.progress::float8, p.finishes_at,
         p.printed_minutes, p.finished_plates, p.failed_plates, p.notes, p.revision, p.created_at, p.updated_at,
         p.deleted_at, o.slots, t.maintenance, c.current_job, n.next_job, x.proposed_job, w.spool_to_load ${more}
  from ${printers} p
  left join scannable_locations l on l.id = p.location_id
  cross join lateral (
    select coalesce(jsonb_agg(jsonb_build_object(
             'slot', s.slot, 'filament_id', f.id, 'filament_label', f.label_code, 'material', f.material,
             'color', nullif(f.color, ''), 'color_hex', '#' || f.color_hex,
             'remaining_grams', round(f.remaining_grams, 2)) order by s.slot), '[]') as slots
    from printer_slots s left join stock_spools f on f.id = s.spool_id
    where s.printer_id = p.id
  ) o
  cross join lateral (
    select coalesce(jsonb_agg(jsonb_build_object(
             'name', a.name, 'every_hours', a.every_hours, 'every_days', a.every_days,
             'done_at_minutes', a.done_at_minutes, 'done_at', a.done_at) order by a.name), '[]') as maintenance
    from maintenance_plans a where a.printer_id = p.id and a.deleted_at is null
  ) t
  left join lateral (
    select jsonb_build_object(${jobParts(sql)}, 'plate_id', r.id, 'plate_number', r.number, 'plates', j.plates,
                              'pieces', r.pieces, 'plate_state', r.state,
                              'note', case r.state when 'printed' then r.failure_reason end, 'started_at', r.started_at,
                              'estimated_minutes', round(coalesce(${printOfFile(sql, sql`r`, sql`g`, 'minutes')} * ${shareOfFile(sql, sql`r`, sql`g`)},
                                                            j.estimated_minutes::numeric * r.pieces / j.quantity))
           ) as current_job
    from job_plates r join print_jobs j on j.id = r.print_job_id
    left join printable_slices g on g.id = r.slice_id ${withModel(sql)}
    where r.printer_id = p.id and r.state in ('sending', 'printing', 'paused', 'printed')
  ) c on true
  left join lateral (
    select jsonb_build_object(${jobParts(sql)}) as next_job
    from (
      select * from print_jobs w
      where w.assigned_printer_id = p.id and w.deleted_at is null and w.status = 'pending'
      order by ${queueOrder(sql, 'w')} limit 1
    ) j ${withModel(sql)}
  ) n on true
  left join lateral (
    select jsonb_build_object(${jobParts(sql)}) as proposed_job
    from (
      select w.* from planned_prints d join print_jobs w on w.id = d.print_job_id
      where d.printer_id = p.id and not d.is_running
        and w.assigned_printer_id is null and w.deleted_at is null and w.status in ('pending', 'in_progress')
      order by d.n limit 1
    ) j ${withModel(sql)}
  ) x on true
  left join lateral (
    select jsonb_build_object('filament_id', f.id, 'filament_label', f.label_code, 'material', f.material,
                              'color', nullif(f.color, '')) as spool_to_load
    from planned_prints d join stock_spools f on f.id = d.spool_id
    where d.printer_id = p.id and d.n = 1 and not d.is_running and p.state = 'available'
  ) w on true`

export interface PrinterFilter {
  search?: string | undefined
  state?: PrinterState | undefined
  /** Lists only the printer in which this spool is loaded. */
  spoolId?: string | undefined
  needsPerson?: boolean | undefined
  /** If given, lists instead the printers that were deleted after this time. */
  inTrashSince?: Date | undefined
}

const matching = (
  sql: Queryable,
  { search, state, spoolId, needsPerson, inTrashSince }: PrinterFilter,
  now: Date,
) => sql`
  ${inTrashSince ? sql`p.deleted_at > ${inTrashSince}` : sql`p.deleted_at is null`}
  ${state ? sql`and p.state = ${state}` : sql``}
  ${spoolId ? sql`and exists (select from printer_slots s where s.printer_id = p.id and s.spool_id = ${spoolId})` : sql``}
  ${needsPerson ? sql`and ${floorGroup(sql, now)} < ${FIRST_UNATTENDED}` : sql``}
  ${matchesEveryWord(
    sql,
    search,
    (pattern) => sql`lower(concat_ws(' ', p.name, p.model, p.label_code)) like ${pattern}`,
  )}`

/** A printer in a list, with the values by which the order `attention` sorts it. */
export interface ListedPrinter extends PrinterRow {
  floor_group: number
  floor_end: number
}

/** Returns the SQL condition for the printers after a cursor with these sort keys (see `ranksOf`). */
function after(sql: Queryable, sort: PrinterSort, ranks: readonly number[]): Fragment {
  const number = ranks.at(-1) ?? 0
  switch (sort) {
    case 'newest':
      return sql`p.number < ${number}::bigint`
    case 'number':
      return sql`p.number > ${number}::bigint`
    case 'name':
      return sql`(lower(p.name), p.number) > (select lower(l.name), l.number from printers l where l.number = ${number}::bigint)`
    case 'attention':
      return sql`(f.floor_group, f.floor_end, p.number) > (${ranks[0] ?? 0}::int, ${ranks[1] ?? 0}::bigint, ${number}::bigint)`
  }
}

const orderOf = (sql: Queryable, sort: PrinterSort): Fragment => {
  if (sort === 'newest') return sql`p.number desc`
  if (sort === 'number') return sql`p.number`
  return sort === 'name' ? sql`lower(p.name), p.number` : sql`floor_group, floor_end, p.number`
}

/**
 * Returns the sort keys of a printer for a cursor. Each order has a different number of keys, so that a cursor of one
 * order is invalid in another. The cursor of the order by name contains only the number of the printer, because the
 * query looks up its name.
 */
export function ranksOf(sort: PrinterSort, row: ListedPrinter): number[] {
  if (sort === 'newest') return [0, 0, 0, row.number]
  if (sort === 'number') return [row.number]
  return sort === 'name' ? [0, row.number] : [row.floor_group, row.floor_end, row.number]
}

/** Number of sort keys in a cursor of each sort order. */
export const RANK_COUNTS: Readonly<Record<PrinterSort, number>> = {
  newest: 4,
  number: 1,
  name: 2,
  attention: 3,
}

interface PrinterPage {
  sort: PrinterSort
  /** The sort keys of the last printer on the page before; null for the first page. */
  ranks: readonly number[] | null
  limit: number
  now: Date
}

/**
 * Lists printers. Returns up to `limit` + 1 rows, so that the caller can tell whether there is a next page. The page is
 * chosen before slots and jobs are read, so that a long list costs little.
 */
export const listPrinters = (
  sql: Queryable,
  filter: PrinterFilter,
  { sort, ranks, limit, now }: PrinterPage,
): Promise<ListedPrinter[]> =>
  sql<ListedPrinter[]>`
    ${selectPrinter(
      sql,
      sql`(
        select p.*, f.floor_group, f.floor_end
        from printers p
        cross join lateral (select ${floorGroup(sql, now)} as floor_group, ${printEnd(sql)} as floor_end) f
        where ${matching(sql, filter, now)} ${ranks === null ? sql`` : sql`and ${after(sql, sort, ranks)}`}
        order by ${orderOf(sql, sort)}
        limit ${sql.literal(limit + 1)}
      )`,
      sql`, p.floor_group, p.floor_end`,
    )}
    order by ${orderOf(sql, sort)}`

export const countPrinters = (sql: Queryable, filter: PrinterFilter, now: Date): Promise<number> =>
  countUpToCap(sql, sql`select 1 from printers p where ${matching(sql, filter, now)}`)

/** Returns one printer, or null if it does not exist. */
export const findPrinter = (sql: Queryable, id: string) =>
  firstRow(
    sql<PrinterRow[]>`${selectPrinter(sql, sql`printers`)} where p.id = ${id} and p.deleted_at is null`,
  )

export type PrinterToChange = Row<
  'printers',
  'id' | 'name' | 'kind' | 'state' | 'state_reason' | 'address' | 'seen_at' | 'revision' | 'deleted_at'
> & {
  /** Whether the progress of the running print was reported. */
  has_progress: boolean
}

/**
 * Returns a printer, locked until the transaction ends. If `since` is given, a printer that was deleted after
 * that time is also found. Lock the job first.
 */
export const lockPrinter = (tx: Queryable, id: string, since: Date | null = null) =>
  firstRow(tx<PrinterToChange[]>`
    select id, name, kind, state, state_reason, address, seen_at, revision, deleted_at,
           progress is not null as has_progress
    from printers
    where id = ${id} and (deleted_at is null or deleted_at > ${since}) for update`)

/** Inserts a printer. Returns false if a printer with this name exists. */
export async function insertPrinter(tx: Queryable, printer: Insert<'printers'>): Promise<boolean> {
  const rows = await tx`
    ${insertInto(tx, 'printers', printer)}
    on conflict (lower(name)) where deleted_at is null do nothing returning id`
  return rows.length > 0
}

export const updatePrinter = (tx: Queryable, id: string, change: Update<'printers'>, now: Date) =>
  updateRevised(tx, 'printers', id, change, now)

/** Returns the keys of the newest photos. */
export async function listPhotoKeys(sql: Queryable, limit: number): Promise<string[]> {
  const rows = await sql<{ key: string }[]>`
    select photo_key as key from printers where photo_key is not null order by updated_at desc limit ${limit}`
  return rows.map((row) => row.key)
}

/** Returns whether another printer that is not deleted has this name. */
export async function isNameTaken(tx: Queryable, name: string, exceptId: string): Promise<boolean> {
  const [row] = await tx`
    select 1 from printers where lower(name) = lower(${name}) and deleted_at is null and id <> ${exceptId}`
  return row !== undefined
}

/**
 * Returns whether the printer has a plate: being sent, printing, paused, or printed but not yet taken off.
 */
export async function hasPlate(sql: Queryable, printerId: string): Promise<boolean> {
  const [row] = await sql`
    select 1 from job_plates
    where printer_id = ${printerId} and state in ('sending', 'printing', 'paused', 'printed')`
  return row !== undefined
}
