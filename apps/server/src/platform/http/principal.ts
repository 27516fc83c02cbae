import type { CurrentUser } from '@pegasus/contracts/auth'

/** The person behind a request, as of this request: role and flags are read anew for each. */
export interface Principal {
  kind: 'user'
  accountId: string
  sessionId: string
  user: CurrentUser
  /** When the person last proved who they are in this session. */
  authenticatedAt: string
}
