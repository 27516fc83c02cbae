import { forgetSku, ignoreSku, listUnknownSkus, mapSku } from '@pegasus/contracts/orders/sku-mappings'
import type { Endpoints } from '../../../platform/http/endpoints.ts'
import type { SkuMappings } from './sku-mappings.service.ts'

export function addSkuMappingRoutes(endpoints: Endpoints, { skus }: { skus: SkuMappings }): void {
  endpoints.add(listUnknownSkus, async ({ query }) => skus.list(query.state, query))
  endpoints.add(mapSku, async ({ body, audit }) => skus.map(body, audit))
  endpoints.add(ignoreSku, async ({ body, audit }) => skus.ignore(body.sku, audit))
  endpoints.add(forgetSku, async ({ body, audit }) => skus.forget(body.sku, audit))
}
