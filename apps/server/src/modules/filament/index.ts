import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Endpoints, Guard } from '../../platform/http/endpoints.ts'
import type { ServiceLog } from '../../platform/service-log.ts'
import { addFilamentRoutes } from './filament.routes.ts'
import { createFilament } from './filament.service.ts'
import { addSpoolKeepingRoutes, addSpoolLedgerRoutes } from './keeping.routes.ts'
import { createSpoolKeeping } from './keeping.service.ts'
import { createSpoolLedger } from './ledger.service.ts'
import { addSpoolmanExportRoutes } from './spoolman/export.routes.ts'
import { addSpoolmanKeepingRoutes } from './spoolman/keeping.routes.ts'
import { createSpoolmanKeeping } from './spoolman/keeping.service.ts'
import { createSpoolSockets } from './spoolman/spool-sockets.ts'
import { addSpoolmanRoutes } from './spoolman/spoolman.routes.ts'
import { createSpoolman } from './spoolman/spoolman.service.ts'
import { addSpoolmanWordRoutes } from './spoolman/words.routes.ts'

export { type NewSpool, createSpool } from './add-spool.ts'
export { takeFilament } from './booking.ts'
export { keepSpoolLabelPrints } from './label-prints.queries.ts'
export { type LowFilamentCrossing, takeLowFilamentCrossings } from './low-filament.queries.ts'
export { type FilamentBalance, readFilamentBalance, readFilamentFigures } from './filament.figures.ts'

/** Spools and what is left on them. The answer is to be closed before the server waits for its open connections. */
export function addFilament(
  endpoints: Endpoints,
  deps: { database: Database; clock: Clock; currency: string; guard: Guard; log: ServiceLog },
): { close(): Promise<void> } {
  addFilamentRoutes(endpoints, { ...deps, filament: createFilament(deps) })
  const routes = { ...deps, keeping: createSpoolKeeping(deps), ledger: createSpoolLedger(deps) }
  addSpoolKeepingRoutes(endpoints, routes)
  addSpoolLedgerRoutes(endpoints, routes)
  const sockets = createSpoolSockets(deps)
  const spoolman = createSpoolman(deps)
  addSpoolmanRoutes(endpoints, { ...deps, spoolman, sockets })
  addSpoolmanKeepingRoutes(endpoints, { ...deps, keeping: createSpoolmanKeeping(deps) })
  addSpoolmanExportRoutes(endpoints, { ...deps, spoolman })
  addSpoolmanWordRoutes(endpoints, { ...deps, spoolman })
  return sockets
}
