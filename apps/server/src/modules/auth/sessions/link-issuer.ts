import type { Endpoint } from '@pegasus/contracts/endpoint'
import type { UserPrincipal } from '../../../platform/http/principal.ts'
import { isOpenTo } from './guard.ts'
import type { Sessions } from './sessions.service.ts'

/**
 * Who once made a call in a session, if they could make it in that session now; null once they have signed out, were
 * deactivated or may no longer make it, or while a step of theirs is due.
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
