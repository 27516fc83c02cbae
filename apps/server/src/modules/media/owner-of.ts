import type { ServiceKeyPrincipal, UserPrincipal } from '../../platform/http/principal.ts'

/** A caller of the storage: a person, or a program with a secret key. */
export type StorageCaller = UserPrincipal | ServiceKeyPrincipal

/** The account that owns what the caller stores; a key has none. */
export const ownerOf = (caller: StorageCaller): string | null =>
  caller.kind === 'user' ? caller.accountId : null
