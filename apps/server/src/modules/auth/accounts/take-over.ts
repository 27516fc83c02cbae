import type { TransactionSql } from '../../../platform/database/database.ts'

/**
 * Hands an account over to the owner of its address or phone number, which nobody has proved before: somebody else may have created the
 * account. All ways of signing in, sessions and API keys end, so that nobody can use them after the owner has arrived.
 * Returns what the audit records. Call it under the lock of the account.
 */
export type TakeOver = (
  tx: TransactionSql,
  accountId: string,
  options: {
    keepsPassword: boolean
    /** True if the account is handed over to the owner of its phone number. */
    keepsPhone?: boolean
    /** The followed link that becomes the owner's session. */
    flowStateId: string | null
    now: Date
  },
) => Promise<{ took_over: true; ended_sessions: number; disabled_keys: number }>
