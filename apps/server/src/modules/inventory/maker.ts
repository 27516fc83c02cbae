import type { FastifyRequest } from 'fastify'
import { type Deed, deedOf } from '../../platform/actor.ts'
import type { Clock } from '../../platform/clock.ts'
import { idempotencyKeyOf } from '../../platform/http/idempotency.ts'
import type { UserPrincipal } from '../../platform/http/principal.ts'

/** Who does something that is to happen once, however often it is sent. */
export interface Maker {
  accountId: string
  idempotencyKey: string | null
  deed: Deed
}

export const makerOf = (request: FastifyRequest, user: UserPrincipal, clock: Clock): Maker => ({
  accountId: user.accountId,
  idempotencyKey: idempotencyKeyOf(request),
  deed: deedOf(request, user, clock),
})
