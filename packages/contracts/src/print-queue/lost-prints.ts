import { type PrinterKind, type PrinterState, isNetworkKind } from './printers.ts'

/**
 * If a printer responds again after an outage, but does not show its print for this long, nobody can tell from the
 * printer what has become of the print.
 */
export const OUTAGE_MS = 90_000

/**
 * Returns whether the printer does not show what has become of its print, so that a person may report what is on the
 * bed. It is offline or in error, or it responds again but has not shown the print since the outage. In the last case,
 * it has a `state_reason`, which an ordinary printing printer does not have.
 */
export function isPrinterLost(
  printer: { kind: PrinterKind; state: PrinterState; state_reason: string | null; seen_at: string | null },
  plateState: string | undefined,
  nowMs: number,
): boolean {
  const { kind, state, state_reason: reason, seen_at: seenAt } = printer
  if (state === 'offline' || state === 'error') return true
  const isRunning = plateState === 'printing' || plateState === 'paused'
  if (!isNetworkKind(kind) || !isRunning || (state !== 'printing' && state !== 'paused')) return false
  return reason !== null && seenAt !== null && nowMs - new Date(seenAt).getTime() > OUTAGE_MS
}
