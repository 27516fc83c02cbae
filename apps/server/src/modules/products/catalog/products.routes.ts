import { getProduct, listProducts } from '@pegasus/contracts/products/products'
import type { Endpoints } from '../../../platform/http/endpoints.ts'
import { mapPage, pageRequestOf } from '../../../platform/http/paging.ts'
import { presentProduct, type WireNeeds } from './products.present.ts'
import type { Products } from './products.service.ts'

export function addProductRoutes(
  endpoints: Endpoints,
  { products, ...needs }: { products: Products } & WireNeeds,
): void {
  endpoints.add(listProducts, async ({ query }) => {
    const filter = {
      search: query.search,
      status: query.status,
      differs: query.differs,
      isDeleted: query.deleted,
    }
    return mapPage(await products.list(filter, pageRequestOf(query)), (row) => presentProduct(row, needs))
  })

  endpoints.add(getProduct, async ({ params }) => presentProduct(await products.get(params.id), needs))
}
