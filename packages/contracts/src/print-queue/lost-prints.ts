import { type PrinterKind, type PrinterState, isNetworkKind } from './printers.ts'

/** After this time without showing its print, a printer that responds again cannot tell how the print goes on. */
export const OUTAGE_MS = 90_000

/**
 * Returns whether a printer cannot tell how the print of a plate ended, so that a person may report what is on the bed.
 * Its printer is offline or in error, or it responds again but has not shown the print since the outage. Such a printer
 * says what it does in its reason, while a printer that prints gives none.
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
