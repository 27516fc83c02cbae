import type { PrinterState } from '@pegasus/contracts/print-queue/printers'
import type { AuditContext } from '../../../platform/actor.ts'
import { firstRow } from '../../../platform/database/first-row.ts'
import type { Floats, Row, Update } from '../../../platform/database/column-types.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { updateTable } from '../../../platform/database/write-rows.ts'
import { publish } from '../../events/index.ts'

/**
 * A new state of a printer. Fields that are left out are cleared, except `seenAt` and `hasCamera`, which keep their
 * values.
 */
export interface PrinterStateChange {
  state: PrinterState
  reason?: string | null
  until?: Date | null
  /** `until` as the person wrote it, with the offset from UTC, such as `2026-11-27T00:30:00+13:00`. */
  untilAsWritten?: string | null
  /** The progress from 0 to 1. */
  progress?: number | null
  finishesAt?: Date | null
  /**
   * The time of the report, if the change comes from the printer itself. Such a report neither ends maintenance nor
   * clears the bed.
   */
  seenAt?: Date
  /** Whether a print caused the change, instead of a person at the machine. Always true if `seenAt` is set. */
  isReported?: boolean
  /** True if people were already alerted to this error, although the printer has seemed to work in between. */
  isRepeated?: boolean
  hasCamera?: boolean
}

interface StateRow
  extends Row<
      'printers',
      'state' | 'state_reason' | 'state_until' | 'state_until_day' | 'bed_note' | 'finishes_at' | 'has_camera'
    >,
    Floats<'printers', 'progress'> {
  has_printed_plate: boolean
}

const lockState = (tx: Queryable, id: string) =>
  firstRow(tx<StateRow[]>`
    select p.state, p.state_reason, p.state_until, p.state_until_day, p.bed_note, p.progress::float8, p.finishes_at, p.has_camera,
           exists (select from job_plates r where r.printer_id = p.id and r.state = 'printed') as has_printed_plate
    from printers p where p.id = ${id} and p.deleted_at is null for update of p`)

/**
 * Returns the printer's state after a report. A printer stays in maintenance, and `available` does not mean that its
 * bed is empty.
 */
function reportedState(row: StateRow, reported: PrinterState): PrinterState {
  if (row.state === 'maintenance') return 'maintenance'
  if (reported !== 'available') return reported
  return row.has_printed_plate || row.state === 'needs_clearing' ? 'needs_clearing' : 'available'
}

/** Returns why the bed of a printer in this state has to be cleared. Null if nothing is known to be on it. */
export const reasonToClear = ({
  state,
  state_reason: reason,
}: Pick<StateRow, 'state' | 'state_reason'>): string | null =>
  state === 'needs_clearing' ? (reason ?? 'The last plate is still on the bed.') : null

/**
 * Returns why the bed has to be cleared after the maintenance. Without this note, the printer would be available after
 * the maintenance, and the next print would start on a full bed.
 */
const bedNoteAfter = (row: StateRow, { state, reason = null }: PrinterStateChange): string | null =>
  reasonToClear(row) ?? reasonToClear({ state, state_reason: reason }) ?? row.bed_note

const timeOf = (moment: Date | string | null | undefined): number | null =>
  moment ? new Date(moment).getTime() : null

/**
 * Returns whether the change is visible. Screens show the progress in percent and the expected end in minutes, so
 * smaller changes are not.
 */
function isVisible(row: StateRow, next: Update<'printers'>): boolean {
  const hundredths = (value: number | null | undefined) => Math.floor((value ?? 0) * 100)
  const minutes = (moment: Date | string | null | undefined) => Math.round((timeOf(moment) ?? 0) / 60_000)
  return (
    row.state !== next.state ||
    row.state_reason !== next.state_reason ||
    timeOf(row.state_until) !== timeOf(next.state_until) ||
    row.has_camera !== (next.has_camera ?? row.has_camera) ||
    hundredths(row.progress) !== hundredths(next.progress as number | null) ||
    minutes(row.finishes_at) !== minutes(next.finishes_at)
  )
}

/**
 * Sets the state of a printer and publishes visible changes. The revision stays unchanged, so that edits by people do
 * not conflict with reports. Returns the resulting state, or null if the printer is deleted or does not exist.
 */
export async function setPrinterState(
  tx: Queryable,
  printerId: string,
  change: PrinterStateChange,
  by: AuditContext,
): Promise<PrinterState | null> {
  const row = await lockState(tx, printerId)
  if (!row) return null
  const isReported = change.isReported ?? change.seenAt !== undefined
  const state = isReported ? reportedState(row, change.state) : change.state
  const isOtherState = state !== change.state
  const next: Update<'printers'> = {
    state,
    state_reason: isOtherState ? row.state_reason : (change.reason ?? null),
    state_until: isOtherState ? row.state_until : (change.until ?? null),
    state_until_day: isOtherState ? row.state_until_day : (change.untilAsWritten ?? null),
    bed_note: state === 'maintenance' ? bedNoteAfter(row, change) : null,
    progress: change.progress ?? null,
    finishes_at: change.finishesAt ?? null,
    ...(change.seenAt && { seen_at: change.seenAt }),
    ...(change.hasCamera !== undefined && { has_camera: change.hasCamera }),
  }
  const isChanged = isVisible(row, next)
  await tx`
    ${updateTable(tx, 'printers', { ...next, ...(isChanged && { updated_at: by.now }) })} where id = ${printerId}`
  if (change.isRepeated && state === 'error' && row.state !== 'error') await forgetNewError(tx, printerId)
  if (isChanged) await publish(tx, { type: 'updated', entity: 'printer', id: printerId })
  return state
}

/** Removes the error that a trigger has just recorded for the alerts, because people were already alerted. */
async function forgetNewError(tx: Queryable, printerId: string): Promise<void> {
  await tx`
    delete from printer_errors
    where id = (select max(e.id) from printer_errors e where e.printer_id = ${printerId})`
}

/** Returns why the bed of a printer in maintenance has to be cleared, or null. */
export async function findBedNote(sql: Queryable, printerId: string): Promise<string | null> {
  const [row] = await sql<
    Row<'printers', 'bed_note'>[]
  >`select bed_note from printers where id = ${printerId}`
  return row?.bed_note ?? null
}

/** Removes the note about the bed, because the bed of a printer was cleared during its maintenance. */
export async function forgetBedNote(tx: Queryable, printerId: string): Promise<void> {
  await tx`update printers set bed_note = null where id = ${printerId} and bed_note is not null`
}

/**
 * Adds an ended plate to the figures for printing hours, success rate and maintenance. If `isGood` is null, a person
 * cancelled the plate, and only its time counts.
 */
export async function countEndedPlate(
  tx: Queryable,
  printerId: string,
  { isGood, printMinutes }: { isGood: boolean | null; printMinutes: number },
): Promise<void> {
  const [row] = await tx<Row<'printers', 'deleted_at'>[]>`
    update printers
    set printed_minutes = printed_minutes + ${Math.max(0, Math.round(printMinutes))},
        finished_plates = finished_plates + ${isGood === true ? 1 : 0},
        failed_plates = failed_plates + ${isGood === false ? 1 : 0}
    where id = ${printerId} returning deleted_at`
  if (row?.deleted_at === null) await publish(tx, { type: 'updated', entity: 'printer', id: printerId })
}

/** Reverts what `countEndedPlate` added for a successful or a failed plate. */
export async function uncountPlate(
  tx: Queryable,
  printerId: string,
  { isGood, printMinutes }: { isGood: boolean; printMinutes: number },
): Promise<void> {
  const [row] = await tx<Row<'printers', 'deleted_at'>[]>`
    update printers
    set printed_minutes = greatest(0, printed_minutes - ${Math.max(0, Math.round(printMinutes))}),
        finished_plates = greatest(0, finished_plates - ${isGood ? 1 : 0}),
        failed_plates = greatest(0, failed_plates - ${isGood ? 0 : 1})
    where id = ${printerId} returning deleted_at`
  // The printed hours decrease, so maintenance that was logged in between must not have more hours than the printer.
  await tx`
    update maintenance_plans a set done_at_minutes = p.printed_minutes from printers p
    where a.printer_id = ${printerId} and p.id = a.printer_id and a.deleted_at is null
      and a.done_at_minutes > p.printed_minutes`
  if (row?.deleted_at === null) await publish(tx, { type: 'updated', entity: 'printer', id: printerId })
}

/** Saves when a deleted printer last responded. Its state stays as it was before the deletion. */
export async function setDeletedPrinterSeen(tx: Queryable, printerId: string, now: Date): Promise<void> {
  await tx`update printers set seen_at = ${now} where id = ${printerId} and deleted_at is not null`
}

/** Saves whether a printer has a camera. */
export async function setPrinterCamera(tx: Queryable, printerId: string, hasCamera: boolean): Promise<void> {
  const rows = await tx`
    update printers set has_camera = ${hasCamera} where id = ${printerId} and has_camera <> ${hasCamera} returning 1`
  if (rows.length > 0) await publish(tx, { type: 'updated', entity: 'printer', id: printerId })
}
