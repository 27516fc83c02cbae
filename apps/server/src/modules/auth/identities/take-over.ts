import { hasRole } from '@pegasus/contracts/roles'
import type { TransactionSql } from '../../../platform/database/database.ts'
import { getAccountSummary } from '../accounts/account-summary.ts'
import type { TakeOver } from '../accounts/take-over.ts'
import { endSignIns } from '../sessions/sessions.queries.ts'
import { refreshProviders } from '../accounts/accounts.queries.ts'
import { forgetWaysOfSigningIn } from './identities.queries.ts'

/** Disables the API keys of an account and returns how many there were. */
export type DisableKeysOf = (tx: TransactionSql, accountId: string, now: Date) => Promise<number>

export function createTakeOver({ disableKeysOf }: { disableKeysOf: DisableKeysOf }): TakeOver {
  return async (tx, id, { keepsPassword, keepsPhone, flowStateId, now }) => {
    // Access to the mailbox or phone alone must not grant the rights of a role. An administrator can reset
    // the factor instead.
    const keepsFactors = hasRole((await getAccountSummary(tx, id)).role, 'staff')
    await forgetWaysOfSigningIn(tx, id, { keepsPassword, keepsFactors, keepsPhone })
    await refreshProviders(tx, id)
    const disabledKeys = await disableKeysOf(tx, id, now)
    const endedSessions = await endSignIns(tx, id, null, flowStateId)
    return { took_over: true, ended_sessions: endedSessions, disabled_keys: disabledKeys }
  }
}
