import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Endpoints } from '../../platform/http/endpoints.ts'
import type { WorkerPool } from '../../platform/workers/worker-pool.ts'
import { createCosts } from './costs/costs.service.ts'
import { addCostRoutes } from './costs/costs.routes.ts'
import type { Presentation } from './items/items.present.ts'
import { addInventoryRoutes } from './items/item-list.routes.ts'
import { createInventory } from './items/item-list.service.ts'
import { addItemRoutes } from './items/items.routes.ts'
import { type ItemHooks, createItems } from './items/items.service.ts'
import { createCopies } from './items/copy-items.service.ts'
import { addStockMovementRoutes } from './stock/stock-movements.routes.ts'
import { createStockMovements } from './stock/stock-movements.service.ts'
import { addLocationRoutes } from './locations/locations.routes.ts'
import { createLocations } from './locations/locations.service.ts'
import { addStockIntegrationRoutes } from './stock/stock-integration.routes.ts'
import { addCsvRoutes } from './csv/csv.routes.ts'
import { createCsvExport } from './csv/csv-export.ts'
import { createCsvImports } from './csv/csv-import.service.ts'
import { createReadItemRows } from './csv/csv-workers.ts'

export { type Costs, createCosts, readUnitCosts } from './costs/costs.service.ts'
export {
  type StockDay,
  type StockFigures,
  readStockDays,
  readStockFigures,
} from './inventory.stats.queries.ts'
export { readCostSettings } from './costs/cost-settings.queries.ts'
export { costOfPrint } from './costs/print-cost.ts'
export { listUndecidedSlices } from './costs/item-costs.queries.ts'
export { gramsEach, withSlice } from './costs/sliced-print.ts'
export { type PlannedItem, readPlannedItems } from './costs/planned-items.ts'
export { findItemHits } from './items/item-hits.queries.ts'
export { findLocationHits } from './locations/location-hits.queries.ts'
export { findItem, findItemIdBySku, findItemIdsBySku } from './items/items.queries.ts'
export { type LowStockCrossing, claimLowStockCrossings } from './stock/low-stock-crossings.queries.ts'
export { createItem } from './items/create-item.ts'
export { type ItemFields, NEW_ITEM_FIELDS, storedColor } from './items/item-fields.ts'
export { createCsvWorkers } from './csv/csv-workers.ts'
export { ensureLocation } from './locations/ensure-location.ts'
export { holdLocation } from './locations/locations.queries.ts'
export { type StockOfItem, lockItem, lockItems } from './stock/movements.queries.ts'
export { type NewMovement, countStock, moveStock, moveStockOfOrder } from './stock/stock.service.ts'
export { undoProduction } from './stock/undo-production.ts'

interface InventoryDeps extends Presentation, ItemHooks {
  database: Database
  clock: Clock
  csvWorkers: WorkerPool
}

/** Adds the routes for items in stock, their locations, and their costs. */
export function addInventory(endpoints: Endpoints, deps: InventoryDeps): void {
  const inventory = createInventory(deps)
  addInventoryRoutes(endpoints, { ...deps, inventory })
  addStockIntegrationRoutes(endpoints, { ...deps, inventory })
  addItemRoutes(endpoints, { ...deps, items: createItems(deps), copies: createCopies(deps) })
  addStockMovementRoutes(endpoints, { ...deps, movements: createStockMovements(deps) })
  addLocationRoutes(endpoints, { ...deps, locations: createLocations(deps) })
  addCostRoutes(endpoints, { ...deps, costs: createCosts(deps) })
  const imports = createCsvImports({ ...deps, readItemRows: createReadItemRows(deps.csvWorkers) })
  addCsvRoutes(endpoints, { ...deps, exports: createCsvExport(deps), imports })
}
