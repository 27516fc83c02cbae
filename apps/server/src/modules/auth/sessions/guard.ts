import type { Endpoint } from '@pegasus/contracts/endpoint'
import { hasRole } from '@pegasus/contracts/roles'
import type { FastifyRequest } from 'fastify'
import type { Clock } from '../../../platform/clock.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import type { Guard } from '../../../platform/http/endpoints.ts'
import type { ApiKeyPrincipal, ServiceKeyPrincipal, UserPrincipal } from '../../../platform/http/principal.ts'
import type { PathSigner } from '../../../platform/http/signed-path.ts'
import type { Refusals } from '../audit/refused-sign-ins.service.ts'
import type { OwnSessions } from './own-sessions.service.ts'
import { assertRecent } from './recent-sign-in.ts'
import type { Sessions } from './sessions.service.ts'

const BEARER = /^Bearer +([^\s]+) *$/i

/** The token of an `Authorization` header. */
export const bearerOf = (authorization: string | undefined): string | undefined =>
  BEARER.exec(authorization ?? '')?.[1]

/** The functions of module `api-keys` that the guard needs. */
export interface KeyGuard {
  /** Whether a bearer token has the form of an API key. */
  isKey(token: string): boolean
  /** The API key that is the password of Basic authentication; null without one. */
  inBasic(authorization: string | undefined): string | null
  /**
   * Returns the key's account. Throws UNAUTHENTICATED for a key that is unknown, expired, disabled or used from
   * another address, and TOO_MANY_REQUESTS above its limit.
   */
  authenticate(key: string, request: FastifyRequest): Promise<ApiKeyPrincipal>
  /** Throws FORBIDDEN, and records it in the audit, if the key does not open the endpoint. */
  assertOpens(principal: ApiKeyPrincipal, endpoint: Endpoint, request: FastifyRequest): Promise<void>
}

/** The keys of the hosted service's protocol, as the guard needs them. */
export interface ServiceKeyGuard {
  /** Whether a bearer token is meant as such a key, valid or not. */
  isKey(token: string): boolean
  /** Throws UNAUTHENTICATED for a key of this instance that has been revoked. Other texts pass. */
  assertKnown(key: string, request: FastifyRequest): Promise<void>
  /**
   * The key's principal at an endpoint that it opens. Throws UNAUTHENTICATED for an unknown key,
   * SERVICE_KEY_WITHOUT_ACCOUNT where an account is needed, and FORBIDDEN for a key without the role.
   */
  authenticate(key: string, endpoint: Endpoint, request: FastifyRequest): Promise<ServiceKeyPrincipal>
}

/** Whether people of that role may call the endpoint. An endpoint for keys only, or for nobody, is open to no session. */
export function isOpenTo(role: string, { access }: Endpoint): boolean {
  const people = typeof access === 'object' ? access.people : access
  if (people === undefined || people === 'nobody' || people === 'service-role') return false
  return people === 'signed-in' || people === 'public' || hasRole(role, people)
}

/** Decides from an endpoint's declaration and the request's headers who may call it. */
export function createGuard(deps: {
  sessions: Sessions
  ownSessions: Pick<OwnSessions, 'noteUse'>
  keys: KeyGuard
  serviceKeys: ServiceKeyGuard
  refusals: Refusals
  signer: PathSigner
  clock: Clock
}): Guard {
  const { sessions, ownSessions, keys, serviceKeys, refusals, signer, clock } = deps

  const assertPersonMay = async (principal: UserPrincipal, endpoint: Endpoint, request: FastifyRequest) => {
    // Comes first: until the password is changed, anybody who knows it could be calling.
    if (principal.isSecondFactorDue && !endpoint.worksBeforeSecondFactor)
      throw new AppError(endpoint.refusalBeforeSecondFactor ?? 'SECOND_FACTOR_REQUIRED')
    if (principal.user.password_change_required && !endpoint.worksBeforePasswordChange)
      throw new AppError('PASSWORD_CHANGE_REQUIRED')
    // Without an address nobody has approved the person, so nothing of the product is open.
    if (principal.isAnonymous && !endpoint.isForAnonymous) throw new AppError('ANONYMOUS_REFUSED')
    if (!isOpenTo(principal.user.role, endpoint)) {
      await refusals.note(principal, endpoint, request)
      throw new AppError(endpoint.refusal ?? 'FORBIDDEN')
    }
    if (endpoint.needsRecentSignIn) assertRecent(principal.authenticatedAt, clock)
  }

  /** Only for endpoints whose programs cannot send a key in a header. */
  const basicKey = ({ access }: Endpoint, authorization: string | undefined): string | undefined =>
    typeof access === 'object' && access.isBasicToo ? (keys.inBasic(authorization) ?? undefined) : undefined

  const isHosted = ({ dialect = 'product' }: Endpoint): boolean => dialect !== 'product'

  return async (request, endpoint) => {
    const { authorization, 'x-api-key': apiKey, apikey: serviceKey } = request.headers
    const hostedKey = isHosted(endpoint) && typeof serviceKey === 'string' ? serviceKey : undefined
    if (hostedKey !== undefined) await serviceKeys.assertKnown(hostedKey, request)
    if (endpoint.access === 'public') return null
    if (authorization === undefined && endpoint.isSignable && signer.isValid(request.url)) return null
    const bearer = bearerOf(authorization) ?? basicKey(endpoint, authorization)
    // A key can be in its own header. Next to a person's token that header is ignored.
    const token = bearer ?? (authorization === undefined && typeof apiKey === 'string' ? apiKey : undefined)
    // In the hosted protocol a key may stand alone in its own header.
    const given = bearer ?? (authorization === undefined ? hostedKey : undefined)
    if (given !== undefined && serviceKeys.isKey(given))
      return serviceKeys.authenticate(given, endpoint, request)
    if (token === undefined) throw new AppError('UNAUTHENTICATED')
    if (bearer === undefined || keys.isKey(token)) {
      const principal = await keys.authenticate(token, request)
      await keys.assertOpens(principal, endpoint, request)
      return principal
    }
    const principal = await sessions.authenticate(token)
    ownSessions.noteUse(principal.sessionId, request.ip)
    await assertPersonMay(principal, endpoint, request)
    return principal
  }
}
