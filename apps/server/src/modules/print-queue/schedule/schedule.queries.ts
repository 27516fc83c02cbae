import type { PlannedPrint } from '@pegasus/contracts/print-queue/schedule'
import type { Row } from '../../../platform/database/column-types.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { insertInto } from '../../../platform/database/write-rows.ts'
import { queueOrder } from '../jobs/queue-order.ts'
import { DUE_WITHOUT_DATE_MS } from './plan-day.ts'
import type { PlannedRun } from './planned-run.ts'

/** Maximum number of jobs in one plan. In the order of `listJobsToPlan`, all further jobs are left out. */
const MAX_PLANNED_JOBS = 2000

/**
 * Returns the jobs to plan, most important first: assigned and running jobs, then the others by the hour in which they
 * are due (`dueHourOf` in plan-day.ts), each in queue order.
 */
export async function listJobsToPlan(sql: Queryable): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select j.id from print_jobs j where j.deleted_at is null and j.status in ('pending', 'in_progress')
    order by j.assigned_printer_id is null and j.status = 'pending',
             case when j.assigned_printer_id is null and j.status = 'pending' then coalesce(
               floor(extract(epoch from j.due_at) / 3600),
               ceil(extract(epoch from j.created_at + ${DUE_WITHOUT_DATE_MS} * interval '1 millisecond') / 86400) * 24)
             end,
             ${queueOrder(sql)}
    limit ${sql.literal(MAX_PLANNED_JOBS)}`
  return rows.map(({ id }) => id)
}

/** Returns a string that changes whenever the data of a plan changes. It does not depend on the time. */
export async function readPlanStamp(sql: Queryable): Promise<string> {
  const [row] = await sql<[{ stamp: string }]>`
    select concat_ws(' ',
      (select concat_ws(',', count(*), max(updated_at), sum(revision), sum(position)) from print_jobs
       where deleted_at is null and status in ('pending', 'in_progress')),
      (select concat_ws(',', count(*), max(started_at)) from job_plates
       where state in ('sending', 'printing', 'paused', 'printed')),
      (select string_agg(concat_ws(',', id, state, state_until, finishes_at, revision, agent_facts,
                                   seen_at is not distinct from silence_of), ' ' order by id) from printers
       where deleted_at is null),
      (select string_agg(concat_ws(',', printer_id, slot, spool_id), ' ' order by printer_id, slot) from printer_slots),
      (select concat_ws(',', count(*), max(updated_at)) from sliced_files where deleted_at is null),
      (select concat_ws(',', count(*), max(updated_at)) from spools where deleted_at is null)) as stamp`
  return row.stamp
}

/**
 * Takes a lock so that only one plan is made at a time. If another process is planning, returns false. If `isForced` is
 * set, waits for that process instead.
 */
export async function lockPlan(tx: Queryable, isForced: boolean): Promise<boolean> {
  if (isForced) {
    await tx`select pg_advisory_xact_lock(hashtextextended('print-queue-plan', 0))`
    return true
  }
  const [row] = await tx<[{ is_ours: boolean }]>`
    select pg_try_advisory_xact_lock(hashtextextended('print-queue-plan', 0)) as is_ours`
  return row.is_ours
}

/** A planned start or end that moves by less than this time counts as unchanged. */
const TOLERANCE_MS = 2 * 60_000

type SavedRun = Row<
  'planned_prints',
  | 'printer_id'
  | 'n'
  | 'print_job_id'
  | 'plates'
  | 'pieces'
  | 'starts_at'
  | 'ends_at'
  | 'is_running'
  | 'is_guess'
  | 'spool_id'
>

/** A spool that has to be loaded before a print, in the format of the table. */
interface SavedLoad {
  spool_id: string
  slot: number | null
}

const isNear = (saved: string, planned: number): boolean =>
  Math.abs(Date.parse(saved) - planned) < TOLERANCE_MS

const isSame = (saved: SavedRun & { loads: SavedLoad[] }, run: PlannedRun): boolean =>
  saved.print_job_id === run.jobId &&
  saved.plates === run.plates &&
  saved.pieces === run.pieces &&
  saved.is_running === run.isRunning &&
  saved.is_guess === run.isGuess &&
  saved.loads.length === run.loads.length &&
  run.loads.every(({ spoolId, slot }, at) => {
    const load = saved.loads[at]
    return load?.spool_id === spoolId && load.slot === slot
  }) &&
  isNear(saved.starts_at, run.startsAt) &&
  isNear(saved.ends_at, run.endsAt)

const AT_ONCE = 500

/** Saves only what differs from the saved plan. Returns the ids of the jobs whose plan has changed. */
export async function savePlan(tx: Queryable, runs: readonly PlannedRun[]): Promise<Set<string>> {
  const savedByPlace = new Map(
    (
      await tx<(SavedRun & { loads: SavedLoad[] })[]>`
      select printer_id, n, print_job_id, plates, pieces, starts_at, ends_at, is_running, is_guess, spool_id, loads
      from planned_prints`
    ).map((row) => [`${row.printer_id} ${row.n}`, row]),
  )
  const changedJobs = new Set<string>()
  const places = new Map<string, number>()
  const changed: Parameters<typeof insertInto<'planned_prints'>>[2] & unknown[] = []
  for (const run of runs) {
    const n = (places.get(run.printerId) ?? 0) + 1
    places.set(run.printerId, n)
    const key = `${run.printerId} ${n}`
    const before = savedByPlace.get(key)
    savedByPlace.delete(key)
    if (before && isSame(before, run)) continue
    changedJobs.add(run.jobId)
    if (before) changedJobs.add(before.print_job_id)
    changed.push({
      printer_id: run.printerId,
      n,
      print_job_id: run.jobId,
      plates: run.plates,
      pieces: run.pieces,
      starts_at: new Date(run.startsAt),
      ends_at: new Date(run.endsAt),
      is_running: run.isRunning,
      is_guess: run.isGuess,
      spool_id: run.loads[0]?.spoolId ?? null,
      loads: run.loads.map(({ spoolId, slot }) => ({ spool_id: spoolId, slot })),
    })
  }
  for (const gone of savedByPlace.values()) changedJobs.add(gone.print_job_id)
  if (savedByPlace.size > 0) {
    const gone = [...savedByPlace.values()]
    await tx`
      delete from planned_prints p using unnest(${gone.map((row) => row.printer_id)}::uuid[], ${gone.map(({ n }) => n)}::int[]) as g (printer_id, n)
      where p.printer_id = g.printer_id and p.n = g.n`
  }
  for (let from = 0; from < changed.length; from += AT_ONCE)
    await tx`
      ${insertInto(tx, 'planned_prints', changed.slice(from, from + AT_ONCE))}
      on conflict (printer_id, n) do update
      set print_job_id = excluded.print_job_id, plates = excluded.plates, pieces = excluded.pieces,
          starts_at = excluded.starts_at, ends_at = excluded.ends_at, is_running = excluded.is_running,
          is_guess = excluded.is_guess, spool_id = excluded.spool_id, loads = excluded.loads`
  return changedJobs
}

/** A job with the data that the schedule shows. */
export interface ScheduledJobRow extends Row<'print_jobs', 'label_code' | 'due_at' | 'assigned_printer_id'> {
  print_job_id: string
  name: string
  stl_file_id: string | null
  has_picture: boolean
  picture_version: string | null
  color_hex: string | null
  order_number: string | null
}

/** Planned plates of a job on a printer, with the data that the schedule shows. */
export interface ShownRun extends ScheduledJobRow, Omit<SavedRun, 'print_job_id'> {
  /** The spools to load before the print, in the order of loading. */
  loads: PlannedPrint['loads']
  /** The time at which the last plate of the job ends, on any printer. */
  job_ends_at: string
}

const jobColumns = (sql: Queryable) => sql`
  j.id as print_job_id, j.label_code, j.due_at, j.assigned_printer_id, coalesce(i.name, m.title) as name,
  m.id as stl_file_id, coalesce(v.has_picture and m.deleted_at is null, false) as has_picture, v.picture_version,
  '#' || coalesce(s.color_hex, i.color_hex) as color_hex, o.order_number`

const jobTables = (sql: Queryable) => sql`
  left join stock_items i on i.id = j.item_id
  left join library_models m on m.id = coalesce(j.stl_file_id, i.stl_file_id)
  left join library_versions v on v.id = coalesce(j.stl_version_id, m.current_version_id)
  left join stock_spools s on s.id = j.spool_id
  left join placed_orders o on o.id = j.order_id`

/** Returns the saved plan, sorted by printer and order of printing. */
export const listPlannedRuns = (sql: Queryable): Promise<ShownRun[]> =>
  sql<ShownRun[]>`
    select p.printer_id, p.n, p.plates, p.pieces, p.starts_at, p.ends_at, p.is_running, p.is_guess, p.spool_id,
           l.loads, max(p.ends_at) over (partition by p.print_job_id) as job_ends_at, ${jobColumns(sql)}
    from planned_prints p
    join print_jobs j on j.id = p.print_job_id and j.deleted_at is null and j.status in ('pending', 'in_progress')
    cross join lateral (
      select coalesce(jsonb_agg(jsonb_build_object('filament_id', s.id, 'filament_label', s.label_code,
                                                   'slot', (w.load->>'slot')::int) order by w.n), '[]') as loads
      from jsonb_array_elements(p.loads) with ordinality w (load, n)
      join stock_spools s on s.id = (w.load->>'spool_id')::uuid
    ) l
    ${jobTables(sql)}
    order by p.printer_id, p.n`

const MAX_UNPLANNED = 100

/** A job that is not in the plan. `total` is the number of all such jobs. */
type UnplannedRow = ScheduledJobRow & { total: number }

/** Returns the first pending jobs that are not in the plan, in queue order. */
export const listUnplannedJobs = (sql: Queryable): Promise<UnplannedRow[]> =>
  sql<UnplannedRow[]>`
    select ${jobColumns(sql)}, (count(*) over ())::int as total
    from print_jobs j ${jobTables(sql)}
    where j.deleted_at is null and j.status = 'pending'
      and not exists (select from planned_prints p where p.print_job_id = j.id)
    order by ${queueOrder(sql)} limit ${sql.literal(MAX_UNPLANNED)}`

/** A job in the plan of a printer, with its sort keys in the queue. */
export interface PlaceInDay
  extends Row<'print_jobs', 'id' | 'priority' | 'position' | 'assigned_printer_id' | 'created_at'> {
  printer_id: string
  /** Number of printers that share the plates of the job. */
  printers: number
}

/** Returns the jobs that are planned next on each printer, or on one printer. Running prints are left out. */
export const listDays = (sql: Queryable, printerId: string | null): Promise<PlaceInDay[]> =>
  sql<PlaceInDay[]>`
    select j.id, j.priority, j.position, j.assigned_printer_id, j.created_at, p.printer_id,
           (select count(distinct o.printer_id)::int from planned_prints o
            where o.print_job_id = j.id) as printers
    from (select printer_id, print_job_id, min(n) as n from planned_prints where not is_running
          group by printer_id, print_job_id) p
    join print_jobs j on j.id = p.print_job_id and j.deleted_at is null and j.status in ('pending', 'in_progress')
    where ${printerId}::uuid is null or p.printer_id = ${printerId}::uuid
    order by p.printer_id, p.n`

/**
 * Returns the unfinished job that follows another job in the queue, or null if there is none. The job `exceptId` is
 * skipped.
 */
export async function findNextInQueue(sql: Queryable, id: string, exceptId: string): Promise<string | null> {
  const [row] = await sql<{ id: string }[]>`
    select n.id from print_jobs n join print_jobs j on j.id = ${id}
    where n.deleted_at is null and n.status in ('pending', 'in_progress', 'on_hold') and n.id <> ${exceptId}
      and (${queueOrder(sql, 'n')}) > (${queueOrder(sql)})
    order by ${queueOrder(sql, 'n')} limit 1`
  return row?.id ?? null
}

/** Locks the jobs that have not ended, in the order of their ids, until the end of the transaction. */
export const lockJobsToPlan = (tx: Queryable, ids: readonly string[]) =>
  tx<Row<'print_jobs', 'id' | 'label_code' | 'assigned_printer_id'>[]>`
    select id, label_code, assigned_printer_id from print_jobs
    where id = any (${[...ids]}::uuid[]) and deleted_at is null and status in ('pending', 'in_progress', 'on_hold')
    order by id for update`

/** Locks printers until the transaction ends, in the order of their ids. Returns the ids of those that exist. */
export async function lockPrinters(tx: Queryable, ids: readonly string[]): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    select id from printers where id = any (${[...ids]}::uuid[]) and deleted_at is null order by id for update`
  return rows.map(({ id }) => id)
}

/** Assigns each of the jobs to its planned printer. */
export async function saveAssignments(
  tx: Queryable,
  places: readonly Pick<PlaceInDay, 'id' | 'printer_id'>[],
  now: Date,
): Promise<void> {
  await tx`
    update print_jobs j
    set assigned_printer_id = p.printer_id, assigned_anyway = false, updated_at = ${now}, revision = j.revision + 1
    from unnest(${places.map(({ id }) => id)}::uuid[], ${places.map((each) => each.printer_id)}::uuid[]) p (id, printer_id)
    where j.id = p.id`
}
