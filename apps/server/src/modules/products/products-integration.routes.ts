import { listIntegrationProducts } from '@pegasus/contracts/integration'
import type { Endpoints } from '../../platform/http/endpoints.ts'
import { decodeCursor, sendPageHeaders } from '../../platform/http/paging.ts'
import { presentProduct, type WireNeeds } from './products.present.ts'
import type { Products } from './products.service.ts'

/** The catalogue as a shop sees it. */
export function addProductsIntegrationRoutes(
  endpoints: Endpoints,
  { products, ...needs }: { products: Products } & WireNeeds,
): void {
  endpoints.add(listIntegrationProducts, async ({ query, request, reply }) => {
    const place = { cursor: decodeCursor(query.cursor), limit: query.limit }
    const page = await products.list({ status: query.status }, place)
    sendPageHeaders(request, reply, page)
    return page.items.map((row) => ({ ...presentProduct(row, needs), currency: needs.currency }))
  })
}
