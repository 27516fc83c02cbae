import { resetUserFactors } from '@pegasus/contracts/user-factors'
import type { Endpoints } from '../../platform/http/endpoints.ts'
import { deviceOf } from './device.ts'
import type { FactorReset } from './factor-reset.service.ts'

/** What admins may do to a colleague's second factor. */
export function addFactorResetRoutes(
  endpoints: Endpoints,
  { factorReset }: { factorReset: FactorReset },
): void {
  endpoints.add(resetUserFactors, async ({ user, params, request, reply }) => {
    await factorReset.reset(user, params.id, deviceOf(request))
    return reply.send()
  })
}
