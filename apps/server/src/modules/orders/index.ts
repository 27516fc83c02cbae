import type { Database } from '../../platform/database/database.ts'
import type { Endpoints } from '../../platform/http/endpoints.ts'
import type { PathSigner } from '../../platform/http/signed-path.ts'
import { addOrderRoutes } from './orders.routes.ts'

export { type OrderDay, readOrderDays, readOrderFigures } from './orders.figures.ts'
export { type NewOrder, type NewOrderLine, createOrder } from './orders.service.ts'

/** What customers bought in the main shop. */
export function addOrders(endpoints: Endpoints, deps: { database: Database; signer: PathSigner }): void {
  addOrderRoutes(endpoints, deps)
}
