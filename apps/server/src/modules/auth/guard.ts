import { hasRole } from '@pegasus/contracts/roles'
import type { Clock } from '../../platform/clock.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { Guard } from '../../platform/http/endpoints.ts'
import type { PathSigner } from '../../platform/http/signed-path.ts'
import { assertRecent } from './recent-sign-in.ts'
import type { Sessions } from './sessions.service.ts'

const BEARER = /^Bearer +([^\s]+) *$/i

/** Decides from an endpoint's declaration and the request's headers alone who gets through. */
export function createGuard(deps: { sessions: Sessions; signer: PathSigner; clock: Clock }): Guard {
  return async (request, endpoint) => {
    if (endpoint.access === 'public') return null
    const { authorization } = request.headers
    if (authorization === undefined && endpoint.isSignable && deps.signer.isValid(request.url)) return null
    const token = BEARER.exec(authorization ?? '')?.[1]
    if (token === undefined) throw new AppError('UNAUTHENTICATED')
    const principal = await deps.sessions.authenticate(token)
    if (principal.user.password_change_required && !endpoint.worksBeforePasswordChange)
      throw new AppError('PASSWORD_CHANGE_REQUIRED')
    if (endpoint.access !== 'signed-in' && !hasRole(principal.user.role, endpoint.access))
      throw new AppError('FORBIDDEN')
    if (endpoint.needsRecentSignIn) assertRecent(principal.authenticatedAt, deps.clock)
    return principal
  }
}
