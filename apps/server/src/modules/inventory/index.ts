import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Endpoints } from '../../platform/http/endpoints.ts'
import { createCosts } from './costs/costs.service.ts'
import { addCostRoutes } from './costs/costs.routes.ts'
import type { Presentation } from './inventory.present.ts'
import { addInventoryRoutes } from './inventory.routes.ts'
import { createInventory } from './inventory.service.ts'
import { addKeepingRoutes } from './keeping/keeping.routes.ts'
import { createKeeping } from './keeping/keeping.service.ts'
import { createCopies } from './keeping/copies.service.ts'
import { addMovingRoutes } from './moving/moving.routes.ts'
import { createMoving } from './moving/moving.service.ts'
import { addLocationRoutes } from './places/locations.routes.ts'
import { createLocations } from './places/locations.service.ts'
import { addStockIntegrationRoutes } from './stock-integration.routes.ts'
import { addTableRoutes } from './table/table.routes.ts'
import { createTableExport } from './table/table-export.ts'
import { createTableImport } from './table/table-import.service.ts'

export { type Costs, createCosts } from './costs/costs.service.ts'
export { type StockDay, type StockFigures, readStockDays, readStockFigures } from './inventory.figures.ts'
export { findItem, findItemIdBySku } from './inventory.queries.ts'
export { keepItemLabelPrints, keepLocationLabelPrints } from './label-prints.queries.ts'
export { type LowStockCrossing, takeLowStockCrossings } from './low-stock.queries.ts'
export { type NewItem, createItem } from './new-item.ts'
export { ensurePlace } from './places/ensure-place.ts'
export { type NewMovement, countStock, moveStock } from './stock.service.ts'

interface InventoryDeps extends Presentation {
  database: Database
  clock: Clock
}

/** What is in stock, where it lies, and what it costs. */
export function addInventory(endpoints: Endpoints, deps: InventoryDeps): void {
  const inventory = createInventory(deps)
  addInventoryRoutes(endpoints, { ...deps, inventory })
  addStockIntegrationRoutes(endpoints, { ...deps, inventory })
  addKeepingRoutes(endpoints, { ...deps, keeping: createKeeping(deps), copies: createCopies(deps) })
  addMovingRoutes(endpoints, { ...deps, moving: createMoving(deps) })
  addLocationRoutes(endpoints, { ...deps, locations: createLocations(deps) })
  addCostRoutes(endpoints, { ...deps, costs: createCosts(deps) })
  addTableRoutes(endpoints, { ...deps, exports: createTableExport(deps), imports: createTableImport(deps) })
}
