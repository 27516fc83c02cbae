import { errors, jwtVerify } from 'jose'
import * as z from 'zod'
import { type Clock, SECOND_MS } from '../../../platform/clock.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import type { FindProjectKey } from './project-keys.ts'
import type { HostedProject } from './project-settings.ts'

const AUDIENCE = 'authenticated'
/** Allowed difference between the clocks of the project and of this server. */
const LEEWAY_SECONDS = 5
/** The maximum length of a token. A longer token is refused before it is decoded. */
const MAX_TOKEN_LENGTH = 16_384

const claims = z.object({
  sub: z.guid().transform((id) => id.toLowerCase()),
  session_id: z.guid().transform((id) => id.toLowerCase()),
  role: z.literal(AUDIENCE),
  exp: z.number(),
  iat: z.number(),
  aal: z.enum(['aal1', 'aal2']).optional(),
  amr: z.array(z.looseObject({ method: z.string(), timestamp: z.number() })).optional(),
})

/** The verified content of an access token of the hosted project. */
export interface ProjectClaims {
  userId: string
  sessionId: string
  aal: 'aal1' | 'aal2'
  amr: readonly { method: string; timestamp: number }[]
  /** When the person last proved their identity. */
  authenticatedAt: Date
  endsAt: Date
}

/**
 * Verifies an access token of the project. Throws BAD_JWT if it is invalid or was issued elsewhere, JWT_EXPIRED if it
 * has expired, and HOSTED_PROJECT_UNAVAILABLE if no key of the project is known yet.
 */
export type VerifyProjectToken = (token: string) => Promise<ProjectClaims>

export function createProjectTokens(deps: {
  project: HostedProject
  findKey: FindProjectKey
  clock: Clock
}): VerifyProjectToken {
  const { project, findKey, clock } = deps
  const issuer = `${project.url}/auth/v1`

  return async (token) => {
    if (token.length > MAX_TOKEN_LENGTH) throw new AppError('BAD_JWT', { detail: 'token is too long' })
    try {
      const { payload } = await jwtVerify(token, findKey, {
        // Accept only algorithms with a public key. The anon key is public and is a JWT. If it were signed with the
        // same shared secret as access tokens, it could pass as a person's token.
        algorithms: ['ES256', 'RS256', 'EdDSA'],
        issuer,
        audience: AUDIENCE,
        requiredClaims: ['sub', 'exp', 'iat', 'session_id'],
        clockTolerance: LEEWAY_SECONDS,
        currentDate: clock.now(),
      })
      const { data } = claims.safeParse(payload)
      if (!data) throw new AppError('BAD_JWT', { detail: 'token names no session of a person' })
      const proofs = (data.amr ?? []).map(({ timestamp }) => timestamp)
      return {
        userId: data.sub,
        sessionId: data.session_id,
        aal: data.aal ?? 'aal1',
        amr: (data.amr ?? []).map(({ method, timestamp }) => ({ method, timestamp })),
        authenticatedAt: new Date(Math.min(data.iat, Math.max(0, ...proofs)) * SECOND_MS),
        endsAt: new Date(data.exp * SECOND_MS),
      }
    } catch (cause) {
      if (cause instanceof errors.JWTExpired)
        throw new AppError('JWT_EXPIRED', { detail: cause.message, cause })
      if (cause instanceof errors.JOSEError) throw new AppError('BAD_JWT', { detail: cause.message, cause })
      throw cause
    }
  }
}
