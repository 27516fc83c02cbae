import type { Queryable } from '../../../platform/database/database.ts'
import { type AccountRow, lockAccount } from './accounts.queries.ts'
import { isAdmitted } from './admission.ts'

/**
 * Locks an account and answers whether what was proved of it still holds: the password is the one it was, and the
 * account may have sessions. To be asked in the transaction that acts on the proof.
 */
export async function lockUnchanged(tx: Queryable, proven: AccountRow): Promise<boolean> {
  const account = await lockAccount(tx, proven.id)
  return account !== null && isAdmitted(account) && account.password_hash === proven.password_hash
}
