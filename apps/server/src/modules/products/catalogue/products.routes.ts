import { getProduct, listProducts } from '@pegasus/contracts/products/products'
import type { Endpoints } from '../../../platform/http/endpoints.ts'
import { decodeCursor, sendPageHeaders } from '../../../platform/http/paging.ts'
import { presentProduct, type WireNeeds } from './products.present.ts'
import type { Products } from './products.service.ts'

export function addProductRoutes(
  endpoints: Endpoints,
  { products, ...needs }: { products: Products } & WireNeeds,
): void {
  endpoints.add(listProducts, async ({ query, request, reply }) => {
    const filter = {
      search: query.search,
      status: query.status,
      differs: query.differs,
      isDeleted: query.deleted,
    }
    const page = await products.list(filter, { cursor: decodeCursor(query.cursor), limit: query.limit })
    sendPageHeaders(request, reply, page)
    return page.items.map((row) => presentProduct(row, needs))
  })

  endpoints.add(getProduct, async ({ params }) => presentProduct(await products.get(params.id), needs))
}
