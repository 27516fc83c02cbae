import {
  type MovedItem,
  adjustStock,
  countItemStock,
  moveItem,
  releaseStock,
  reserveStock,
  undoMovement,
} from '@pegasus/contracts/inventory/stock-movements'
import type { FastifyReply } from 'fastify'
import { auditContextOf } from '../../../platform/actor.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Call, Endpoints } from '../../../platform/http/endpoints.ts'
import { etagOf } from '../../../platform/http/etag.ts'
import { type IdempotentCaller, idempotentCallerOf } from '../../../platform/http/idempotency.ts'
import type { StockMovements } from './stock-movements.service.ts'

function sendItem(reply: FastifyReply, item: MovedItem): MovedItem {
  reply.header('etag', etagOf(item.revision))
  return item
}

export function addStockMovementRoutes(
  endpoints: Endpoints,
  { movements, clock }: { movements: StockMovements; clock: Clock },
): void {
  const run = async (
    { user, request, reply }: Pick<Call<typeof adjustStock>, 'user' | 'request' | 'reply'>,
    work: (by: IdempotentCaller) => Promise<MovedItem>,
  ) => sendItem(reply, await work(idempotentCallerOf(request, user, clock)))

  endpoints.add(adjustStock, ({ params, body, ...call }) =>
    run(call, (by) => movements.adjust(params.id, body, by)),
  )

  endpoints.add(countItemStock, ({ params, body, ...call }) =>
    run(call, (by) => movements.count(params.id, body, by)),
  )

  endpoints.add(reserveStock, ({ params, body, ...call }) =>
    run(call, (by) => movements.reserve(params.id, body, by)),
  )

  endpoints.add(releaseStock, ({ params, body, ...call }) =>
    run(call, (by) => movements.release(params.id, body, by)),
  )

  endpoints.add(moveItem, ({ params, body, ...call }) =>
    run(call, (by) => movements.move(params.id, body, by)),
  )

  endpoints.add(undoMovement, async ({ params, user, request, reply }) =>
    sendItem(reply, await movements.undo(params.id, auditContextOf(request, user, clock))),
  )
}
