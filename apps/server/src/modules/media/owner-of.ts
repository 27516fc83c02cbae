import type { ServiceKeyPrincipal, UserPrincipal } from '../../platform/http/principal.ts'

/** A caller of the storage: a person, or a program with a secret key. */
export type StorageCaller = UserPrincipal | ServiceKeyPrincipal

/** Returns the account that owns the files of a caller; null for a program with a secret key. */
export const ownerOf = (caller: StorageCaller): string | null =>
  caller.kind === 'user' ? caller.accountId : null
