import {
  bulkInventory,
  createIdenticalItems,
  createInventoryItem,
  deleteInventoryItem,
  duplicateInventoryItem,
  restoreInventoryItem,
  updateInventoryItem,
} from '@pegasus/contracts/inventory/item-changes'
import { auditContextOf } from '../../../platform/actor.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Endpoints } from '../../../platform/http/endpoints.ts'
import { etagOf, revisionIn } from '../../../platform/http/etag.ts'
import { type Presentation, presentItem } from './items.present.ts'
import { idempotentCallerOf } from '../../../platform/http/idempotency.ts'
import type { Copies } from './copy-items.service.ts'
import type { Items } from './items.service.ts'

export function addItemRoutes(
  endpoints: Endpoints,
  deps: Presentation & { items: Items; copies: Copies; clock: Clock },
): void {
  const { items, copies, clock } = deps

  endpoints.add(createInventoryItem, async ({ body, user, request, reply }) => {
    const answer = await items.create(body, idempotentCallerOf(request, user, clock))
    reply.header('etag', etagOf(answer.body.revision))
    return answer.body
  })

  endpoints.add(updateInventoryItem, async ({ params, body, user, request, reply }) => {
    const row = await items.update(params.id, body, revisionIn(request), auditContextOf(request, user, clock))
    reply.header('etag', etagOf(row.revision))
    return presentItem(row, deps)
  })

  endpoints.add(deleteInventoryItem, async ({ params, user, request }) => {
    await items.remove(params.id, revisionIn(request), auditContextOf(request, user, clock))
  })

  endpoints.add(restoreInventoryItem, async ({ params, user, request, reply }) => {
    const row = await items.restore(params.id, auditContextOf(request, user, clock))
    reply.header('etag', etagOf(row.revision))
    return presentItem(row, deps)
  })

  endpoints.add(bulkInventory, ({ body, user, request }) =>
    items.bulk(body, auditContextOf(request, user, clock)),
  )

  endpoints.add(duplicateInventoryItem, async ({ params, body, user, request, reply }) => {
    const answer = await copies.duplicate(params.id, body, idempotentCallerOf(request, user, clock))
    reply.header('etag', etagOf(answer.body.revision))
    return answer.body
  })

  endpoints.add(createIdenticalItems, async ({ body, user, request }) => {
    const answer = await copies.createIdentical(body, idempotentCallerOf(request, user, clock))
    return answer.body
  })
}
