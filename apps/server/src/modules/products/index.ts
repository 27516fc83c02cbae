import type { Database } from '../../platform/database/database.ts'
import type { Endpoints } from '../../platform/http/endpoints.ts'
import { addProductRoutes } from './products.routes.ts'

export { countPublished } from './products.queries.ts'
export { type NewProduct, createProduct } from './products.service.ts'

/** The local catalogue. */
export function addProducts(endpoints: Endpoints, deps: { database: Database; currency: string }): void {
  addProductRoutes(endpoints, deps)
}
