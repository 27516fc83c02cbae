import { listPrinters } from '@pegasus/contracts/print-queue/printers'
import { apiPageQuery } from './api-queries.ts'

/** The printer in which a spool is loaded, on a page of its own. The page is empty if the spool is in no printer. */
export const printerOfSpoolQuery = (spoolId: string) =>
  apiPageQuery(['printers', 'of-spool', spoolId], listPrinters, { query: { filament_id: spoolId } })
