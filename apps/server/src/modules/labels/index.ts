import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Endpoints } from '../../platform/http/endpoints.ts'
import type { PathSigner } from '../../platform/http/signed-path.ts'
import { addLabelRoutes } from './labels.routes.ts'
import { createLabels } from './labels.service.ts'
import { addScanRoutes } from './scan.routes.ts'
import { createScan } from './scan.service.ts'

/** The codes on things: labels to print, and what a scanned code means. It has no table; the things keep what was printed. */
export function addLabels(
  endpoints: Endpoints,
  deps: {
    database: Database
    clock: Clock
    signer: PathSigner
    publicUrl: string
    currency: string
    locale: string | null
  },
): void {
  addLabelRoutes(endpoints, { labels: createLabels(deps) })
  addScanRoutes(endpoints, { scan: createScan(deps), signer: deps.signer })
}
