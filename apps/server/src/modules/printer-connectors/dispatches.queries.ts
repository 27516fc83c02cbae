import type { Floats, Row, Update } from '../../platform/database/column-types.ts'
import { firstRow } from '../../platform/database/first-row.ts'
import type { Queryable } from '../../platform/database/database.ts'
import type { Fragment } from '../../platform/database/search-patterns.ts'
import { insertInto, updateTable } from '../../platform/database/write-rows.ts'
import type { PlateTool, SpoolInSlot } from '../print-queue/index.ts'

/*
 * A dispatch is the way of one plate to one network printer. Its state follows from its columns and from the plate:
 *
 * | state          | plate                   | columns                          | next step                        |
 * | -------------- | ----------------------- | -------------------------------- | -------------------------------- |
 * | named          | sending                 | `upload_begun_at` null           | upload the file                  |
 * | upload begun   | sending                 | `upload_begun_at` set,           | start if the printer has the     |
 * |                |                         | `start_sent_at` null             | whole file, else upload it again |
 * | upload refused | sending                 | as before, `refused_at` set      | upload again after a minute      |
 * | start sent     | sending                 | `start_sent_at` set              | ask the printer what it did      |
 * | printing       | printing, paused        | as before                        | follow the print to its end      |
 * | ended here     | cancelled, failed, done | as before, `closed_at` and       | stop the print, or find out that |
 * |                |                         | `cancel_sent_at` null            | there is none                    |
 * | being stopped  | cancelled, failed, done | `cancel_sent_at` set,            | cancel again, after minutes if   |
 * |                |                         | `closed_at` null                 | `cancel_acknowledged_at` is set  |
 * | closed         | printed, done, failed,  | `closed_at` set, `removed_at`    | remove the file, unless the      |
 * |                | cancelled               | null                             | plate is still `printed`         |
 * | removed        | done, failed, cancelled | `removed_at` set, or 5           | none                             |
 * |                |                         | `removals`                       |                                  |
 *
 * If the printer proves that a start led to no print, `start_sent_at` becomes null again, and `starts` stays. It is also
 * null if a person has started the uploaded file at the machine. A plate that ends before its start was sent has no
 * print to stop, so its dispatch is closed. `uploaded_at` only delays the limit of `returnOverduePlates`.
 */

export type DispatchRow = Row<
  'plate_dispatches',
  | 'plate_id'
  | 'remote_name'
  | 'upload_begun_at'
  | 'uploaded_at'
  | 'start_sent_at'
  | 'starts'
  | 'cancel_sent_at'
  | 'cancel_repeated_at'
  | 'cancel_acknowledged_at'
  | 'refusals'
  | 'refused_at'
>

const selectDispatch = (sql: Queryable) => sql`
  select d.plate_id, d.remote_name, d.upload_begun_at, d.uploaded_at, d.start_sent_at, d.starts, d.cancel_sent_at,
         d.cancel_repeated_at, d.cancel_acknowledged_at, d.refusals, d.refused_at
  from plate_dispatches d`

export const findDispatch = (sql: Queryable, plateId: string) =>
  firstRow(sql<DispatchRow[]>`${selectDispatch(sql)} where d.plate_id = ${plateId}`)

/**
 * Finds the open dispatch of a printer with this file name. A dispatch is open until its plate has ended and the
 * printer no longer prints its file.
 */
export const findOpenDispatch = (sql: Queryable, printerId: string, remoteName: string) =>
  firstRow(sql<DispatchRow[]>`
    ${selectDispatch(sql)}
    where d.printer_id = ${printerId} and d.remote_name = ${remoteName} and d.closed_at is null`)

export async function insertDispatch(
  tx: Queryable,
  dispatch: { plateId: string; printerId: string; remoteName: string; now: Date },
): Promise<void> {
  const { plateId, printerId, remoteName, now } = dispatch
  await insertInto(tx, 'plate_dispatches', {
    plate_id: plateId,
    printer_id: printerId,
    remote_name: remoteName,
    created_at: now,
  })
}

export async function updateDispatch(
  tx: Queryable,
  plateId: string,
  change: Update<'plate_dispatches'>,
): Promise<void> {
  await tx`${updateTable(tx, 'plate_dispatches', change)} where plate_id = ${plateId}`
}

/** Returns the code of the job of a plate. */
export async function findJobCode(sql: Queryable, plateId: string): Promise<string> {
  const [row] = await sql<Row<'print_jobs', 'label_code'>[]>`
    select j.label_code from job_plates p join print_jobs j on j.id = p.print_job_id where p.id = ${plateId}`
  return row?.label_code ?? ''
}

/** Returns whether the server has ever sent a file with this name to this printer. */
export async function hasSent(sql: Queryable, printerId: string, remoteName: string): Promise<boolean> {
  const rows = await sql`
    select from plate_dispatches where printer_id = ${printerId} and remote_name = ${remoteName} limit 1`
  return rows.length > 0
}

/** Returns whether the server has ever sent a file with this name to another printer, even a deleted one. */
export async function hasSentToOther(
  sql: Queryable,
  printerId: string,
  remoteName: string,
): Promise<boolean> {
  const rows = await sql`
    select from plate_dispatches where remote_name = ${remoteName} and printer_id <> ${printerId} limit 1`
  return rows.length > 0
}

/** A dispatch whose plate was ended in Pegasus Ops, with the times of the plate and its last known progress. */
export type EndedPrint = Pick<DispatchRow, 'plate_id' | 'remote_name'> &
  Row<'job_plates', 'started_at'> &
  Floats<'job_plates', 'progress'> & { ended_at: string }

/**
 * Returns the open dispatches of a printer whose plate was ended in Pegasus Ops after its start was sent, and whose
 * print was not told to stop. If the printer itself reported the end of the plate, the dispatch is already closed.
 */
export const listEndedStarts = (sql: Queryable, printerId: string) =>
  sql<(EndedPrint & Row<'job_plates', 'number' | 'state'> & { start_sent_at: string })[]>`
    select d.plate_id, d.remote_name, d.start_sent_at, p.number, p.state, p.started_at, p.progress::float8,
           coalesce(p.finished_at, d.start_sent_at) as ended_at
    from plate_dispatches d join job_plates p on p.id = d.plate_id and p.state in ('cancelled', 'failed', 'done')
    where d.printer_id = ${printerId} and d.closed_at is null and d.start_sent_at is not null and d.cancel_sent_at is null
    order by d.created_at`

/**
 * Returns the open dispatches of a printer whose plate was cancelled or reported as failed, and whose print was told to
 * stop. The file that the printer still prints is left out. `cancel_sent_at` is the time of the last cancel command.
 */
export const listStoppedPrints = (sql: Queryable, printerId: string, printing: string | null) =>
  sql<(EndedPrint & { cancel_sent_at: string })[]>`
    select d.plate_id, d.remote_name, coalesce(d.cancel_repeated_at, d.cancel_sent_at) as cancel_sent_at, p.started_at,
           coalesce(p.finished_at, d.cancel_sent_at) as ended_at, p.progress::float8
    from plate_dispatches d join job_plates p on p.id = d.plate_id and p.state in ('cancelled', 'failed')
    where d.printer_id = ${printerId} and d.closed_at is null and d.cancel_sent_at is not null
      and d.remote_name is distinct from ${printing}
    order by d.created_at`

/**
 * Returns the plate of the first open dispatch of a printer whose plate was ended in Pegasus Ops after its start was
 * sent.
 */
export const findUnstopped = (sql: Queryable, printerId: string) =>
  firstRow(sql<(Row<'job_plates', 'number' | 'state'> & Row<'print_jobs', 'label_code'>)[]>`
    select p.number, p.state, j.label_code
    from plate_dispatches d
    join job_plates p on p.id = d.plate_id and p.state in ('cancelled', 'failed', 'done')
    join print_jobs j on j.id = p.print_job_id
    where d.printer_id = ${printerId} and d.closed_at is null and d.upload_begun_at is not null
    order by d.created_at limit 1`)

/** Closes a dispatch. Returns false if it was closed already. */
export async function closeDispatch(tx: Queryable, plateId: string, now: Date): Promise<boolean> {
  const rows = await tx`
    update plate_dispatches set closed_at = ${now} where plate_id = ${plateId} and closed_at is null returning 1`
  return rows.length > 0
}

/**
 * Closes the dispatches of a printer whose plate was cancelled or failed after its start was sent, and whose print
 * nobody has seen. A person has cleared the bed, so these prints did not begin. Starts of the last `graceMs` stay open.
 */
export async function closeClearedStarts(
  tx: Queryable,
  printerId: string,
  { graceMs, now }: { graceMs: number; now: Date },
): Promise<void> {
  await tx`
    update plate_dispatches d set closed_at = ${now}
    where d.printer_id = ${printerId} and d.closed_at is null and d.cancel_sent_at is null
      and abs(extract(epoch from d.start_sent_at - ${now})) * 1000 >= ${graceMs}
      and exists (
        select from job_plates p where p.id = d.plate_id and p.state in ('cancelled', 'failed') and p.progress = 0
      )`
}

/**
 * Closes the dispatches of plates that have ended, except for the file that the printer still prints, and for the
 * dispatches in the results of `listEndedStarts` and `listStoppedPrints`.
 */
export async function closeEndedDispatches(
  sql: Queryable,
  printerId: string,
  { printing, now }: { printing: string | null; now: Date },
): Promise<void> {
  await sql`
    update plate_dispatches d set closed_at = ${now}
    where d.printer_id = ${printerId} and d.closed_at is null and d.remote_name is distinct from ${printing}
      and exists (select from job_plates p where p.id = d.plate_id
                  and (p.state = 'done' and (d.start_sent_at is null or d.cancel_sent_at is not null)
                       or p.state in ('cancelled', 'failed') and d.start_sent_at is null and d.cancel_sent_at is null))`
}

/**
 * After this number of failed attempts, a file stays on the printer. It gets one more attempt when the printer has
 * removed another file. The indexes `plate_dispatches_removable` and `plate_dispatches_given_up` contain the same
 * number.
 */
const MAX_REMOVALS = 5

interface OldFiles {
  /** The file that the printer is printing, which must not be removed. */
  printing: string | null
  now: Date
  limit: number
}

const selectOldFiles = (sql: Queryable, printerId: string, { printing }: OldFiles) => sql`
  select d.plate_id, d.remote_name
  from plate_dispatches d join job_plates p on p.id = d.plate_id and p.state in ('done', 'failed', 'cancelled')
  where d.printer_id = ${printerId} and d.closed_at is not null and d.removed_at is null
    and d.upload_begun_at is not null and d.remote_name is distinct from ${printing}`

/** A file on a printer, with the plate for which it was sent. */
export type OldFile = Pick<DispatchRow, 'plate_id' | 'remote_name'>

/**
 * Returns files that are still on a printer although their plates have ended and their dispatches are closed. Files of
 * plates whose pieces are not counted yet are left out.
 */
export const listOldFiles = (sql: Queryable, printerId: string, which: OldFiles) =>
  sql<OldFile[]>`
    ${selectOldFiles(sql, printerId, which)} and d.removals < ${sql.literal(MAX_REMOVALS)}
      and (d.remove_after is null or d.remove_after <= ${which.now})
    order by d.closed_at limit ${which.limit}`

/** Like `listOldFiles`, for files whose removal was given up. Each file is listed for one more attempt only. */
export const listGivenUpFiles = (sql: Queryable, printerId: string, which: OldFiles) =>
  sql<OldFile[]>`
    ${selectOldFiles(sql, printerId, which)} and d.removals = ${sql.literal(MAX_REMOVALS)}
    order by d.closed_at limit ${which.limit}`

/** Saves that a file could not be removed, and when to try again. */
export async function postponeRemoval(tx: Queryable, plateId: string, until: Date): Promise<void> {
  await tx`
    update plate_dispatches set removals = removals + 1, remove_after = ${until} where plate_id = ${plateId}`
}

/**
 * Returns the SQL condition that a dispatch was closed after its printer `r` was deleted, and that the removal of its
 * file is due.
 */
const isRemovableOfDeleted = (sql: Queryable, now: Date): Fragment => sql`
  (d.closed_at >= r.deleted_at and d.removed_at is null and d.closed_at is not null and d.upload_begun_at is not null
    and d.removals < ${sql.literal(MAX_REMOVALS)} and (d.remove_after is null or d.remove_after <= ${now})
    and exists (select from job_plates p where p.id = d.plate_id and p.state in ('done', 'failed', 'cancelled')))`

/**
 * Returns those of these deleted printers on which a print that was ended in Pegasus Ops may still run, or a file of
 * such a print is due to be removed. `is_open` says that such a print may have begun. `bed_note` is the note about the
 * bed. `given_up_at` is when people were last told that a print was not stopped.
 */
export const listUnfinishedPrinters = (sql: Queryable, printerIds: readonly string[], now: Date) =>
  sql<({ printer_id: string; is_open: boolean } & Row<'printer_connections', 'bed_note' | 'given_up_at'>)[]>`
    select found.*, c.bed_note, c.given_up_at
    from (
      select printer_id, bool_or(is_open) as is_open
      from (
        select d.printer_id, d.start_sent_at is not null or d.cancel_sent_at is not null or p.progress > 0 as is_open
        from plate_dispatches d join job_plates p on p.id = d.plate_id and p.state in ('cancelled', 'failed', 'done')
        where d.printer_id = any(${[...printerIds]}::uuid[]) and d.closed_at is null
        union all
        select d.printer_id, false
        from plate_dispatches d join printers r on r.id = d.printer_id
        where d.printer_id = any(${[...printerIds]}::uuid[]) and ${isRemovableOfDeleted(sql, now)}
      ) dispatches
      group by printer_id
    ) found
    left join printer_connections c on c.printer_id = found.printer_id`

/** Saves that the due files of a deleted printer could not be removed, and when to try again. */
export async function postponeRemovalsOfDeleted(
  tx: Queryable,
  printerId: string,
  { now, until }: { now: Date; until: Date },
): Promise<void> {
  await tx`
    update plate_dispatches d set removals = d.removals + 1, remove_after = ${until} from printers r
    where d.printer_id = ${printerId} and r.id = d.printer_id and ${isRemovableOfDeleted(tx, now)}`
}

/**
 * A plate that is being sent, with the time when its upload ended, and the time when the printer last refused its
 * upload.
 */
export type SendingPlate = Row<'job_plates', 'id' | 'printer_id' | 'started_at'> &
  Pick<DispatchRow, 'uploaded_at' | 'refused_at'>

/** Returns the plates that are being sent, of all printers. */
export const listSendingPlates = (sql: Queryable) =>
  sql<SendingPlate[]>`
    select p.id, p.printer_id, p.started_at, d.uploaded_at, d.refused_at
    from job_plates p left join plate_dispatches d on d.plate_id = p.id
    where p.state = 'sending' order by p.started_at`

/** The file that is sent for a plate, with the data to calculate the weight of its filament. */
export type PlateFile = Row<
  'printable_slices',
  'object_key' | 'file_name' | 'format' | 'minutes' | 'plate'
> & {
  job_code: string
  grams: number | null
  metres: number | null
  density_g_cm3: number | null
  diameter_mm: number | null
  /** The tools that the plate uses, counted from 0. */
  tools: PlateTool[]
  /** The slots of the printer. `is_chosen` marks the spool with which the plate was started. */
  slots: (SpoolInSlot & { is_chosen: boolean })[]
  is_any_color: boolean
}

/**
 * Finds the sliced file of a plate, with its job's code. Returns null if the plate has none. The filament is
 * that of the plate's spool, otherwise that of the job's spool.
 */
export const findPlateFile = (sql: Queryable, plateId: string) =>
  firstRow(sql<PlateFile[]>`
    select s.object_key, s.file_name, s.format, s.minutes, s.plate, j.label_code as job_code, s.grams::float8 as grams,
           s.metres::float8 as metres, f.density_g_cm3::float8 as density_g_cm3, f.diameter_mm::float8 as diameter_mm,
           s.tools, j.match_strictness <> 'exact' as is_any_color,
           array(
             select jsonb_build_object('slot', l.slot, 'material', t.material, 'color_hex', t.color_hex,
                                       'remaining_grams', c.remaining_grams,
                                       'is_chosen', coalesce(l.spool_id = w.id, false))
             from printer_slots l
             left join spools c on c.id = l.spool_id
             left join filaments t on t.id = c.filament_id
             where l.printer_id = p.printer_id order by l.slot
           ) as slots
    from job_plates p
    join print_jobs j on j.id = p.print_job_id
    join printable_slices s on s.id = p.slice_id
    left join spools w on w.id = coalesce(p.spool_id, j.spool_id)
    left join filaments f on f.id = w.filament_id
    where p.id = ${plateId}`)
