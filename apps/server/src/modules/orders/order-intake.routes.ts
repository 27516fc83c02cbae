import { receiveOrder } from '@pegasus/contracts/integration'
import { auditContextOf } from '../../platform/actor.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Endpoints } from '../../platform/http/endpoints.ts'
import { fingerprintOf, idempotencyKeyOf } from '../../platform/http/idempotency.ts'
import type { OrderIntake } from './order-intake.service.ts'

export function addOrderIntakeRoutes(
  endpoints: Endpoints,
  deps: { intake: OrderIntake; clock: Clock },
): void {
  const { intake, clock } = deps

  endpoints.add(receiveOrder, async ({ user, body, request, reply }) => {
    const idempotencyKey = idempotencyKeyOf(request)
    const answer = await intake.receive(body, {
      accountId: user.accountId,
      // Two programs of one owner have separate idempotency keys.
      idempotencyKey: idempotencyKey === null ? null : fingerprintOf(user.keyId, idempotencyKey),
      audit: auditContextOf(request, user, clock),
    })
    reply.code(answer.status)
    return answer.body
  })
}
