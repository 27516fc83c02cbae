import { SECOND_MS } from '../../../platform/clock.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import type { ClaimedPlate } from '../plates/plates.queries.ts'

/** The time during which an identical `complete` without a `lease_id` counts as a repetition. No plate prints faster. */
export const REPEATED_WITHIN_MS = 60 * SECOND_MS

/** A report without a `lease_id`, and the time of its arrival. */
export interface UnnamedReport {
  end: 'done' | 'failed'
  /** A hash of the report. Equal reports about one job have the same hash. */
  fingerprint: string
  now: Date
}

/**
 * Returns whether a report repeats the report that has ended this plate. Only `complete` can be a repetition: two
 * plates can fail within seconds for the same reason, so each `fail` counts. The clock of the server may be set back,
 * so the report may seem to be older than the end of the plate.
 */
const isRepetition = (plate: ClaimedPlate, { end, fingerprint, now }: UnnamedReport): boolean =>
  end === 'done' &&
  plate.report_fingerprint === fingerprint &&
  plate.finished_at !== null &&
  Math.abs(now.getTime() - new Date(plate.finished_at).getTime()) < REPEATED_WITHIN_MS

/**
 * Returns whether an ended plate was printed at the same time as an open one: it was claimed later, or it was open when
 * the open one was claimed. Timestamps are not compared, because they can come from the clocks of different servers.
 */
const isBeside = (ended: ClaimedPlate, open: ClaimedPlate): boolean =>
  ended.number > open.number || (open.claimed_beside ?? []).includes(ended.number)

/**
 * Returns the plate that a report without a `lease_id` is about. `plates` are those of the key, newest first. The plate
 * is the first of these that exists:
 * 1. the only plate that is being printed,
 * 2. the newest plate, if it has ended as the report says,
 * 3. the newest plate that a silent agent may take back.
 *
 * Throws PRINT_JOB_NOT_YOURS if several plates are being printed, or if the report may repeat that of an ended plate.
 */
export function choosePlateOfKey(
  plates: readonly ClaimedPlate[],
  report: UnnamedReport,
): ClaimedPlate | undefined {
  const { end } = report
  const open = plates.filter((plate) => plate.has_lease)
  if (open.length === 0) return plates[0]
  const printing = open.filter(({ state }) => state !== 'cancelled')
  // A program may drive several printers with one key and one agent name. Then the report may be about any of them.
  const sources = new Set(
    plates
      .filter((plate) => plate.has_lease || plate.state === end)
      .map(({ agent, printer_id: printerId }) => `${printerId} ${agent}`),
  )
  const chosen = printing[0] ?? (plates[0]?.state === end ? plates[0] : open[0])
  // One machine prints its plates one after the other. So plates that overlap in time belong to different machines.
  const hasOverlap = plates.some(
    (plate) => chosen?.has_lease && !plate.has_lease && plate.state === end && isBeside(plate, chosen),
  )
  if (printing.length > 1 || sources.size > 1 || hasOverlap)
    throw new AppError('PRINT_JOB_NOT_YOURS', {
      text: 'Your key has claimed several plates of this job. Please send the lease_id of the claim.',
    })
  // A repetition is refused with an error. If it succeeded, the agent could mistake the answer for that to its report
  // about the next plate.
  if (chosen?.has_lease && plates.some((plate) => isRepetition(plate, report)))
    throw new AppError('PRINT_JOB_NOT_YOURS', {
      text: 'Your key has just ended another plate of this job with the same report. Please send the lease_id of the claim.',
    })
  return chosen
}
