import type { Database } from '../../platform/database/database.ts'
import type { Endpoints } from '../../platform/http/endpoints.ts'
import type { PathSigner } from '../../platform/http/signed-path.ts'
import { addPrintQueueRoutes } from './print-queue.routes.ts'

export { ensurePrinter } from './print-jobs.queries.ts'
export { type PrintDay, readPrintDays, readQueueFigures } from './print-queue.figures.ts'
export { type JobStep, type NewPrintJob, advancePrintJob, createPrintJob } from './print-queue.service.ts'

/** What is to be printed, on what, and how it went. */
export function addPrintQueue(endpoints: Endpoints, deps: { database: Database; signer: PathSigner }): void {
  addPrintQueueRoutes(endpoints, deps)
}
