import { STORAGE_ACCESS } from '@pegasus/contracts/media/storage-access'
import { hasRole } from '@pegasus/contracts/roles'
import type { ServiceKeyPrincipal, UserPrincipal } from '../../platform/http/principal.ts'

/** A caller of the storage: a person, or a program with a secret key. */
export type StorageCaller = UserPrincipal | ServiceKeyPrincipal

/** Returns the account that owns the files of a caller; null for a program with a secret key. */
export const ownerOf = (caller: StorageCaller): string | null =>
  caller.kind === 'user' ? caller.accountId : null

/**
 * Which buckets a call may read. `public` means the public buckets. `signed-in` adds the bucket for the shop's media
 * (which is public unless somebody changes the database). `all` means every bucket. A bucket that the call may not read
 * is treated as missing.
 */
export type ReadScope = 'public' | 'signed-in' | 'all'

/** Returns the buckets that a signed-in caller may read. */
export const readScopeOf = (caller: StorageCaller): ReadScope =>
  caller.kind === 'service_key' || hasRole(caller.user.role, STORAGE_ACCESS.readPrivate) ? 'all' : 'signed-in'
