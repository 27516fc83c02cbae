import type { ServiceKeyKind } from '@pegasus/contracts/service-keys'
import { hashOf, randomDigits, withCheck } from '../key-format.ts'

/** Base 62 needs 43 digits for 256 bits. */
const SECRET_LENGTH = 43
const OPAQUE_KEY = /^sb_(?:publishable|secret)_[0-9A-Za-z]{43}_[0-9A-Za-z]{6}$/
/**
 * Matches our service JWTs. Their payload begins with the role, unlike the payload of an access token. So access tokens
 * need not be decoded to tell them apart.
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

/** Returns the identity of a JWT. The hint shows the end of the token, because all JWTs begin alike. */
export const identifyJwt = (token: string): ServiceKeyIdentity => ({
  key: token,
  hint: `eyJ…${token.slice(-HINT_DIGITS)}`,
  hash: hashOf(token),
})

/**
 * Returns the hash of a text that may be one of our service keys. Returns null for any other text, without a
 * query.
 */
export function readServiceKey(text: string): Buffer | null {
  if (SERVICE_JWT.test(text)) return hashOf(text)
  if (!OPAQUE_KEY.test(text)) return null
  return withCheck(text.slice(0, text.lastIndexOf('_'))) === text ? hashOf(text) : null
}

/** Returns whether a bearer token looks like a service key, valid or not. */
export const looksLikeServiceKey = (text: string): boolean =>
  text.startsWith('sb_secret_') || text.startsWith('sb_publishable_') || SERVICE_JWT.test(text)
