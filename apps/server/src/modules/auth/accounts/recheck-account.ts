import type { Queryable } from '../../../platform/database/database.ts'
import { type AccountRow, lockAccount } from './accounts.queries.ts'
import { isAdmitted } from './admission.ts'

/**
 * Locks an account and returns whether an earlier proof is still valid. It is valid if the password is unchanged and
 * the account may have sessions. Call this in the transaction that depends on the proof.
 */
export async function lockUnchanged(tx: Queryable, proven: AccountRow): Promise<boolean> {
  const account = await lockAccount(tx, proven.id)
  return account !== null && isAdmitted(account) && account.password_hash === proven.password_hash
}
