import {
  createProduct,
  deleteProduct,
  restoreProduct,
  updateProduct,
} from '@pegasus/contracts/products/products'
import type { Endpoints } from '../../../platform/http/endpoints.ts'
import { requiredRevisionIn, revisionIn } from '../../../platform/http/etag.ts'
import { presentProduct, type WireNeeds } from './products.present.ts'
import type { ProductChanges } from './product-changes.service.ts'

export function addProductChangeRoutes(
  endpoints: Endpoints,
  { changes, ...needs }: { changes: ProductChanges } & WireNeeds,
): void {
  endpoints.add(createProduct, async ({ body, reply, caller }) => {
    const answer = await changes.create(body, caller)
    reply.code(answer.status)
    return answer.body
  })

  endpoints.add(updateProduct, async ({ params, body, request, audit }) =>
    presentProduct(await changes.update(params.id, body, requiredRevisionIn(request), audit), needs),
  )

  endpoints.add(deleteProduct, async ({ params, request, audit }) => {
    await changes.remove(params.id, revisionIn(request), audit)
  })

  endpoints.add(restoreProduct, async ({ params, audit }) =>
    presentProduct(await changes.restore(params.id, audit), needs),
  )
}
