import { AppError } from '../../../platform/errors/app-error.ts'
import type { AccountRow } from './accounts.queries.ts'

type Admission = Pick<AccountRow, 'is_active' | 'email_confirmed_at' | 'approved_at'>

/** Whether an account may have sessions: its address is proved, an administrator has approved it, it is in force. */
export const isAdmitted = (account: Admission): boolean =>
  account.is_active && account.email_confirmed_at !== null && account.approved_at !== null

/** What an account still waits for before it may have sessions; null if for nothing. */
export function admissionError(
  account: Admission,
): 'ACCOUNT_DEACTIVATED' | 'EMAIL_NOT_CONFIRMED' | 'ACCOUNT_NOT_APPROVED' | null {
  if (!account.is_active) return 'ACCOUNT_DEACTIVATED'
  if (account.email_confirmed_at === null) return 'EMAIL_NOT_CONFIRMED'
  return account.approved_at === null ? 'ACCOUNT_NOT_APPROVED' : null
}

/**
 * Throws what an account still waits for. Only to be asked once somebody has proved that the account is theirs:
 * the answer says that it exists.
 */
export function assertAdmitted(account: Admission): void {
  const error = admissionError(account)
  if (error) throw new AppError(error)
}
