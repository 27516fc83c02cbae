import { claimRows } from '../../../platform/database/claim-rows.ts'
import type { Row } from '../../../platform/database/column-types.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { insertInto } from '../../../platform/database/write-rows.ts'

/** A printer whose state changed to `error`. */
export type PrinterError = Row<'printer_errors', 'printer_id' | 'reason'> &
  Row<'printers', 'name' | 'label_code'>

/** Claims printer errors for alerts, oldest first, in the same way as `claimFailedPrintJobs`. */
export const claimPrinterErrors = (tx: Queryable, limit = 100): Promise<PrinterError[]> =>
  tx<PrinterError[]>`
    with taken as (${claimRows(tx, 'printer_errors', limit)})
    select t.printer_id, t.reason, p.name, p.label_code
    from taken t join printers p on p.id = t.printer_id order by t.id`

/** Notes an error of a printer for the alerts. A change of the state to `error` is noted by a trigger. */
export async function notePrinterError(
  tx: Queryable,
  { printerId, reason, now }: { printerId: string; reason: string; now: Date },
): Promise<void> {
  await insertInto(tx, 'printer_errors', { printer_id: printerId, reason, at: now })
}
