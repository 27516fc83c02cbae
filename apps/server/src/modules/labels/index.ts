import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Endpoints } from '../../platform/http/endpoints.ts'
import type { PathSigner } from '../../platform/http/signed-path.ts'
import { createDrawPdf, createPdfWorkers } from '../../platform/pdf/pdf-workers.ts'
import type { ServiceLog } from '../../platform/log/service-log.ts'
import type { WorkerPool } from '../../platform/workers/worker-pool.ts'
import { addLabelRoutes } from './labels.routes.ts'
import { createLabels } from './labels.service.ts'
import { addScanRoutes } from './scan.routes.ts'
import { createScan } from './scan.service.ts'

export const createSheetWorkers = (log: ServiceLog): WorkerPool =>
  createPdfWorkers(new URL('./sheet.worker.ts', import.meta.url), log)

/**
 * Adds labels for printing, and the look-up of scanned codes. The module has no table of its own: each object stores
 * the texts of its last printed label.
 */
export function addLabels(
  endpoints: Endpoints,
  deps: {
    database: Database
    clock: Clock
    signer: PathSigner
    publicUrl: string
    currency: string
    locale: string | null
    workers: WorkerPool
  },
): void {
  const labels = createLabels({ ...deps, drawPdf: createDrawPdf(deps.workers) })
  addLabelRoutes(endpoints, { labels })
  addScanRoutes(endpoints, { scan: createScan(deps), signer: deps.signer })
}
