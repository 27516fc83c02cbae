import type { ServiceKeyKind } from '@pegasus/contracts/service-keys'
import { hashOf, randomDigits, withCheck } from '../key-format.ts'

/** Number of base 62 digits for a secret of 256 bits. */
const SECRET_LENGTH = 43
const OPAQUE_KEY = /^sb_(?:publishable|secret)_[0-9A-Za-z]{43}_[0-9A-Za-z]{6}$/
/**
 * Matches the JWT of a service key. Its payload begins with the role, which the payload of an access token does not. So
 * access tokens need not be decoded to be told apart.
 */
const SERVICE_JWT = /^eyJ[\w-]+\.eyJyb2xlIjoi[\w-]+\.[\w-]+$/
const HINT_DIGITS = 6

/** The stored parts of a key: a hint by which people recognize it, and the SHA-256 of the whole key. */
export interface ServiceKeyIdentity {
  key: string
  hint: string
  hash: Buffer
}

/** Generates a key that is not a JWT: `sb_secret_<secret>_<check>`. */
export function makeOpaqueKey(kind: Extract<ServiceKeyKind, 'publishable' | 'secret'>): ServiceKeyIdentity {
  const secret = randomDigits(SECRET_LENGTH)
  const key = withCheck(`sb_${kind}_${secret}`)
  return { key, hint: `sb_${kind}_${secret.slice(0, HINT_DIGITS)}…`, hash: hashOf(key) }
}

/** Returns the stored parts of a JWT. The hint shows the end of the token, because all JWTs begin alike. */
export const identifyJwt = (token: string): ServiceKeyIdentity => ({
  key: token,
  hint: `eyJ…${token.slice(-HINT_DIGITS)}`,
  hash: hashOf(token),
})

/**
 * Returns the hash of a text that has the form of a service key. Returns null for any other text, so that no query is
 * needed.
 */
export function readServiceKey(text: string): Buffer | null {
  if (SERVICE_JWT.test(text)) return hashOf(text)
  if (!OPAQUE_KEY.test(text)) return null
  return withCheck(text.slice(0, text.lastIndexOf('_'))) === text ? hashOf(text) : null
}

/** Returns whether a bearer token has the form of a service key. The key may be invalid. */
export const looksLikeServiceKey = (text: string): boolean =>
  text.startsWith('sb_secret_') || text.startsWith('sb_publishable_') || SERVICE_JWT.test(text)
