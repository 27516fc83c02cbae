import type { PlannedPrint, ScheduledPrinter } from '@pegasus/contracts/print-queue/schedule'

/** A print with its printer, as a person chose it to be moved. */
export interface Chosen {
  print: PlannedPrint
  printer: ScheduledPrinter
}
