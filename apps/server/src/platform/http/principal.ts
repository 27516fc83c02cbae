import type { CurrentUser } from '@pegasus/contracts/auth/sign-in'
import type { ApiKeyScope } from '@pegasus/contracts/roles'

/** A person in a session. The role and the flags are read from the database for each request. */
export interface UserPrincipal {
  kind: 'user'
  accountId: string
  sessionId: string
  user: CurrentUser
  /** When the person last authenticated in this session. */
  authenticatedAt: string
  /** Whether the account has a second factor, and this session or its token has not passed the second step yet. */
  isSecondFactorDue: boolean
  /** Whether the account has neither a name nor an email address. Such a session can open only its own account. */
  isAnonymous: boolean
  /**
   * The state of the database (`stateNow`) when the session was looked up. Requests with the same state see the same
   * rows.
   */
  databaseState: string
}

/** A program with an API key. The key and its owner are read from the database for each request. */
export interface ApiKeyPrincipal {
  kind: 'api_key'
  /** The key's owner. */
  accountId: string
  user: CurrentUser
  keyId: string
  label: string
  scopes: readonly ApiKeyScope[]
}

/** A program with a service key of the hosted protocol. The key belongs to the installation and not to an account. */
export interface ServiceKeyPrincipal {
  kind: 'service_key'
  keyId: string
  label: string
}

/** A caller with an account. */
export type AccountPrincipal = UserPrincipal | ApiKeyPrincipal

/** The caller of a request. */
export type Principal = AccountPrincipal | ServiceKeyPrincipal
