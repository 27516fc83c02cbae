import type { AuditContext } from '../../../platform/actor.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { countEndedPlate, forgetBedNote, setPrinterState } from '../printers/printer-state.ts'
import { type LockedPlate, isByHand } from './lock-plate.ts'
import { findSlicedMinutes } from './plates.queries.ts'

/**
 * Returns the printing time in minutes: the reported time, otherwise the printed share of the sliced file's
 * time, otherwise the time since the start.
 */
export async function minutesOf(
  tx: Queryable,
  { plate }: Pick<LockedPlate, 'plate'>,
  reported: number | null,
  now: Date,
): Promise<number> {
  if (reported !== null) return reported
  const sliced = plate.slice_id === null ? null : await findSlicedMinutes(tx, plate.id)
  const elapsed = Math.max(0, Math.round((now.getTime() - new Date(plate.started_at).getTime()) / 60_000))
  return sliced === null
    ? elapsed
    : Math.round(sliced * (plate.state === 'printed' ? 1 : plate.progress || 1))
}

/**
 * Returns whether a finished plate counts as a success of its printer. A plate whose pieces were all rejected does not.
 */
export const hasSucceeded = ({ good, rejected }: { good: number; rejected: number }): boolean =>
  good > 0 || rejected === 0

/** Returns why a bed has to be cleared after its plate has ended. `plate` is the number of the plate. */
export const stillOnBed = (plate: number): string =>
  `Plate ${plate} is still on the bed. Take it off and clear the bed.`

/**
 * Sets the state of the printer after its plate has ended. The state becomes `available` if the bed is known
 * to be free, otherwise `needs_clearing`. Returns the minutes that were added to the printer's printing time.
 */
export async function releasePrinter(
  tx: Queryable,
  held: LockedPlate,
  end: { isCounted: boolean; isGood: boolean; isCleared: boolean; isOnBed?: boolean; minutes: number | null },
  by: AuditContext,
): Promise<number> {
  const { printer, plate } = held
  if (!printer) return 0
  const minutes = end.isCounted ? await minutesOf(tx, held, end.minutes, by.now) : 0
  if (end.isCounted) await countEndedPlate(tx, printer.id, { isGood: end.isGood, printMinutes: minutes })
  const isFree = !end.isOnBed && (end.isCleared || isByHand(held) || plate.state === 'sending')
  // A printer that is in maintenance, offline or in error keeps its state.
  if (end.isCleared) await forgetBedNote(tx, printer.id)
  if (isFree && ['maintenance', 'offline', 'error'].includes(printer.state)) return minutes
  const state = isFree ? 'available' : 'needs_clearing'
  const reason = end.isOnBed ? stillOnBed(plate.number) : null
  await setPrinterState(tx, printer.id, { state, reason, isReported: !isFree }, by)
  return minutes
}
