import type { AdminUserBody } from '@pegasus/contracts/auth/hosted-admin'
import { type Role, hasRole, isRole } from '@pegasus/contracts/roles'
import { AppError } from '../../../platform/errors/app-error.ts'
import { readDurationMs } from '../../../platform/go-duration.ts'
import { readEmail } from '../accounts/email-address.ts'
import { readPhone } from '../accounts/phone-field.ts'
import { bcryptCostOf, type PasswordHashing } from '../passwords/password-hashing.ts'
import { assertStrongPassword } from '../passwords/password-rules.ts'

type Metadata = Record<string, unknown>

/** The longest ban is 1,000 years, because years in the protocol have four digits. */
const MAX_BAN_MS = 1000 * 365 * 24 * 3_600_000

/**
 * Reads the duration of a ban, such as `24h` or `1h30m`, and returns it in milliseconds. Returns 0 for `none`, and null
 * if the request contains no ban. Throws REQUEST_INCOMPLETE for any other text.
 */
export function readBanMs(text: string | null | undefined): number | null {
  if (!text) return null
  if (text === 'none') return 0
  const durationMs = readDurationMs(text)
  if (durationMs === null)
    throw new AppError('REQUEST_INCOMPLETE', {
      text: 'invalid format for ban duration: use a duration such as 24h or 1h30m, or none',
    })
  return Math.min(MAX_BAN_MS, durationMs)
}

/**
 * Fields of `app_metadata` that the server computes, or that other programs might interpret as permissions.
 */
const RESERVED = new Set(['provider', 'providers', 'role'])

/**
 * Returns the part of `app_metadata` that is stored with the account. It omits the role, which only `user_roles`
 * stores.
 */
export const storedAppMetadata = (data: Metadata | null | undefined): Metadata =>
  Object.fromEntries(Object.entries(data ?? {}).filter(([name]) => !RESERVED.has(name)))

/**
 * Reads the role from `app_metadata.role`, or returns null if the request contains no role. Throws OWNERS_ONLY for
 * admin and owner, because only an owner can grant these roles, and REQUEST_INCOMPLETE for an unknown name.
 */
export function readRole(data: Metadata | null | undefined): Role | null {
  const { role = null } = data ?? {}
  if (role === null) return null
  if (typeof role !== 'string' || !isRole(role))
    throw new AppError('REQUEST_INCOMPLETE', { text: 'app_metadata.role must be viewer, employee or staff' })
  if (hasRole(role, 'admin')) throw new AppError('OWNERS_ONLY')
  return role
}

/**
 * Throws if the request sets a role of the protocol other than `authenticated`, the only one that the server supports.
 */
export function assertOffered({ role }: AdminUserBody): void {
  if (role && role !== 'authenticated')
    throw new AppError('REQUEST_INCOMPLETE', {
      text: 'role must be authenticated; app_metadata.role contains the role in the product',
    })
}

/**
 * Reads the email address and the phone number of a new account. Throws REQUEST_INCOMPLETE if both are
 * missing.
 */
export function readContacts({ email, phone }: AdminUserBody): {
  email: string | null
  phone: string | null
} {
  if (!email && !phone)
    throw new AppError('REQUEST_INCOMPLETE', {
      text: 'Cannot create a user without either an email or phone',
    })
  return { email: email ? readEmail(email) : null, phone: phone ? readPhone(phone) : null }
}

export function requireEmail(text: string | null | undefined): string {
  if (text) return readEmail(text)
  throw new AppError('REQUEST_INCOMPLETE', { text: 'Cannot create a user without an email address' })
}

/**
 * Matches an argon2id hash. The limits in the pattern and below ensure that checking a hash takes at most 64 MiB, 10
 * passes and 4 lanes.
 */
const ARGON2ID = /^\$argon2id\$v=19\$m=(\d{1,6}),t=(\d{1,2}),p=([1-4])\$[\w+/]{11,86}\$[\w+/]{22,172}$/
const MAX_MEMORY_KIB = 65_536
const MAX_PASSES = 10
/**
 * The highest cost of an imported bcrypt hash. Checking such a hash takes about a second, and each further step would
 * double the time.
 */
const MAX_BCRYPT_COST = 14
/** The lowest cost that the algorithm supports. */
const MIN_BCRYPT_COST = 4

function readPasswordHash(text: string): string {
  const bcryptCost = bcryptCostOf(text)
  if (bcryptCost !== null && bcryptCost >= MIN_BCRYPT_COST && bcryptCost <= MAX_BCRYPT_COST) return text
  const [, memory, passes] = ARGON2ID.exec(text) ?? []
  if (memory !== undefined && Number(memory) <= MAX_MEMORY_KIB && Number(passes) <= MAX_PASSES) return text
  throw new AppError('REQUEST_INCOMPLETE', {
    text: 'password_hash must be an argon2id hash of at most 64 MiB and 10 passes, or a bcrypt hash with a cost from 4 to 14',
  })
}

/**
 * Returns the hash of the password in a request, or null if the request contains no password. Throws
 * WEAK_PASSWORD or REQUEST_INCOMPLETE.
 */
export async function readPassword(
  { password, password_hash: hash }: Pick<AdminUserBody, 'password' | 'password_hash'>,
  hashing: PasswordHashing,
): Promise<string | null> {
  if (password && hash)
    throw new AppError('REQUEST_INCOMPLETE', {
      text: 'Only a password or a password hash should be provided',
    })
  if (hash) return readPasswordHash(hash)
  if (!password) return null
  assertStrongPassword(password)
  return hashing.hash(password)
}
