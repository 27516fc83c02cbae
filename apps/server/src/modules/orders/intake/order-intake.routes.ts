import { receiveOrder } from '@pegasus/contracts/integration'
import type { Endpoints } from '../../../platform/http/endpoints.ts'
import { fingerprintOf, idempotencyKeyOf } from '../../../platform/http/idempotency.ts'
import type { OrderIntake } from './order-intake.service.ts'

export function addOrderIntakeRoutes(endpoints: Endpoints, { intake }: { intake: OrderIntake }): void {
  endpoints.add(receiveOrder, async ({ user, body, request, reply, audit }) => {
    const idempotencyKey = idempotencyKeyOf(request)
    const answer = await intake.receive(body, {
      accountId: user.accountId,
      // Two API keys of one owner count as two programs, so they do not share idempotency keys.
      idempotencyKey: idempotencyKey === null ? null : fingerprintOf(user.keyId, idempotencyKey),
      audit,
    })
    reply.code(answer.status)
    return answer.body
  })
}
