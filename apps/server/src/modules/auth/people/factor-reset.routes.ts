import { resetUserFactors } from '@pegasus/contracts/user-factors'
import type { Endpoints } from '../../../platform/http/endpoints.ts'
import { deviceOf } from '../trail/device.ts'
import type { Refusals } from '../trail/refusals.service.ts'
import type { FactorReset } from './factor-reset.service.ts'

/** What admins may do to a colleague's second factor. */
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
