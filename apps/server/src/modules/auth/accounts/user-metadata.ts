import { isMetadataTooLarge } from '@pegasus/contracts/auth/hosted-auth'
import { readableName } from '@pegasus/contracts/users/users'
import { AppError } from '../../../platform/errors/app-error.ts'

/**
 * Field names that the protocol uses itself, or that other programs might interpret as permissions. The server removes
 * these fields, because access tokens contain the metadata.
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

/** Returns the metadata without fields that have reserved names. */
export const ownMetadata = (data: Metadata | null | undefined): Metadata =>
  Object.fromEntries(Object.entries(data ?? {}).filter(([name]) => !RESERVED.has(name.toLowerCase())))

/**
 * Merges changes into the metadata. Null removes a field. Throws INVALID_INPUT if an access token with the result would
 * be too large to be sent in a header.
 */
export function mergeMetadata(current: Metadata, data: Metadata): Metadata {
  const merged = Object.fromEntries(
    Object.entries({ ...current, ...ownMetadata(data) }).filter(([, value]) => value !== null),
  )
  if (isMetadataTooLarge(ownMetadata(merged)))
    throw new AppError('INVALID_INPUT', { text: 'data is too large', errors: [TOO_LARGE] })
  return merged
}

export const fullNameIn = ({ full_name: name }: Metadata): string =>
  typeof name === 'string' ? readableName(name) : ''
