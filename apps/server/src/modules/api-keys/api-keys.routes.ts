import {
  createApiKey,
  deleteApiKey,
  disableApiKey,
  enableApiKey,
  getApiKeyUsage,
  listApiKeys,
  rotateApiKey,
} from '@pegasus/contracts/api-keys'
import type { FastifyRequest } from 'fastify'
import { auditContextOf } from '../../platform/actor.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Endpoints } from '../../platform/http/endpoints.ts'
import { idempotencyKeyOf } from '../../platform/http/idempotency.ts'
import { decodeCursor, sendPageHeaders } from '../../platform/http/paging.ts'
import type { UserPrincipal } from '../../platform/http/principal.ts'
import type { Refusals } from '../auth/index.ts'
import type { ApiKeys, Keeper } from './api-keys.service.ts'

export function addApiKeyRoutes(
  endpoints: Endpoints,
  deps: { keys: ApiKeys; refusals: Refusals; clock: Clock },
): void {
  const { keys, refusals, clock } = deps

  const keeperOf = (call: { user: UserPrincipal; request: FastifyRequest }): Keeper => ({
    accountId: call.user.accountId,
    deed: auditContextOf(call.request, call.user, clock),
  })

  endpoints.add(listApiKeys, async ({ query, request, reply }) => {
    const page = await keys.list({ cursor: decodeCursor(query.cursor), limit: query.limit })
    sendPageHeaders(request, reply, page)
    return page.items
  })

  endpoints.add(createApiKey, async (call) => {
    const answer = await refusals.watch(call, createApiKey, () =>
      keys.create(call.body, keeperOf(call), idempotencyKeyOf(call.request)),
    )
    return answer.body
  })

  endpoints.add(getApiKeyUsage, ({ params }) => keys.getUsage(params.id))

  endpoints.add(rotateApiKey, async (call) => {
    const answer = await refusals.watch(call, rotateApiKey, () =>
      keys.rotate(call.params.id, keeperOf(call), idempotencyKeyOf(call.request)),
    )
    return answer.body
  })

  endpoints.add(enableApiKey, (call) =>
    refusals.watch(call, enableApiKey, () => keys.setActive(call.params.id, true, keeperOf(call))),
  )
  endpoints.add(disableApiKey, (call) => keys.setActive(call.params.id, false, keeperOf(call)))

  endpoints.add(deleteApiKey, (call) => keys.remove(call.params.id, keeperOf(call)))
}
