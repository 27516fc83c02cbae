import {
  createProduct,
  deleteProduct,
  restoreProduct,
  updateProduct,
} from '@pegasus/contracts/products/products'
import { auditContextOf } from '../../../platform/actor.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Endpoints } from '../../../platform/http/endpoints.ts'
import { etagOf, requiredRevisionIn, revisionIn } from '../../../platform/http/etag.ts'
import { idempotencyKeyOf } from '../../../platform/http/idempotency.ts'
import { presentProduct, type WireNeeds } from './products.present.ts'
import type { ProductChanges } from './product-changes.service.ts'

export function addProductChangeRoutes(
  endpoints: Endpoints,
  { keeping, clock, ...needs }: { keeping: ProductChanges; clock: Clock } & WireNeeds,
): void {
  endpoints.add(createProduct, async ({ body, user, request, reply }) => {
    const idempotencyKey = idempotencyKeyOf(request)
    const by = { accountId: user.accountId, deed: auditContextOf(request, user, clock), idempotencyKey }
    const answer = await keeping.create(body, by)
    reply.code(answer.status).header('etag', etagOf(answer.body.revision))
    return answer.body
  })

  endpoints.add(updateProduct, async ({ params, body, user, request, reply }) => {
    const revision = requiredRevisionIn(request)
    const row = await keeping.update(params.id, body, revision, auditContextOf(request, user, clock))
    reply.header('etag', etagOf(row.revision))
    return presentProduct(row, needs)
  })

  endpoints.add(deleteProduct, async ({ params, user, request }) => {
    await keeping.remove(params.id, revisionIn(request), auditContextOf(request, user, clock))
  })

  endpoints.add(restoreProduct, async ({ params, user, request, reply }) => {
    const row = await keeping.restore(params.id, auditContextOf(request, user, clock))
    reply.header('etag', etagOf(row.revision))
    return presentProduct(row, needs)
  })
}
