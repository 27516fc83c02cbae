import type { Endpoint } from '@pegasus/contracts/endpoint'
import { hasRole } from '@pegasus/contracts/roles'
import type { FastifyRequest } from 'fastify'
import type { Clock } from '../../platform/clock.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { Guard } from '../../platform/http/endpoints.ts'
import type { ApiKeyPrincipal, UserPrincipal } from '../../platform/http/principal.ts'
import type { PathSigner } from '../../platform/http/signed-path.ts'
import { assertRecent } from './recent-sign-in.ts'
import type { Sessions } from './sessions.service.ts'

const BEARER = /^Bearer +([^\s]+) *$/i

/** What the guard asks of the module that keeps API keys. */
export interface KeyGuard {
  /** Whether a bearer token is, by its looks, an API key. */
  isKey(token: string): boolean
  /**
   * Whose key this is, as of now. Throws UNAUTHENTICATED for a key that is unknown, ended, switched off or used
   * from elsewhere than it may, and TOO_MANY_REQUESTS above its limit.
   */
  authenticate(key: string, request: FastifyRequest): Promise<ApiKeyPrincipal>
}

function assertPersonMay(principal: UserPrincipal, endpoint: Endpoint, clock: Clock): void {
  const { access } = endpoint
  if (principal.user.password_change_required && !endpoint.worksBeforePasswordChange)
    throw new AppError('PASSWORD_CHANGE_REQUIRED')
  if (
    typeof access === 'object' ||
    (access !== 'signed-in' && access !== 'public' && !hasRole(principal.user.role, access))
  )
    throw new AppError('FORBIDDEN')
  if (endpoint.needsRecentSignIn) assertRecent(principal.authenticatedAt, clock)
}

function assertKeyMay({ scopes, user }: ApiKeyPrincipal, { access }: Endpoint): void {
  const isOpen =
    typeof access === 'object' && scopes.includes(access.scope) && hasRole(user.role, access.owner)
  if (!isOpen) throw new AppError('FORBIDDEN')
}

/** Decides from an endpoint's declaration and the request's headers alone who gets through. */
export function createGuard(deps: {
  sessions: Sessions
  keys: KeyGuard
  signer: PathSigner
  clock: Clock
}): Guard {
  const { sessions, keys, signer, clock } = deps
  return async (request, endpoint) => {
    if (endpoint.access === 'public') return null
    const { authorization, 'x-api-key': apiKey } = request.headers
    if (authorization === undefined && endpoint.isSignable && signer.isValid(request.url)) return null
    const bearer = BEARER.exec(authorization ?? '')?.[1]
    // A key may stand in a header of its own; beside a person's token that header means nothing.
    const token = bearer ?? (authorization === undefined && typeof apiKey === 'string' ? apiKey : undefined)
    if (token === undefined) throw new AppError('UNAUTHENTICATED')
    if (bearer === undefined || keys.isKey(token)) {
      const principal = await keys.authenticate(token, request)
      assertKeyMay(principal, endpoint)
      return principal
    }
    const principal = await sessions.authenticate(token)
    assertPersonMay(principal, endpoint, clock)
    return principal
  }
}
