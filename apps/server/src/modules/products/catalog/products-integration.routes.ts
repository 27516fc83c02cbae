import { listIntegrationProducts } from '@pegasus/contracts/integration'
import type { Endpoints } from '../../../platform/http/endpoints.ts'
import { mapPage, pageRequestOf } from '../../../platform/http/paging.ts'
import { payloadOf } from './product-content.ts'
import { presentProduct, type WireNeeds } from './products.present.ts'
import type { Products } from './products.service.ts'

/** Adds the routes through which a shop reads the catalog. Media get addresses that the shop can reach. */
export function addProductsIntegrationRoutes(
  endpoints: Endpoints,
  { products, publicUrl, ...needs }: { products: Products; publicUrl: string } & WireNeeds,
): void {
  const { currency } = needs
  endpoints.add(listIntegrationProducts, async ({ query }) =>
    mapPage(await products.list({ status: query.status }, pageRequestOf(query)), (row) => ({
      ...presentProduct(row, needs),
      ...payloadOf(row, { currency, publicUrl }),
      currency,
    })),
  )
}
