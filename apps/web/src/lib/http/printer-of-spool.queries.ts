import { listPrinters } from '@pegasus/contracts/print-queue/printers'
import { apiPageQuery } from './api-queries.ts'

/** Returns the printer in which a spool is loaded, as a list of at most one printer. */
export const printerOfSpoolQuery = (spoolId: string) =>
  apiPageQuery(['printers', 'of-spool', spoolId], listPrinters, { query: { filament_id: spoolId } })
