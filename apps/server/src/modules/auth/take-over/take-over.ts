import { hasRole } from '@pegasus/contracts/roles'
import type { TransactionSql } from '../../../platform/database/database.ts'
import { getAccountSummary } from '../accounts/account-summary.ts'
import { forgetKnownMailAddresses } from '../accounts/known-mail-addresses.queries.ts'
import { endSignIns } from '../sessions/sessions.queries.ts'
import { refreshProviders } from '../accounts/accounts.queries.ts'
import { deleteSignInMethods } from './sign-in-methods.queries.ts'

/**
 * Hands an account over to the owner of its email address or phone number. Nobody has verified this address or number
 * before, so somebody else may have created the account. All sign-in methods, sessions and API keys end, so that this
 * person loses access. Returns the fields for the audit. Call this under the lock of the account.
 */
export type TakeOver = (
  tx: TransactionSql,
  accountId: string,
  options: {
    keepsPassword: boolean
    /** Whether the phone number stays, because its owner takes the account over. */
    keepsPhone?: boolean
    /**
     * The sign-in flow (PKCE) of the link that the owner has followed. It is not deleted, because the owner still has
     * to exchange its code for a session.
     */
    flowStateId: string | null
    now: Date
  },
) => Promise<{ took_over: true; ended_sessions: number; disabled_keys: number }>

/** Disables the API keys of an account and returns how many there were. */
export type DisableKeysOf = (tx: TransactionSql, accountId: string, now: Date) => Promise<number>

export function createTakeOver({ disableKeysOf }: { disableKeysOf: DisableKeysOf }): TakeOver {
  return async (tx, id, { keepsPassword, keepsPhone, flowStateId, now }) => {
    // Access to a mailbox or phone alone must not give the rights of a role, so members of the staff keep their
    // factors. An administrator can reset these.
    const keepsFactors = hasRole((await getAccountSummary(tx, id)).role, 'staff')
    await deleteSignInMethods(tx, id, { keepsPassword, keepsFactors, keepsPhone })
    await forgetKnownMailAddresses(tx, id)
    await refreshProviders(tx, id)
    const disabledKeys = await disableKeysOf(tx, id, now)
    const endedSessions = await endSignIns(tx, id, null, flowStateId)
    return { took_over: true, ended_sessions: endedSessions, disabled_keys: disabledKeys }
  }
}
