import { isNetworkKind, type Printer } from '@pegasus/contracts/print-queue/printers'

/**
 * Returns the command that a person can send to the print that runs: `pause`, or `resume` while it is paused. Null
 * without a print, and for a printer behind an agent, which ignores a pause.
 */
export function pauseCommandOf({ kind, current_job: job }: Printer): 'pause' | 'resume' | null {
  if (job?.plate_state === 'paused') return 'resume'
  return job?.plate_state === 'printing' && kind !== 'agent' ? 'pause' : null
}

/** Returns whether the page of a printer has a button besides its menu. */
export function hasPrinterButton(printer: Printer): boolean {
  const { state, kind } = printer
  if (!isNetworkKind(kind)) return true
  return state === 'printing' || state === 'paused' ? pauseCommandOf(printer) !== null : state !== 'available'
}
