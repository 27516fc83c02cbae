import type { Endpoint } from '@pegasus/contracts/endpoint'
import type { UserPrincipal } from '../../../platform/http/principal.ts'
import { isOpenTo } from './guard.ts'
import type { Sessions } from './sessions.service.ts'

/**
 * Returns the account that once made a call in a session, if the session could still make that call now.
 * Returns null after a sign-out, a deactivation or a loss of rights, and while a second step or a password
 * change is due.
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
    return isOpenTo(principal.user.role, endpoint) ? principal : null
  }
