import type { CurrentUser } from '@pegasus/contracts/auth/sign-in'
import type { ApiKeyScope } from '@pegasus/contracts/roles'

/** A person in a session; role and flags are read anew for each request. */
export interface UserPrincipal {
  kind: 'user'
  accountId: string
  sessionId: string
  user: CurrentUser
  /** When the person last authenticated in this session. */
  authenticatedAt: string
  /** Whether the account has a second factor that this session, or its token, has not proved. */
  isSecondFactorDue: boolean
}

/** A program with an API key, and the key's owner, both as of this request. */
export interface ApiKeyPrincipal {
  kind: 'api_key'
  /** The key's owner. */
  accountId: string
  user: CurrentUser
  keyId: string
  label: string
  scopes: readonly ApiKeyScope[]
}

/** The caller of a request. */
export type Principal = UserPrincipal | ApiKeyPrincipal
