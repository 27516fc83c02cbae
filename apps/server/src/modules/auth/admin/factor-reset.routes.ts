import { resetUserFactors } from '@pegasus/contracts/users/users'
import type { Endpoints } from '../../../platform/http/endpoints.ts'
import { deviceOf } from '../audit/device.ts'
import type { Refusals } from '../audit/refused-sign-ins.service.ts'
import type { FactorReset } from './factor-reset.service.ts'

/** Adds the endpoints with which admins reset a colleague's second factor. */
export function addFactorResetRoutes(
  endpoints: Endpoints,
  { factorReset, refusals }: { factorReset: FactorReset; refusals: Refusals },
): void {
  endpoints.add(resetUserFactors, async (call) => {
    const { user, params, request, reply } = call
    await refusals.watch(call, resetUserFactors, () => factorReset.reset(user, params.id, deviceOf(request)))
    return reply.send()
  })
}
