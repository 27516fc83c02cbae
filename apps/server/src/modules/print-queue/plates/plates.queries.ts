import type { Floats, Insert, Row, Update } from '../../../platform/database/column-types.ts'
import { firstRow } from '../../../platform/database/first-row.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import type { Fragment } from '../../../platform/database/search-patterns.ts'
import { insertInto, updateTable } from '../../../platform/database/write-rows.ts'

/** The columns of a plate that are needed to change it. */
export type PlateRow = Row<
  'job_plates',
  | 'id'
  | 'print_job_id'
  | 'number'
  | 'printer_id'
  | 'slice_id'
  | 'spool_id'
  | 'state'
  | 'pieces'
  | 'agent'
  | 'remote_name'
  | 'command'
  | 'command_refusal'
  | 'command_failed_at'
  | 'print_minutes'
  | 'is_estimated'
  | 'started_at'
  | 'failure_reason'
> &
  Floats<'job_plates', 'progress' | 'used_grams'>

const selectPlate = (sql: Queryable) => sql`
  select p.id, p.print_job_id, p.number, p.printer_id, p.slice_id, p.spool_id, p.state, p.pieces, p.agent, p.remote_name,
         p.command, p.command_refusal, p.command_failed_at, p.print_minutes, p.is_estimated, p.started_at, p.failure_reason, p.progress::float8, p.used_grams::float8
  from job_plates p`

const isRunning = (sql: Queryable) => sql`p.state in ('sending', 'printing', 'paused', 'printed')`

/**
 * SQL condition that the print of the ended plate `p` began. If a failed plate has used neither filament nor time, its
 * print did not begin, because the plate was never sent to its printer, or the printer refused it. The print did begin
 * if pieces were rejected, or if an agent has said so.
 */
export const hasBegun = (sql: Queryable): Fragment => sql`
  (p.state <> 'failed' or p.has_begun or p.rejected_quantity > 0 or (p.used_grams, p.print_minutes) is distinct from (0, 0))`

/**
 * Returns whether it is certain that the print of a plate has not begun, because its printer was never told to start
 * it. The file may already be on its way to a network printer.
 */
export async function isUnstarted(tx: Queryable, { id, state }: PlateRow): Promise<boolean> {
  if (state !== 'sending') return false
  const sent = await tx`select 1 from sent_plates where plate_id = ${id}`
  return sent.length === 0
}

/** Returns when a plate has ended, and how many of its pieces were rejected. */
export const findEndOfPlate = (sql: Queryable, id: string) =>
  firstRow(sql<Row<'job_plates', 'finished_at' | 'rejected_quantity'>[]>`
    select finished_at, rejected_quantity from job_plates where id = ${id}`)

export const findPlate = (sql: Queryable, id: string) =>
  firstRow(sql<PlateRow[]>`${selectPlate(sql)} where p.id = ${id}`)

/** Like `findPlate`, but locks the plate until the transaction ends. Lock its job and its printer first. */
export const lockPlate = (tx: Queryable, id: string) =>
  firstRow(tx<PlateRow[]>`${selectPlate(tx)} where p.id = ${id} for update`)

/**
 * Returns the plate that is on a printer: being sent, printing, paused, or printed but not cleared yet.
 * Returns null if there is none.
 */
export const findRunningPlate = (sql: Queryable, printerId: string) =>
  firstRow(sql<PlateRow[]>`${selectPlate(sql)} where p.printer_id = ${printerId} and ${isRunning(sql)}`)

/** Returns the latest plate that was sent to a printer under this name, in any state. */
export const findPlateByRemoteName = (sql: Queryable, printerId: string, remoteName: string) =>
  firstRow(sql<PlateRow[]>`
    ${selectPlate(sql)} where p.printer_id = ${printerId} and p.remote_name = ${remoteName}
    order by p.started_at desc, p.id desc limit 1`)

/** A plate that an API key has claimed. `has_lease` says whether the key can still report about it. */
export type ClaimedPlate = PlateRow &
  Row<'job_plates', 'finished_at' | 'lapsed_at' | 'report_fingerprint' | 'claimed_beside'> & {
    has_lease: boolean
  }

/** Returns the plates of a job that an API key has claimed, newest first. With a claim, returns only its plate. */
export const listPlatesOfKey = (
  sql: Queryable,
  jobId: string,
  { keyId, leaseId }: { keyId: string; leaseId?: string | undefined },
): Promise<ClaimedPlate[]> =>
  sql<ClaimedPlate[]>`
    select p.*, e.finished_at, e.lapsed_at, e.report_fingerprint, e.claimed_beside,
           exists (select from leases l where l.plate_id = p.id and l.api_key_id = ${keyId}) as has_lease
    from (${selectPlate(sql)}
          where p.print_job_id = ${jobId} and p.api_key_id = ${keyId}
            ${leaseId === undefined ? sql`` : sql`and p.lease_id = ${leaseId}`}) p
    join job_plates e on e.id = p.id
    order by p.number desc`

/** Returns the running plates of a job, sorted by number. */
export const listRunningPlates = (sql: Queryable, jobId: string): Promise<PlateRow[]> =>
  sql<PlateRow[]>`${selectPlate(sql)} where p.print_job_id = ${jobId} and ${isRunning(sql)} order by p.number`

/** Returns the number of pieces on the running plates of a job. */
export async function countRunningPieces(sql: Queryable, jobId: string): Promise<number> {
  const [row] = await sql<[{ pieces: number }]>`
    select coalesce(sum(p.pieces), 0)::int as pieces from job_plates p
    where p.print_job_id = ${jobId} and ${isRunning(sql)}`
  return row.pieces
}

/** Returns whether a plate of the job is running or has ended. Cancelled plates do not count. */
export async function hasPlates(sql: Queryable, jobId: string): Promise<boolean> {
  const rows =
    await sql`select 1 from job_plates where print_job_id = ${jobId} and state <> 'cancelled' limit 1`
  return rows.length > 0
}

export async function nextPlateNumber(tx: Queryable, jobId: string): Promise<number> {
  const [row] = await tx<[{ number: number }]>`
    select coalesce(max(number), 0)::int + 1 as number from job_plates where print_job_id = ${jobId}`
  return row.number
}

/** Adds a plate, and saves how many pieces and plates its sliced file has now. */
export async function insertPlate(tx: Queryable, plate: Insert<'job_plates'>): Promise<void> {
  await insertInto(tx, 'job_plates', plate)
  if (!plate.slice_id) return
  await tx`
    update job_plates p set file_pieces = f.pieces, file_plates = f.plates_per_print
    from printable_slices f where p.id = ${plate.id} and f.id = p.slice_id`
}

export async function changePlate(tx: Queryable, id: string, change: Update<'job_plates'>): Promise<void> {
  await tx`${updateTable(tx, 'job_plates', change)} where id = ${id}`
}

/** Adds ledger entries to the list of entries that belong to a plate. */
export async function addBookedEntries(tx: Queryable, id: string, entries: readonly string[]): Promise<void> {
  if (entries.length === 0) return
  await tx`update job_plates set booked_entries = booked_entries || ${tx.json([...entries])}::jsonb where id = ${id}`
}

/**
 * Saves which spools are now in the slots of the plate's printer, because the filament of the plate will be booked on
 * them.
 */
export async function saveLoadedSpools(tx: Queryable, id: string): Promise<void> {
  await tx`
    update job_plates p set loaded_spools = (
      select jsonb_object_agg(t.slot, t.spool_id) from printer_slots t
      where t.printer_id = p.printer_id and t.spool_id is not null)
    where p.id = ${id}`
}

/** Saves that a plate was started with the same spools and the same sliced file as another plate. */
export async function copyStart(tx: Queryable, { from, to }: { from: string; to: string }): Promise<void> {
  await tx`
    update job_plates p set loaded_spools = o.loaded_spools, file_pieces = o.file_pieces, file_plates = o.file_plates
    from job_plates o where p.id = ${to} and o.id = ${from}`
}

/**
 * SQL condition that a person prints a plate, and not the server or an agent. If the completion of an agent's plate is
 * undone, the plate is copied without its API key, but `agent` still marks the copy.
 */
const isByHand = (sql: Queryable, plate: Fragment): Fragment =>
  sql`(${plate}.agent is null and ${plate}.api_key_id is null and ${plate}.remote_name is null)`

/**
 * SQL for the share of its sliced file that a plate prints. A person may put more or fewer pieces on a plate than the
 * file has, so filament and time are scaled. The number of pieces of the file is that of the start, because a later
 * correction does not change what the plate holds. If somebody has decided since then whether one piece needs all plates
 * of the file, the present number counts. The plates of the server and of agents always print the whole file. `plate`
 * and `file` are the aliases of the rows.
 */
export const shareOfFile = (sql: Queryable, plate: Fragment, file: Fragment): Fragment => sql`
  (case when ${isByHand(sql, plate)}
        then ${plate}.pieces::numeric
             / coalesce(case when ${plate}.file_plates = ${file}.plates_per_print then ${plate}.file_pieces end, ${file}.pieces)
        else 1 end)`

/**
 * SQL for the grams, the minutes or the tools of one print of a sliced file. If one piece needs all plates of the file,
 * a person prints all of them. The server and agents print a single plate, so for them these are the figures of that
 * plate.
 */
export const printOfFile = (
  sql: Queryable,
  plate: Fragment,
  file: Fragment,
  figure: 'grams' | 'minutes' | 'tools',
): Fragment => sql`
  (case when ${isByHand(sql, plate)} then ${file}.${sql(figure)} else ${file}.${sql(`plate_${figure}`)} end)`

/** SQL for the number of plates of the file that one print needs. The server and agents print only one of them. */
export const platesOfPrint = (sql: Queryable, plate: Fragment, file: Fragment): Fragment => sql`
  (case when ${isByHand(sql, plate)} then ${file}.plates_per_print else 1 end)`

/** SQL for the number of times that somebody had to prepare a printer for this plate of a job. */
export const preparedPlates = (sql: Queryable, plate: Fragment, file: Fragment): Fragment => sql`
  (case when ${platesOfPrint(sql, plate, file)} > 1
        then ${file}.plates_per_print * greatest(1, ceil(${shareOfFile(sql, plate, file)})) else 1 end)`

/** Returns the minutes that a plate is expected to print, or null if they are unknown. */
export async function findPlannedMinutes(sql: Queryable, id: string): Promise<number | null> {
  const [row] = await sql<{ minutes: number | null }[]>`
    select coalesce(${printOfFile(sql, sql`p`, sql`s`, 'minutes')} * ${shareOfFile(sql, sql`p`, sql`s`)},
                    j.estimated_minutes::float8 * p.pieces / j.quantity)::float8 as minutes
    from job_plates p join print_jobs j on j.id = p.print_job_id left join printable_slices s on s.id = p.slice_id
    where p.id = ${id}`
  return row?.minutes ?? null
}

/**
 * Returns the SQL for the number of plates that have failed in a row, over all attempts at a job. The count restarts
 * when a plate is finished, and when the job or an earlier attempt is taken off hold. Plates are ordered by counters
 * instead of times, because the clock can be set back. `jobId` is a value, or a column of the surrounding query.
 */
export const failuresInARow = (sql: Queryable, jobId: Fragment): Fragment => sql`(
    with recursive attempts as (
      select id, previous_job_id, plates_before_release, 0 as age from print_jobs where id = ${jobId}
      union all
      select p.id, p.previous_job_id, p.plates_before_release, a.age + 1
      from print_jobs p join attempts a on p.id = a.previous_job_id
    ), plates as (
      select p.state, p.number, p.end_order, a.age, a.plates_before_release
      from attempts a join job_plates p on p.print_job_id = a.id
    )
    select count(*)::int as failures from plates f
    where f.state = 'failed'
      and f.end_order > coalesce((select max(end_order) from plates where state = 'done'), 0)
      and f.number > coalesce(f.plates_before_release, 0)
      and not exists (select from attempts a where a.age < f.age and a.plates_before_release is not null))`

/** Returns the value of `failuresInARow` for one job. */
export async function countFailuresInARow(sql: Queryable, jobId: string): Promise<number> {
  const [row] = await sql<[{ failures: number }]>`select ${failuresInARow(sql, sql`${jobId}`)} as failures`
  return row.failures
}

/**
 * Returns the SQL for the number of plates of a job that printers refused in a row with the same sliced file. Each file
 * is counted separately, and the highest count is the result. A count restarts when a later plate is printed with the
 * file, and when the job is taken off hold. `jobId` is a value, or a column of the surrounding query.
 */
export const refusalsInARow = (sql: Queryable, jobId: Fragment): Fragment => sql`(
    select coalesce(max(of_file.refusals), 0) from (
      select count(*)::int as refusals from job_plates f
      where f.print_job_id = ${jobId} and f.is_refused
        and not exists (
          select from job_plates d
          where d.print_job_id = f.print_job_id and d.slice_id is not distinct from f.slice_id and d.number > f.number
            and d.state in ('printing', 'paused', 'printed', 'done'))
        and f.number > coalesce((select j.plates_before_release from print_jobs j where j.id = f.print_job_id), 0)
      group by f.slice_id) of_file)`

/** Returns the value of `refusalsInARow` for one job. */
export async function countRefusalsInARow(sql: Queryable, jobId: string): Promise<number> {
  const [row] = await sql<[{ refusals: number }]>`select ${refusalsInARow(sql, sql`${jobId}`)} as refusals`
  return row.refusals
}

/** Returns whether this printer has already refused a plate of this job. */
export async function hasRefused(
  sql: Queryable,
  { jobId, printerId }: { jobId: string; printerId: string },
): Promise<boolean> {
  const rows = await sql`
    select 1 from job_plates where print_job_id = ${jobId} and printer_id = ${printerId} and is_refused limit 1`
  return rows.length > 0
}

/** Returns the printer's reason for the last refused plate of a job, or null. */
export async function findLastRefusal(sql: Queryable, jobId: string): Promise<string | null> {
  const [row] = await sql<Row<'job_plates', 'failure_reason'>[]>`
    select failure_reason from job_plates where print_job_id = ${jobId} and is_refused order by number desc limit 1`
  return row?.failure_reason ?? null
}

/**
 * Recalculates the number of plates, of finished plates, and the progress of a job from its plates. Plates that are
 * still needed count, too. The revision stays unchanged, because people do not edit these fields. Returns whether the
 * progress has changed.
 */
export async function recountPlates(tx: Queryable, jobId: string, now: Date): Promise<boolean> {
  const [row] = await tx<[{ is_changed: boolean }]>`
    with running as (
      select coalesce(sum(p.pieces), 0) as pieces, count(*) as plates, coalesce(sum(p.pieces * p.progress), 0) as printed
      from job_plates p where p.print_job_id = ${jobId} and ${isRunning(tx)}
    ), counted as (
      select j.id, j.progress as before,
             greatest(1, (select count(*) from job_plates d where d.print_job_id = j.id and d.state = 'done') + r.plates
               + case when j.status in ('pending', 'in_progress', 'on_hold') and m.missing > 0
                      then ceil((m.missing + greatest(0, j.expected_rejects - j.rejected_quantity))::numeric
                             / coalesce(j.pieces_per_plate, m.missing + greatest(0, j.expected_rejects - j.rejected_quantity)))
                      else 0 end) as plates,
             (select count(*) from job_plates d where d.print_job_id = j.id and d.state = 'done') as done,
             case when j.status in ('pending', 'in_progress', 'on_hold')
                  then least(1, (j.good_quantity + r.printed) / j.quantity)
                  when j.status = 'completed' then 1 else j.progress end as progress
      from print_jobs j cross join running r
      cross join lateral (select j.quantity - j.good_quantity - r.pieces as missing) m
      where j.id = ${jobId}
    )
    update print_jobs j
    set plates = c.plates, plates_done = c.done, progress = c.progress,
        updated_at = case when j.progress = c.progress::numeric(5, 4) then j.updated_at else ${now} end
    from counted c where j.id = c.id
    returning j.progress <> c.before as is_changed`
  return row.is_changed
}

/** Returns the number of pieces of a sliced file, or null if the file does not exist. */
export async function findSlicePieces(sql: Queryable, id: string): Promise<number | null> {
  const [row] = await sql<{ pieces: number }[]>`
    select pieces from printable_slices where id = ${id}`
  return row?.pieces ?? null
}

/** Returns how many plates one print of a sliced file needs: more than 1 if one piece needs all plates of the file. */
export async function findPlatesPerPrint(sql: Queryable, id: string): Promise<number> {
  const [row] = await sql<{ plates: number }[]>`
    select plates_per_print as plates from printable_slices where id = ${id}`
  return row?.plates ?? 1
}

/** Returns the minutes of a plate according to its sliced file, or null if they are unknown. */
export async function findSlicedMinutes(sql: Queryable, plateId: string): Promise<number | null> {
  const [row] = await sql<{ minutes: number | null }[]>`
    select (${printOfFile(sql, sql`p`, sql`f`, 'minutes')} * ${shareOfFile(sql, sql`p`, sql`f`)})::float8 as minutes
    from job_plates p join printable_slices f on f.id = p.slice_id
    where p.id = ${plateId}`
  return row?.minutes ?? null
}
