import type { Database } from '../../platform/database/database.ts'
import type { Endpoints } from '../../platform/http/endpoints.ts'
import type { Presentation } from './inventory.present.ts'
import { addInventoryRoutes } from './inventory.routes.ts'
import { addStockIntegrationRoutes } from './stock-integration.routes.ts'
import { createInventory } from './inventory.service.ts'

export { type StockDay, type StockFigures, readStockDays, readStockFigures } from './inventory.figures.ts'
export { findItemIdBySku } from './inventory.queries.ts'
export { type NewItem, type NewMovement, countStock, createItem, moveStock } from './inventory.service.ts'
export { ensurePlace } from './locations.queries.ts'

/** What is in stock. */
export function addInventory(endpoints: Endpoints, deps: Presentation & { database: Database }): void {
  const { database, signer, currency } = deps
  const inventory = createInventory({ database })
  addInventoryRoutes(endpoints, { inventory, signer, currency })
  addStockIntegrationRoutes(endpoints, { inventory, signer, currency })
}
