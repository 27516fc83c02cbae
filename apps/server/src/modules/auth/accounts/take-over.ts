import type { TransactionSql } from '../../../platform/database/database.ts'

/**
 * Hands an account over to the owner of its email address or phone number. Until now, nobody has proved that
 * address or number, so somebody else may have created the account. All sign-in methods, sessions and API
 * keys end, so that this person can no longer use them. Returns the fields for the audit. Call this under the
 * lock of the account.
 */
export type TakeOver = (
  tx: TransactionSql,
  accountId: string,
  options: {
    keepsPassword: boolean
    /** Whether the account is handed over to the owner of its phone number. */
    keepsPhone?: boolean
    /**
     * The flow of the link that the owner has followed. It is kept, because it is about to become the owner's
     * session.
     */
    flowStateId: string | null
    now: Date
  },
) => Promise<{ took_over: true; ended_sessions: number; disabled_keys: number }>
