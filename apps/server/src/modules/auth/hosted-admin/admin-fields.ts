import type { AdminUserBody } from '@pegasus/contracts/auth/hosted-admin'
import { type Role, hasRole, isRole } from '@pegasus/contracts/roles'
import { AppError } from '../../../platform/errors/app-error.ts'
import { readEmail } from '../accounts/email-address.ts'
import type { PasswordHashing } from '../passwords/password-hashing.ts'
import { assertStrongPassword } from '../passwords/password-rules.ts'

type Metadata = Record<string, unknown>

const UNIT_MS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
}
const DURATION = /^(?:\d{1,9}(?:\.\d{1,9})?(?:ns|us|µs|ms|s|m|h))+$/
const PART = /(\d+(?:\.\d+)?)(ns|us|µs|ms|s|m|h)/g
/** The protocol writes years with four digits. */
const MAX_BAN_MS = 1000 * 365 * 24 * 3_600_000

/**
 * Reads a ban such as `24h` or `1h30m` as milliseconds; 0 for `none`, null if the request has none. Throws
 * REQUEST_INCOMPLETE.
 */
export function readBanMs(text: string | null | undefined): number | null {
  if (!text) return null
  if (text === 'none') return 0
  if (!DURATION.test(text) || text.length > 100)
    throw new AppError('REQUEST_INCOMPLETE', {
      say: 'invalid format for ban duration: use a duration such as 24h or 1h30m, or none',
    })
  const parts = [...text.matchAll(PART)].map(([, digits, unit = '']) => Number(digits) * (UNIT_MS[unit] ?? 0))
  return Math.min(
    MAX_BAN_MS,
    parts.reduce((sum, part) => sum + part, 0),
  )
}

/** Fields of `app_metadata` that are computed, or that other programs might read as rights. */
const RESERVED = new Set(['provider', 'providers', 'role'])

/** The part of `app_metadata` that is stored. The role is stored in `user_roles` only. */
export const storedAppMetadata = (data: Metadata | null | undefined): Metadata =>
  Object.fromEntries(Object.entries(data ?? {}).filter(([name]) => !RESERVED.has(name)))

/**
 * The product role that a request gives, as `app_metadata.role`; null without one. Throws OWNERS_ONLY for admin and
 * owner, which only an owner gives, and REQUEST_INCOMPLETE for an unknown name.
 */
export function readRole(data: Metadata | null | undefined): Role | null {
  const { role = null } = data ?? {}
  if (role === null) return null
  if (typeof role !== 'string' || !isRole(role))
    throw new AppError('REQUEST_INCOMPLETE', { say: 'app_metadata.role is viewer, employee or staff' })
  if (hasRole(role, 'admin')) throw new AppError('OWNERS_ONLY')
  return role
}

/** Throws for fields that ask for something that accounts do not have. */
export function assertOffered({ phone, phone_confirm: phoneConfirm, role }: AdminUserBody): void {
  if (phone || phoneConfirm) throw new AppError('PHONE_DISABLED')
  if (role && role !== 'authenticated')
    throw new AppError('REQUEST_INCOMPLETE', {
      say: 'role is authenticated; app_metadata.role is the role of the product',
    })
}

export function requireEmail(text: string | null | undefined): string {
  if (text) return readEmail(text)
  throw new AppError('REQUEST_INCOMPLETE', { say: 'Cannot create a user without an email address' })
}

/** An argon2id hash whose check takes bounded time and memory: at most 64 MiB, 10 passes, 4 lanes. */
const ARGON2ID = /^\$argon2id\$v=19\$m=(\d{1,6}),t=(\d{1,2}),p=([1-4])\$[\w+/]{11,86}\$[\w+/]{22,172}$/
const MAX_MEMORY_KIB = 65_536
const MAX_PASSES = 10

function readPasswordHash(text: string): string {
  const [, memory, passes] = ARGON2ID.exec(text) ?? []
  if (memory !== undefined && Number(memory) <= MAX_MEMORY_KIB && Number(passes) <= MAX_PASSES) return text
  throw new AppError('REQUEST_INCOMPLETE', {
    say: 'password_hash is an argon2id hash of at most 64 MiB and 10 passes',
  })
}

/** The hash of the password that a request sets; null without one. Throws WEAK_PASSWORD or REQUEST_INCOMPLETE. */
export async function readPassword(
  { password, password_hash: hash }: Pick<AdminUserBody, 'password' | 'password_hash'>,
  hashing: PasswordHashing,
): Promise<string | null> {
  if (password && hash)
    throw new AppError('REQUEST_INCOMPLETE', {
      say: 'Only a password or a password hash should be provided',
    })
  if (hash) return readPasswordHash(hash)
  if (!password) return null
  assertStrongPassword(password)
  return hashing.hash(password)
}
