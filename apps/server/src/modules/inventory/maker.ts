import type { FastifyRequest } from 'fastify'
import { type AuditContext, auditContextOf } from '../../platform/actor.ts'
import type { Clock } from '../../platform/clock.ts'
import { idempotencyKeyOf } from '../../platform/http/idempotency.ts'
import type { UserPrincipal } from '../../platform/http/principal.ts'

/** Who does something that is to happen once, however often it is sent. */
export interface IdempotentCaller {
  accountId: string
  idempotencyKey: string | null
  deed: AuditContext
}

export const makerOf = (request: FastifyRequest, user: UserPrincipal, clock: Clock): IdempotentCaller => ({
  accountId: user.accountId,
  idempotencyKey: idempotencyKeyOf(request),
  deed: auditContextOf(request, user, clock),
})
