import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Endpoints, Guard } from '../../platform/http/endpoints.ts'
import type { ServiceLog } from '../../platform/log/service-log.ts'
import { addFilamentRoutes } from './spools/spool-list.routes.ts'
import { createFilament } from './spools/spool-list.service.ts'
import { addSpoolRoutes, addSpoolLedgerRoutes } from './spools/spools.routes.ts'
import { createSpools } from './spools/spools.service.ts'
import { createSpoolLedger } from './ledger/ledger.service.ts'
import { addSpoolmanExportRoutes } from './spoolman/spoolman-export.routes.ts'
import { addSpoolmanChangeRoutes } from './spoolman/spoolman-changes.routes.ts'
import { createRenameValue } from './spoolman/rename-values.ts'
import { createSpoolmanChanges } from './spoolman/spoolman-changes.service.ts'
import { createChangedObjects } from './spoolman/events/spoolman-events.ts'
import { createSpoolmanSockets } from './spoolman/events/spoolman-sockets.ts'
import { addSpoolmanRoutes } from './spoolman/spoolman.routes.ts'
import { createSpoolman } from './spoolman/spoolman.service.ts'
import { addExtraFieldRoutes } from './spoolman/extra-fields/extra-fields.routes.ts'
import { createExtraFields } from './spoolman/extra-fields/extra-fields.service.ts'
import { createProgramSettings } from './spoolman/program-settings.service.ts'
import { addSpoolmanSearchRoutes } from './spoolman/search/search.routes.ts'
import { createSpoolmanSearch } from './spoolman/search/search.service.ts'
import { addSpoolmanWordRoutes } from './spoolman/spoolman-lists.routes.ts'

export { type NewSpool, createSpool } from './spools/add-spool.ts'
export { findSpoolHits } from './spools/spool-hits.queries.ts'
export { takeFilament } from './ledger/book-entry.ts'
export { colorDistance } from './spoolman/search/colors.ts'
export { undoUse } from './ledger/undo-entry.ts'
export { type LowFilamentCrossing, claimLowFilamentCrossings } from './stock/filament-stock.queries.ts'
export { claimShortFilaments } from './stock/short-filament.queries.ts'
export { type FilamentBalance, readFilamentBalance, readFilamentFigures } from './filament.stats.queries.ts'

/**
 * Adds the routes for spools and their remaining filament. On shutdown, call `close` of the returned object first: it
 * closes the connections on which it listens to the database.
 */
export function addFilament(
  endpoints: Endpoints,
  deps: { database: Database; clock: Clock; currency: string; guard: Guard; log: ServiceLog },
): { close(): Promise<void> } {
  addFilamentRoutes(endpoints, { ...deps, filament: createFilament(deps) })
  const routes = { ...deps, spools: createSpools(deps), ledger: createSpoolLedger(deps) }
  addSpoolRoutes(endpoints, routes)
  addSpoolLedgerRoutes(endpoints, routes)
  const fields = createExtraFields(deps)
  const settings = createProgramSettings({ ...deps, fields })
  const sockets = createSpoolmanSockets({ ...deps, findChanged: createChangedObjects({ ...deps, settings }) })
  const spoolman = createSpoolman(deps)
  addSpoolmanRoutes(endpoints, { ...deps, spoolman, sockets })
  const renameValue = createRenameValue(deps)
  addSpoolmanChangeRoutes(endpoints, { ...deps, changes: createSpoolmanChanges(deps), renameValue })
  addSpoolmanExportRoutes(endpoints, { ...deps, spoolman })
  addExtraFieldRoutes(endpoints, { fields })
  addSpoolmanWordRoutes(endpoints, { spoolman, settings, sockets })
  addSpoolmanSearchRoutes(endpoints, { ...deps, search: createSpoolmanSearch({ ...deps, spoolman }) })
  return sockets
}
