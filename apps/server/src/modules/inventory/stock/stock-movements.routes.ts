import {
  adjustStock,
  countItemStock,
  moveItem,
  releaseStock,
  reserveStock,
  undoMovement,
} from '@pegasus/contracts/inventory/stock-movements'
import { auditContextOf } from '../../../platform/actor.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Endpoints } from '../../../platform/http/endpoints.ts'
import { etagOf } from '../../../platform/http/etag.ts'
import { makerOf } from '../maker.ts'
import type { StockMovements } from './stock-movements.service.ts'

export function addStockMovementRoutes(
  endpoints: Endpoints,
  deps: { moving: StockMovements; clock: Clock },
): void {
  const { moving, clock } = deps

  endpoints.add(adjustStock, async ({ params, body, user, request, reply }) => {
    const item = await moving.adjust(params.id, body, makerOf(request, user, clock))
    reply.header('etag', etagOf(item.revision))
    return item
  })

  endpoints.add(countItemStock, async ({ params, body, user, request, reply }) => {
    const item = await moving.count(params.id, body, makerOf(request, user, clock))
    reply.header('etag', etagOf(item.revision))
    return item
  })

  endpoints.add(reserveStock, async ({ params, body, user, request, reply }) => {
    const item = await moving.reserve(params.id, body, makerOf(request, user, clock))
    reply.header('etag', etagOf(item.revision))
    return item
  })

  endpoints.add(releaseStock, async ({ params, body, user, request, reply }) => {
    const item = await moving.release(params.id, body, makerOf(request, user, clock))
    reply.header('etag', etagOf(item.revision))
    return item
  })

  endpoints.add(moveItem, async ({ params, body, user, request, reply }) => {
    const item = await moving.move(params.id, body, makerOf(request, user, clock))
    reply.header('etag', etagOf(item.revision))
    return item
  })

  endpoints.add(undoMovement, async ({ params, user, request, reply }) => {
    const item = await moving.undo(params.id, auditContextOf(request, user, clock))
    reply.header('etag', etagOf(item.revision))
    return item
  })
}
