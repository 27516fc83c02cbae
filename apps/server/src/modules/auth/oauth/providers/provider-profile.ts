import { isWebAddress } from '@pegasus/contracts/web-address'

/** A person's profile at a provider. */
export interface ProviderProfile {
  /** The provider's id of the person. */
  subject: string
  /** The email address in normalized form, as `readEmail` returns it. Null if there is none. */
  email: string | null
  isEmailVerified: boolean
  /** The data to store with the identity, under the field names of the protocol. */
  data: Record<string, unknown>
}

type Claims = Readonly<Record<string, unknown>>

/** The maximum length of names. Access tokens contain names, and the size of headers is limited. */
const TEXT_MAX_LENGTH = 120
const ADDRESS_MAX_LENGTH = 300
/**
 * The id of a person: at most 255 characters, as in OpenID Connect. Longer ids are refused rather than shortened,
 * because two people could otherwise get the same id.
 */
const SUBJECT = /^[\x20-\x7e]{1,255}$/

/** Returns a name without characters that cannot be stored or displayed. Returns undefined if no characters remain. */
const textOf = (value: unknown): string | undefined =>
  typeof value === 'string'
    ? value
        .toWellFormed()
        .replace(/\p{Cc}/gu, '')
        .slice(0, TEXT_MAX_LENGTH) || undefined
    : undefined

const pictureOf = (value: unknown): string | undefined =>
  typeof value === 'string' &&
  value.length <= ADDRESS_MAX_LENGTH &&
  value.startsWith('https://') &&
  isWebAddress(value)
    ? new URL(value).href
    : undefined

function subjectOf(id: unknown): string | null {
  if (typeof id === 'number') return Number.isSafeInteger(id) ? String(id) : null
  return typeof id === 'string' && SUBJECT.test(id) ? id : null
}

const firstText = (...values: unknown[]): string | undefined => values.map(textOf).find(Boolean)

const withoutGaps = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

/**
 * The values of `xms_edov` with which Microsoft confirms an address. The address alone proves nothing,
 * because people can enter any address there.
 */
const EDGE_VERIFIED: ReadonlySet<unknown> = new Set([true, 1, '1', 'true', 'True'])

/**
 * Returns whether the provider has verified the email address. Some providers, such as Discord, send `verified` instead
 * of `email_verified`.
 */
function isVerified(name: string, claims: Claims): boolean {
  if (name === 'azure') return EDGE_VERIFIED.has(claims['xms_edov'])
  const word = claims['email_verified'] ?? claims['verified']
  return word === true || word === 'true'
}

/**
 * Reads a person's profile from the claims of an ID token, or from the response of an OAuth 2 provider. Returns null if
 * there is no valid id of the person. `readAddress` normalizes an email address.
 */
export function readProfile(
  provider: { name: string; issuer: string },
  claims: Claims,
  readAddress: (text: string) => string | null,
): ProviderProfile | null {
  const subject = subjectOf(claims['sub'] ?? claims['id'])
  if (subject === null) return null
  const given = claims['email']
  const email = typeof given === 'string' ? readAddress(given) : null
  const isEmailVerified = email !== null && isVerified(provider.name, claims)
  const fullName = firstText(claims['name'], claims['global_name'], claims['login'], claims['username'])
  const picture = pictureOf(claims['picture']) ?? pictureOf(claims['avatar_url'])
  const userName = firstText(claims['preferred_username'], claims['login'], claims['username'])
  const data = withoutGaps({
    iss: provider.issuer,
    sub: subject,
    provider_id: subject,
    name: fullName,
    full_name: fullName,
    email: email ?? undefined,
    email_verified: isEmailVerified,
    phone_verified: false,
    avatar_url: picture,
    picture,
    user_name: userName,
    preferred_username: userName,
  })
  return { subject, email, isEmailVerified, data }
}
