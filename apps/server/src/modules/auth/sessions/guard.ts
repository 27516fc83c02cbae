import type { Endpoint } from '@pegasus/contracts/endpoint'
import { hasRole } from '@pegasus/contracts/roles'
import type { FastifyRequest } from 'fastify'
import type { Clock } from '../../../platform/clock.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import type { Guard } from '../../../platform/http/endpoints.ts'
import type { ApiKeyPrincipal, ServiceKeyPrincipal, UserPrincipal } from '../../../platform/http/principal.ts'
import type { PathSigner } from '../../../platform/http/signed-path.ts'
import type { Refusals } from '../audit/refused-sign-ins.service.ts'
import { deviceOf } from '../audit/device.ts'
import type { OwnSessions } from './own-sessions.service.ts'
import { assertRecent } from './recent-sign-in.ts'
import type { Sessions } from './sessions.service.ts'

const BEARER = /^Bearer +([^\s]+) *$/i

/** Returns the bearer token of an `Authorization` header. */
export const bearerOf = (authorization: string | undefined): string | undefined =>
  BEARER.exec(authorization ?? '')?.[1]

/** The functions of the module `api-keys` that the guard needs. */
export interface KeyGuard {
  /** Returns whether a bearer token has the form of an API key. */
  isKey(token: string): boolean
  /** Returns the API key that was sent as the password of Basic authentication, or null if there is none. */
  inBasic(authorization: string | undefined): string | null
  /**
   * Returns the principal of a key. Throws UNAUTHENTICATED if the key is unknown, expired, disabled or used from an IP
   * address that is not allowed. Throws TOO_MANY_REQUESTS if the key has used up its requests.
   */
  authenticate(key: string, request: FastifyRequest): Promise<ApiKeyPrincipal>
  /** Throws FORBIDDEN if the key may not call the endpoint, and records the refusal in the audit. */
  assertOpens(principal: ApiKeyPrincipal, endpoint: Endpoint, request: FastifyRequest): Promise<void>
}

/** The functions of the module `api-keys` for keys of the hosted service's protocol that the guard needs. */
export interface ServiceKeyGuard {
  /** Returns whether a bearer token has the form of such a key. The key may be invalid. */
  isKey(token: string): boolean
  /**
   * Throws UNAUTHENTICATED for a token in the form of our keys if the key is not valid, for example because it was
   * revoked. Ignores other tokens.
   */
  assertKnown(key: string, request: FastifyRequest): Promise<void>
  /**
   * Returns the principal of a key at an endpoint. Throws UNAUTHENTICATED for an unknown key,
   * SERVICE_KEY_WITHOUT_ACCOUNT if the endpoint needs an account, and FORBIDDEN if the key lacks the role. In the
   * database protocol, UNAUTHENTICATED replaces FORBIDDEN.
   */
  authenticate(key: string, endpoint: Endpoint, request: FastifyRequest): Promise<ServiceKeyPrincipal>
}

/**
 * Returns whether sessions of people with this role may call the endpoint. Some endpoints are only for keys or closed
 * to everybody, and no session may call them.
 */
export function isOpenTo(role: string, { access }: Endpoint): boolean {
  const people = typeof access === 'object' ? access.people : access
  if (people === undefined || people === 'nobody' || people === 'service-role') return false
  return people === 'signed-in' || people === 'public' || hasRole(role, people)
}

/**
 * Returns whether the person can do nothing before setting up a second factor. A person with a generated password must
 * change the password first. Anonymous accounts have no access to the app, so they need no factor.
 */
export const isFactorSetupDue = ({ user, isAnonymous }: UserPrincipal): boolean =>
  user.second_factor_setup_required && !user.password_change_required && !isAnonymous

/**
 * Creates the guard. It decides who may call an endpoint from the declaration of the endpoint and the headers of the
 * request.
 */
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
    // Check the second factor first. Before the second step, the caller may be anybody who knows the generated
    // password.
    if (principal.isSecondFactorDue && !endpoint.worksBeforeSecondFactor)
      throw new AppError(endpoint.refusalBeforeSecondFactor ?? 'SECOND_FACTOR_REQUIRED')
    if (principal.user.password_change_required && !endpoint.worksBeforePasswordChange)
      throw new AppError('PASSWORD_CHANGE_REQUIRED')
    // No person has approved an anonymous account, so it has no access to the app.
    if (principal.isAnonymous && !endpoint.isForAnonymous) throw new AppError('ANONYMOUS_REFUSED')
    if (isFactorSetupDue(principal) && !endpoint.worksBeforeFactorSetup)
      throw new AppError('SECOND_FACTOR_SETUP_REQUIRED')
    if (!isOpenTo(principal.user.role, endpoint)) {
      await refusals.note(principal, endpoint, request)
      throw new AppError(endpoint.refusal ?? 'FORBIDDEN')
    }
    if (endpoint.needsRecentSignIn) assertRecent(principal.authenticatedAt, clock)
  }

  /**
   * Returns the key in Basic authentication. This is allowed only at endpoints for programs that cannot set another
   * header.
   */
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
    // An API key can have its own header. The server ignores this header if the request also has an `Authorization`
    // header.
    const token = bearer ?? (authorization === undefined && typeof apiKey === 'string' ? apiKey : undefined)
    // In the hosted protocol, a key can have its own header, without an `Authorization` header.
    const given = bearer ?? (authorization === undefined ? hostedKey : undefined)
    // At endpoints for people, a key in its own header only identifies the instance, so ignore it there. In the
    // database protocol, the key always determines the role of the caller.
    const takesKeys =
      endpoint.access === 'service-role' ||
      endpoint.isForServiceRoleToo === true ||
      endpoint.dialect === 'hosted-rest'
    if (given !== undefined && serviceKeys.isKey(given) && (bearer !== undefined || takesKeys))
      return serviceKeys.authenticate(given, endpoint, request)
    if (token === undefined) throw new AppError('UNAUTHENTICATED')
    if (bearer === undefined || keys.isKey(token)) {
      const principal = await keys.authenticate(token, request)
      await keys.assertOpens(principal, endpoint, request)
      return principal
    }
    const principal = await sessions.authenticate(token, deviceOf(request))
    ownSessions.noteUse(principal.sessionId, request.ip)
    await assertPersonMay(principal, endpoint, request)
    return principal
  }
}
