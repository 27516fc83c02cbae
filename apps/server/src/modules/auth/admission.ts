import { AppError } from '../../platform/errors/app-error.ts'
import type { AccountRow } from './auth.queries.ts'

type Admission = Pick<AccountRow, 'is_active' | 'email_confirmed_at' | 'approved_at'>

/** Whether an account may have sessions: its address is proved, an administrator has approved it, it is in force. */
export const isAdmitted = (account: Admission): boolean =>
  account.is_active && account.email_confirmed_at !== null && account.approved_at !== null

/**
 * Throws what an account still waits for. Only to be asked once somebody has proved that the account is theirs:
 * the answer says that it exists.
 */
export function assertAdmitted(account: Admission): void {
  if (!account.is_active) throw new AppError('ACCOUNT_DEACTIVATED')
  if (account.email_confirmed_at === null) throw new AppError('EMAIL_NOT_CONFIRMED')
  if (account.approved_at === null) throw new AppError('ACCOUNT_NOT_APPROVED')
}
