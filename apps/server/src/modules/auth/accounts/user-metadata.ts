import { isMetadataTooLarge } from '@pegasus/contracts/auth/hosted-auth'
import { readableName } from '@pegasus/contracts/users/users'
import { AppError } from '../../../platform/errors/app-error.ts'

/**
 * Names that other programs might take for a right. What people say about themselves grants nothing here, and
 * leaves nothing behind that could be mistaken for a grant elsewhere: the metadata stands in the access token.
 */
const RESERVED = new Set([
  'role',
  'roles',
  'role_name',
  'permissions',
  'system_access',
  'is_active',
  'is_admin',
  'is_owner',
  'approved',
  'approved_at',
  'app_metadata',
  'sub',
  'email',
  'email_verified',
  'phone_verified',
])

type Metadata = Record<string, unknown>

const TOO_LARGE = { path: 'data', message: 'data is too large' }

/** What of a person's own data is kept. */
export const ownMetadata = (data: Metadata | null | undefined): Metadata =>
  Object.fromEntries(Object.entries(data ?? {}).filter(([name]) => !RESERVED.has(name.toLowerCase())))

/**
 * Metadata with changes put in; null removes a field. Throws INVALID_INPUT where it grows, change by change, beyond what
 * a token can carry: it would be refused as too long, and nobody could sign in with it.
 */
export function mergeMetadata(current: Metadata, data: Metadata): Metadata {
  const merged = Object.fromEntries(
    Object.entries({ ...current, ...ownMetadata(data) }).filter(([, value]) => value !== null),
  )
  if (isMetadataTooLarge(ownMetadata(merged)))
    throw new AppError('INVALID_INPUT', { say: 'data is too large', errors: [TOO_LARGE] })
  return merged
}

export const fullNameIn = ({ full_name: name }: Metadata): string =>
  typeof name === 'string' ? readableName(name) : ''
