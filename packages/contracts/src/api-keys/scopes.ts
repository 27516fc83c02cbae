import type { Role } from '../roles.ts'

/**
 * What an API key may be for. `integration`: orders in, stock and products out. `print-jobs`: claim, report and
 * finish print jobs. A key reaches what its scopes name, nothing else, and never more than its owner may.
 */
export const API_KEY_SCOPES = ['integration', 'print-jobs'] as const
export type ApiKeyScope = (typeof API_KEY_SCOPES)[number]

/** Access for API keys alone: the scope that the key must hold, and the least that its owner must be. */
export interface KeyAccess {
  scope: ApiKeyScope
  owner: Role
  /**
   * Whether the key may also come as the password of Basic authentication, whatever the name: programs that know no
   * header send what stands before the host in their server's address so.
   */
  isBasicToo?: boolean
}
