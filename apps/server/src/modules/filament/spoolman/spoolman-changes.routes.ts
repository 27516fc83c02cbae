import {
  addSpoolmanFilament,
  addSpoolmanSpool,
  addSpoolmanVendor,
  removeSpoolmanFilament,
  removeSpoolmanSpool,
  removeSpoolmanVendor,
  updateSpoolmanFilament,
  updateSpoolmanSpool,
  updateSpoolmanVendor,
} from '@pegasus/contracts/filament/spoolman-changes'
import type { FastifyRequest } from 'fastify'
import { auditContextOf } from '../../../platform/actor.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Endpoints } from '../../../platform/http/endpoints.ts'
import { idempotencyKeyOf } from '../../../platform/http/idempotency.ts'
import type { Principal } from '../../../platform/http/principal.ts'
import type { Adder } from '../spools/spools.service.ts'
import type { SpoolmanChanges } from './spoolman-changes.service.ts'
import { presentFilament, presentSpoolmanSpool, presentVendor } from './spoolman.present.ts'

const SUCCESS = { message: 'Success!' } as const

export function addSpoolmanChangeRoutes(
  endpoints: Endpoints,
  deps: { keeping: SpoolmanChanges; clock: Clock; currency: string },
): void {
  const { keeping, clock, currency } = deps

  const adderOf = (request: FastifyRequest, user: Principal): Adder => ({
    accountId: user.accountId,
    idempotencyKey: idempotencyKeyOf(request),
    deed: auditContextOf(request, user, clock),
  })

  endpoints.add(addSpoolmanVendor, async ({ body, user, request }) =>
    presentVendor(await keeping.addVendor(body, adderOf(request, user))),
  )
  endpoints.add(updateSpoolmanVendor, async ({ params, body, user, request }) =>
    presentVendor(await keeping.updateVendor(params.id, body, auditContextOf(request, user, clock))),
  )
  endpoints.add(removeSpoolmanVendor, async ({ params, user, request }) => {
    await keeping.removeVendor(params.id, auditContextOf(request, user, clock))
    return SUCCESS
  })

  endpoints.add(addSpoolmanFilament, async ({ body, user, request }) =>
    presentFilament(await keeping.addFilament(body, adderOf(request, user)), currency),
  )
  endpoints.add(updateSpoolmanFilament, async ({ params, body, user, request }) =>
    presentFilament(
      await keeping.updateFilament(params.id, body, auditContextOf(request, user, clock)),
      currency,
    ),
  )
  endpoints.add(removeSpoolmanFilament, async ({ params, user, request }) => {
    await keeping.removeFilament(params.id, auditContextOf(request, user, clock))
    return SUCCESS
  })

  endpoints.add(addSpoolmanSpool, async ({ body, user, request }) =>
    presentSpoolmanSpool(await keeping.addSpool(body, adderOf(request, user)), currency),
  )
  endpoints.add(updateSpoolmanSpool, async ({ params, body, user, request }) =>
    presentSpoolmanSpool(
      await keeping.updateSpool(params.id, body, auditContextOf(request, user, clock)),
      currency,
    ),
  )
  endpoints.add(removeSpoolmanSpool, async ({ params, user, request }) => {
    await keeping.removeSpool(params.id, auditContextOf(request, user, clock))
    return SUCCESS
  })
}
