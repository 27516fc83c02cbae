import type { JobWait } from '@pegasus/contracts/print-queue/job-waits'
import type { PrintJobStatus } from '@pegasus/contracts/statuses'
import type { ActorColumns } from '../../../platform/actor.ts'
import type { Floats, Row } from '../../../platform/database/column-types.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { countUpToCap, newestFirst } from '../../../platform/database/list-queries.ts'
import type { PageRequest } from '../../../platform/http/paging.ts'
import { withWaits } from '../matching/waits-for.ts'
import { platesOfPrint, printOfFile, shareOfFile } from '../plates/plates.queries.ts'
import type { JobColumn } from './jobs.queries.ts'
import { plannedMinor } from './planned-costs.queries.ts'
import { queueOrder } from './queue-order.ts'

/** A print job with its model or item, spool and order. */
export interface ListedJob
  extends Row<
      'print_jobs',
      | 'id'
      | 'label_code'
      | 'stl_file_id'
      | JobColumn
      | 'assigned_printer_id'
      | 'agent'
      | 'attempt'
      | 'previous_job_id'
      | 'failure_reason'
      | 'hold_reason'
      | 'estimated_minutes'
      | 'print_minutes'
      | 'pieces_per_plate'
      | 'expected_rejects'
      | 'plates'
      | 'plates_done'
      | 'printer_id'
      | 'slice_id'
      | 'cost_minor'
      | 'order_id'
      | 'order_line_id'
      | 'due_at'
      | 'started_at'
      | 'finished_at'
      | 'notes'
      | 'revision'
      | 'created_at'
      | 'updated_at'
      | 'deleted_at'
    >,
    Floats<'print_jobs', 'progress' | 'estimated_grams' | 'used_grams'> {
  inventory_item_id: string | null
  inventory_item_name: string
  missing_quantity: number
  is_printed: boolean
  can_complete: boolean
  /** The running plate that is expected to end last. Its times are strings in PostgreSQL's JSON format. */
  current_plate: { started_at: string; ends_at: string | null; progress: number | null } | null
  /** Cost in minor units of the currency. */
  planned_cost_minor: number | null
  cost_is_measured: boolean | null
  stl_file_title: string | null
  /**
   * Whether there is a picture of the version that the job prints. For a job without a version, this is the
   * model's current version.
   */
  has_picture: boolean
  picture_version: string | null
  stl_version_number: number | null
  stl_current_version_number: number | null
  color_hex: string | null
  filament_id: string | null
  filament_label: string | null
  filament_remaining_grams: number | null
  printer: string | null
  slice_pieces: number | null
  slice_plates: number | null
  expected_start: string | null
  expected_end: string | null
  next_job_id: string | null
  merged_into_job_id: string | null
  order_number: string | null
}

/** A print job with the reasons why it waits. */
export interface PrintJobRow extends ListedJob {
  waits_for: JobWait[]
}

/**
 * Selects jobs for lists. Material and color are those that the job requests, otherwise those of its spool or item. A
 * requested color is only a name. If its spool or item has a color of that name, the hex value comes from there.
 */
const selectJob = (sql: Queryable) => sql`
  select j.id, j.label_code, j.item_id as inventory_item_id, coalesce(i.name, m.title) as inventory_item_name,
         m.id as stl_file_id, m.title as stl_file_title,
         coalesce(v.has_picture and m.deleted_at is null, false) as has_picture, v.picture_version,
         case when j.stl_version_id is not null then v.number end as stl_version_number,
         m.version_number as stl_current_version_number,
         j.quantity, j.good_quantity, j.rejected_quantity, j.status, j.priority, j.position,
         greatest(0, j.quantity - j.good_quantity - coalesce(r.pieces, 0))::int as missing_quantity,
         coalesce(r.is_printed, false) as is_printed,
         j.status in ('pending', 'in_progress') and not coalesce(r.is_in_print, false) as can_complete,
         r.current_plate,
         j.pieces_per_plate, j.expected_rejects, j.plates, j.plates_done, j.printer_id, j.slice_id,
         f.pieces as slice_pieces,
         case when r.slice_plates is not null then r.slice_plates
              when j.slice_id is not null then f.plates_per_print
              when j.finished_at is null then (select n.plates_per_print from newest_sliced_print(j.stl_version_id) n)
              end as slice_plates, j.print_minutes, j.cost_minor,
         ${plannedMinor(sql)} as planned_cost_minor,
         case when j.cost_minor is not null then (j.cost_snapshot ->> 'is_measured')::boolean end as cost_is_measured, j.order_line_id,
         coalesce(j.material, s.material, i.material_used) as material, c.color,
         '#' || coalesce(case when j.color is null or lower(j.color) = lower(s.color) then s.color_hex end,
                         case when lower(i.color) is not distinct from lower(c.color) then i.color_hex end) as color_hex,
         j.spool_id as filament_id, s.label_code as filament_label,
         s.remaining_grams::float8 as filament_remaining_grams, p.name as printer,
         j.match_strictness, j.assigned_printer_id, j.agent, j.attempt,
         e.expected_start, e.expected_end, j.previous_job_id, n.id as next_job_id, j.merged_into_id as merged_into_job_id, j.failure_reason, j.hold_reason, j.progress::float8, j.estimated_grams::float8,
         j.estimated_minutes, j.used_grams::float8, j.order_id, o.order_number, j.due_at, j.started_at, j.finished_at, j.notes, j.revision,
         j.created_at, j.updated_at, j.deleted_at
  from print_jobs j
  left join stock_items i on i.id = j.item_id
  left join library_models m on m.id = coalesce(j.stl_file_id, i.stl_file_id)
  left join library_versions v on v.id = coalesce(j.stl_version_id, m.current_version_id)
  left join stock_spools s on s.id = j.spool_id
  left join printers p on p.id = j.printer_id
  left join printable_slices f on f.id = j.slice_id
  left join placed_orders o on o.id = j.order_id
  left join print_jobs n on n.previous_job_id = j.id and n.deleted_at is null
  left join lateral (
    select min(starts_at) as expected_start, max(ends_at) as expected_end from planned_prints
    where print_job_id = j.id and j.status in ('pending', 'in_progress')
  ) e on true
  cross join lateral (
    select sum(d.pieces) as pieces, max(case when f.id is not null then ${platesOfPrint(sql, sql`d`, sql`f`)} end) as slice_plates, bool_and(d.state = 'printed') as is_printed,
           bool_and(d.state <> 'printed' and d.remote_name is not null and coalesce(m.kind not in ('manual', 'agent'), false)) as is_in_print,
           (array_agg(jsonb_build_object('started_at', d.started_at, 'ends_at', t.ends_at,
                                         'progress', case when d.agent is not null or d.progress > 0 then d.progress end)
                      order by t.ends_at desc nulls last, d.number) filter (where d.state <> 'printed'))[1] as current_plate
    from job_plates d
    left join printers m on m.id = d.printer_id
    left join printable_slices f on f.id = d.slice_id
    cross join lateral (
      select coalesce(m.finishes_at, d.started_at + make_interval(secs => (60 * coalesce(
               ${printOfFile(sql, sql`d`, sql`f`, 'minutes')} * ${shareOfFile(sql, sql`d`, sql`f`)},
               j.estimated_minutes::numeric * d.pieces / j.quantity))::float8)) as ends_at
    ) t
    where d.print_job_id = j.id and d.state in ('sending', 'printing', 'paused', 'printed')
  ) r
  cross join lateral (select nullif(coalesce(j.color, s.color, i.color), '') as color) c`

/** Filters for jobs that are not deleted. */
export interface JobFilter {
  /** Without a status, all unfinished jobs match. */
  status?: PrintJobStatus | undefined
  /** Only jobs whose pieces go into the stock of this item. */
  itemId?: string | undefined
  /** Only jobs that finished after this time and for which no new attempt was queued. */
  unresolvedSince?: string | undefined
}

const ofItem = (sql: Queryable, itemId: string | undefined) =>
  itemId === undefined ? sql`` : sql`and j.item_id = ${itemId}`

/**
 * Returns the SQL condition for the status. The unfinished statuses are literals in the statement instead of
 * parameters. Otherwise, PostgreSQL could not use the partial index of the queue.
 */
const inStatus = (sql: Queryable, status: PrintJobStatus | undefined) =>
  status === undefined ? sql`j.status in ('pending', 'in_progress', 'on_hold')` : sql`j.status = ${status}`

const isUnresolved = (sql: Queryable, since: string | undefined) =>
  since === undefined
    ? sql``
    : sql`and j.finished_at > ${since}::timestamptz and not exists (
        select from print_jobs a where a.previous_job_id = j.id and a.deleted_at is null)`

const matching = (sql: Queryable, { status, itemId, unresolvedSince }: JobFilter) => sql`
  j.deleted_at is null and ${inStatus(sql, status)} ${ofItem(sql, itemId)} ${isUnresolved(sql, unresolvedSince)}`

/** Lists unfinished jobs in queue order. */
export function listQueue(
  sql: Queryable,
  filter: JobFilter,
  { cursor, limit }: PageRequest,
): Promise<ListedJob[]> {
  const [priority = 0, position = 0] = cursor?.ranks ?? []
  return sql<ListedJob[]>`
    ${selectJob(sql)}
    where ${matching(sql, filter)}
      ${cursor ? sql`and (${queueOrder(sql)}) > (${priority}::int, ${position}::bigint, ${cursor.createdAt}::timestamptz, ${cursor.id}::uuid)` : sql``}
    order by ${queueOrder(sql)}
    limit ${sql.literal(limit + 1)}`
}

/** Lists finished jobs, latest first. */
export const listFinished = (sql: Queryable, filter: JobFilter, page: PageRequest): Promise<ListedJob[]> =>
  sql<ListedJob[]>`
    ${selectJob(sql)}
    where ${matching(sql, filter)} and j.finished_at is not null
      ${newestFirst(sql, page, sql`j.finished_at`, sql`j.id`)}`

/** Filter for the trash. Without a status, jobs with any status match. */
interface TrashFilter {
  since: Date
  status?: PrintJobStatus | undefined
  itemId?: string | undefined
}

const inTrash = (sql: Queryable, { since, status, itemId }: TrashFilter) => sql`
  j.deleted_at > ${since} ${status ? sql`and j.status = ${status}` : sql``} ${ofItem(sql, itemId)}`

/** Lists deleted jobs, latest first. */
export const listTrash = (sql: Queryable, filter: TrashFilter, page: PageRequest): Promise<ListedJob[]> =>
  sql<ListedJob[]>`
    ${selectJob(sql)}
    where ${inTrash(sql, filter)}
      ${newestFirst(sql, page, sql`j.deleted_at`, sql`j.id`)}`

export const countTrash = (sql: Queryable, filter: TrashFilter): Promise<number> =>
  countUpToCap(sql, sql`select 1 from print_jobs j where ${inTrash(sql, filter)}`)

/** Returns one job, or null if it does not exist. */
export async function findJobRow(sql: Queryable, id: string): Promise<PrintJobRow | null> {
  const rows = await sql<ListedJob[]>`${selectJob(sql)} where j.id = ${id} and j.deleted_at is null`
  const [row] = await withWaits(sql, rows)
  return row ?? null
}

/** Returns jobs, sorted by id. Jobs that do not exist are left out. */
export async function findJobRows(sql: Queryable, ids: readonly string[]): Promise<PrintJobRow[]> {
  const rows = await sql<ListedJob[]>`
    ${selectJob(sql)} where j.id = any(${[...ids]}::uuid[]) and j.deleted_at is null order by j.id`
  return withWaits(sql, rows)
}

export const countJobs = (sql: Queryable, filter: JobFilter): Promise<number> =>
  countUpToCap(sql, sql`select 1 from print_jobs j where ${matching(sql, filter)}`)

/** A transition of a job. */
export type TransitionRow = ActorColumns &
  Row<
    'job_transitions',
    | 'id'
    | 'from_status'
    | 'to_status'
    | 'reason'
    | 'good_quantity'
    | 'rejected_quantity'
    | 'other_job_id'
    | 'created_at'
  > & { other_job_code: string | null }

/** Returns all transitions of a job, latest first. There is no paging, because a job has only a few. */
export const listTransitions = (sql: Queryable, jobId: string): Promise<TransitionRow[]> =>
  sql<TransitionRow[]>`
    select t.id, t.from_status, t.to_status, t.reason, t.good_quantity, t.rejected_quantity, t.actor_kind, t.actor_id,
           t.actor_name, t.created_at, o.id as other_job_id, o.label_code as other_job_code
    from job_transitions t left join print_jobs o on o.id = t.other_job_id and o.deleted_at is null
    where t.print_job_id = ${jobId}
    order by t.created_at desc, t.id desc`
