import type { Database } from '../../platform/database/database.ts'
import type { Endpoints } from '../../platform/http/endpoints.ts'
import { addProductsIntegrationRoutes } from './products-integration.routes.ts'
import { addProductRoutes } from './products.routes.ts'
import { createProducts } from './products.service.ts'

export { countPublished } from './products.queries.ts'
export { type NewProduct, createProduct } from './products.service.ts'

/** The local catalogue. */
export function addProducts(endpoints: Endpoints, deps: { database: Database; currency: string }): void {
  const { database, currency } = deps
  const products = createProducts({ database })
  addProductRoutes(endpoints, { products, currency })
  addProductsIntegrationRoutes(endpoints, { products, currency })
}
