import { SECOND_MS } from '../../../platform/clock.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import type { ClaimedPlate } from '../plates/plates.queries.ts'

/** The time during which an identical `complete` without a `lease_id` counts as a repetition. No plate prints faster. */
export const REPEATED_WITHIN_MS = 60 * SECOND_MS

/** A report without a `lease_id`, and the time of its arrival. */
export interface UnnamedReport {
  end: 'done' | 'failed'
  /** Equal for equal reports about one job. */
  fingerprint: string
  now: Date
}

/**
 * Returns whether a report repeats the one with which a plate has ended. A failure after a new claim repeats nothing: two
 * plates can fail within seconds for the same reason. The clock of the server may be set backwards, so the distance in
 * both directions counts.
 */
const isRepetition = (plate: ClaimedPlate, { end, fingerprint, now }: UnnamedReport): boolean =>
  end === 'done' &&
  plate.report_fingerprint === fingerprint &&
  plate.finished_at !== null &&
  Math.abs(now.getTime() - new Date(plate.finished_at).getTime()) < REPEATED_WITHIN_MS

/**
 * Returns whether an ended plate was printed at the same time as an open one: it was claimed later, or it was open when the
 * open one was claimed. Times are not compared, because they can come from the clocks of different servers.
 */
const isBeside = (ended: ClaimedPlate, open: ClaimedPlate): boolean =>
  ended.number > open.number || (open.claimed_beside ?? []).includes(ended.number)

/**
 * Returns the plate that a report without a `lease_id` is about: the one plate of the key that is being printed. If
 * there is none, it is the newest plate if it has ended in this way, otherwise the newest one that a silent agent may
 * take back. `plates` are those of the key, newest first. Throws PRINT_JOB_NOT_YOURS in these cases, because several plates
 * are possible:
 * - Several plates are being printed.
 * - A plate on another printer, or of another agent, has ended in the same way.
 * - A plate that was printed at the same time as the open one has ended in the same way.
 * - The same report has just completed another plate, so that it may be a repetition.
 */
export function choosePlateOfKey(
  plates: readonly ClaimedPlate[],
  report: UnnamedReport,
): ClaimedPlate | undefined {
  const { end } = report
  const open = plates.filter((plate) => plate.has_lease)
  if (open.length === 0) return plates[0]
  const printing = open.filter(({ state }) => state !== 'cancelled')
  // A program may drive several printers with one key and one name.
  const sources = new Set(
    plates
      .filter((plate) => plate.has_lease || plate.state === end)
      .map(({ agent, printer_id: printerId }) => `${printerId} ${agent}`),
  )
  const chosen = printing[0] ?? (plates[0]?.state === end ? plates[0] : open[0])
  // One machine prints one plate after the other.
  const hasOverlap = plates.some(
    (plate) => chosen?.has_lease && !plate.has_lease && plate.state === end && isBeside(plate, chosen),
  )
  if (printing.length > 1 || sources.size > 1 || hasOverlap)
    throw new AppError('PRINT_JOB_NOT_YOURS', {
      say: 'Your key has claimed several plates of this job. Please send the lease_id of the claim.',
    })
  // The answer is an error, because an agent would take the answer to a repetition for that to its own report.
  if (chosen?.has_lease && plates.some((plate) => isRepetition(plate, report)))
    throw new AppError('PRINT_JOB_NOT_YOURS', {
      say: 'Your key has just ended another plate of this job with the same report. Please send the lease_id of the claim.',
    })
  return chosen
}
