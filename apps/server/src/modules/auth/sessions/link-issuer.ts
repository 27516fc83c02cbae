import type { Endpoint } from '@pegasus/contracts/endpoint'
import type { UserPrincipal } from '../../../platform/http/principal.ts'
import { isFactorSetupDue, isOpenTo } from './guard.ts'
import type { Sessions } from './sessions.service.ts'

/**
 * Returns the account of a session if the session may still call an endpoint. Signed links use it: a link works only
 * while the session that issued it could issue it again. Returns null after a sign-out, a deactivation or a loss of
 * rights, and while the session needs a second step, a new password or a second factor.
 */
export type FindLinkIssuer = (
  ids: Pick<UserPrincipal, 'sessionId' | 'accountId'>,
  endpoint: Endpoint,
) => Promise<UserPrincipal | null>

export const createFindLinkIssuer =
  ({ sessions }: { sessions: Pick<Sessions, 'find'> }): FindLinkIssuer =>
  async (ids, endpoint) => {
    const principal = await sessions.find(ids)
    if (!principal || principal.isSecondFactorDue || principal.user.password_change_required) return null
    if (isFactorSetupDue(principal)) return null
    return isOpenTo(principal.user.role, endpoint) ? principal : null
  }
