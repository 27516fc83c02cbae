import { hash } from 'node:crypto'
import { SignJWT, errors, jwtVerify } from 'jose'
import { type Clock, SECOND_MS } from '../../../platform/clock.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import { FifoCache } from '../../../platform/fifo-cache.ts'
import { ACCESS_TOKEN_MS } from './session-life.ts'
import type { SigningKeys } from './signing-keys.ts'

const ACCESS_TOKEN_SECONDS = ACCESS_TOKEN_MS / SECOND_MS
const AUDIENCE = 'authenticated'
/** How long a token is still accepted after its expiry, because the clocks of replicas differ a little. */
const LEEWAY_SECONDS = 5
/** The maximum length of a token. A longer token is refused before it is decoded. Our own tokens are shorter. */
const MAX_TOKEN_LENGTH = 8192
/**
 * The maximum number of verified tokens in the cache. The cache is worthwhile because verifying a signature takes as
 * long as the rest of a small request.
 */
const MAX_REMEMBERED = 5000
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export interface AccessTokenSubject {
  accountId: string
  sessionId: string
  email: string
  /** The digits of the phone number, or an empty string if there is none. */
  phone: string
  aal: string
  amr: readonly { method: string; timestamp: number; provider?: string }[]
  appMetadata: Record<string, unknown>
  userMetadata: Record<string, unknown>
  isAnonymous: boolean
  /** The latest time at which the session can end. The token does not expire later. */
  endsAt: Date
}

export interface AccessTokens {
  /**
   * Signs a token. The result contains the expiry as a Unix time in seconds (`expiresAt`), and the number of seconds
   * until then (`expiresIn`).
   */
  sign(subject: AccessTokenSubject): Promise<{ token: string; expiresAt: number; expiresIn: number }>
  /**
   * Verifies a token. Throws BAD_JWT if it is invalid or was not issued by this installation, and JWT_EXPIRED if it has
   * expired. Does not check whether its session exists.
   */
  verify(token: string): Promise<TokenIds>
}

export interface TokenIds {
  accountId: string
  sessionId: string
  /** The assurance level of the session, `aal1` or `aal2`, when the token was signed. */
  aal: string
}

/** A verified token in the cache. It is valid from `at` to `endsAt`, both in milliseconds since 1970. */
interface Verified {
  ids: TokenIds
  at: number
  endsAt: number
}

const isStillGood = ({ at, endsAt }: Verified, now: Date): boolean =>
  at <= now.getTime() && now.getTime() < endsAt

export function createAccessTokens(options: {
  keys: SigningKeys
  publicUrl: string
  clock: Clock
}): AccessTokens {
  const { keys, clock } = options
  const issuer = `${options.publicUrl}/auth/v1`
  const verifiedTokens = new FifoCache<Verified>(MAX_REMEMBERED)

  const findKey = async (header: { kid?: string }) => {
    const key = header.kid === undefined ? null : await keys.findPublicKey(header.kid)
    if (!key) throw new AppError('BAD_JWT', { detail: 'token names no key of ours' })
    return key
  }

  const judge = async (token: string, now: Date): Promise<Verified> => {
    try {
      const { payload } = await jwtVerify(token, findKey, {
        algorithms: ['ES256'],
        typ: 'JWT',
        issuer,
        audience: AUDIENCE,
        requiredClaims: ['sub', 'exp', 'iat', 'session_id'],
        clockTolerance: LEEWAY_SECONDS,
        currentDate: now,
        maxTokenAge: ACCESS_TOKEN_SECONDS,
      })
      const { sub = '', session_id: sessionId, aal, iat = 0, exp = 0 } = payload
      if (
        typeof sessionId !== 'string' ||
        typeof aal !== 'string' ||
        !UUID.test(sub) ||
        !UUID.test(sessionId)
      )
        throw new AppError('BAD_JWT', { detail: 'token names no session' })
      const endsAt = Math.min(exp, iat + ACCESS_TOKEN_SECONDS) * SECOND_MS
      return { ids: { accountId: sub, sessionId, aal }, at: now.getTime(), endsAt }
    } catch (cause) {
      if (cause instanceof errors.JWTExpired)
        throw new AppError('JWT_EXPIRED', { detail: cause.message, cause })
      if (cause instanceof errors.JOSEError) throw new AppError('BAD_JWT', { detail: cause.message, cause })
      throw cause
    }
  }

  return {
    async sign(subject) {
      const issuedAt = Math.floor(clock.now().getTime() / 1000)
      const expiresAt = Math.min(issuedAt + ACCESS_TOKEN_SECONDS, Math.floor(subject.endsAt.getTime() / 1000))
      const { kid, privateKey } = await keys.active()
      const token = await new SignJWT({
        email: subject.email,
        phone: subject.phone,
        app_metadata: subject.appMetadata,
        user_metadata: subject.userMetadata,
        role: 'authenticated',
        aal: subject.aal,
        amr: subject.amr,
        session_id: subject.sessionId,
        is_anonymous: subject.isAnonymous,
      })
        .setProtectedHeader({ alg: 'ES256', typ: 'JWT', kid })
        .setSubject(subject.accountId)
        .setAudience(AUDIENCE)
        .setIssuer(issuer)
        .setIssuedAt(issuedAt)
        .setExpirationTime(expiresAt)
        .sign(privateKey)
      return { token, expiresAt, expiresIn: expiresAt - issuedAt }
    },

    async verify(token) {
      if (token.length > MAX_TOKEN_LENGTH) throw new AppError('BAD_JWT', { detail: 'token is too long' })
      const now = clock.now()
      const fingerprint = hash('sha256', token, 'base64')
      const known = verifiedTokens.get(fingerprint)
      if (known && isStillGood(known, now)) return known.ids
      const verified = await judge(token, now)
      verifiedTokens.set(fingerprint, verified)
      return verified.ids
    },
  }
}
