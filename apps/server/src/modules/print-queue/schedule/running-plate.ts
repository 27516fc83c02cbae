import { MINUTE_MS } from '../../../platform/clock.ts'
import type { Candidate, JobRequirements } from '../matching/requirements.queries.ts'
import { isAgentSilent } from '../matching/silent-agent.ts'
import type { PlannedRun } from './planned-run.ts'

/** Time to take a plate off and clear the bed. */
export const CLEARING_MS = 10 * MINUTE_MS
/** Assumed duration of a print whose duration is unknown. */
export const UNKNOWN_MINUTES = 60

/**
 * Returns the time in ms at which a printer can start its next plate, or null if that is unknown. `endsAt` is the end
 * of its running plate. If the planned end of a maintenance has passed and nobody has resumed the printer, the real end
 * is unknown. A printer that waits for its agent cannot start a plate.
 */
export function freeFrom(printer: Candidate, endsAt: number | null, now: number): number | null {
  const { state, state_until: until } = printer
  switch (state) {
    case 'available':
      if (printer.printing === null && isAgentSilent(printer)) return null
      return endsAt === null ? now : endsAt + CLEARING_MS
    case 'printing':
    case 'paused':
    case 'needs_clearing':
      return (endsAt ?? now) + CLEARING_MS
    case 'maintenance':
      return until === null || Date.parse(until) < now ? null : Date.parse(until)
    case 'offline':
    case 'error':
      return null
  }
}

/** Returns the plate that is running on a printer, with its expected end, or null if there is none. */
export function runningOn(
  printer: Candidate,
  requirements: ReadonlyMap<string, JobRequirements>,
  now: number,
): PlannedRun | null {
  const { running, finishes_at: end } = printer
  const needs = running && requirements.get(running.job_id)
  if (!running || !needs) return null
  const estimated =
    needs.estimated_minutes === null ? null : (needs.estimated_minutes / needs.quantity) * running.pieces
  const minutes = running.minutes ?? estimated
  const startsAt = Date.parse(running.started_at)
  const byLength = startsAt + (minutes ?? UNKNOWN_MINUTES) * MINUTE_MS
  const endsAt = running.is_printed ? now : Math.max(now, end === null ? byLength : Date.parse(end))
  return {
    printerId: printer.id,
    jobId: needs.id,
    plates: 1,
    pieces: running.pieces,
    startsAt,
    endsAt,
    isRunning: true,
    isGuess: !running.is_printed && end === null && minutes === null,
    loads: [],
  }
}
