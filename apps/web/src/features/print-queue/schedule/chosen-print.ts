import type { PlannedPrint, ScheduledPrinter } from '@pegasus/contracts/print-queue/schedule'

/** A print that a person has selected to move, and its current printer. */
export interface Chosen {
  print: PlannedPrint
  printer: ScheduledPrinter
}
