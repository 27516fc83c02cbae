import { AppError } from '../../../platform/errors/app-error.ts'
import type { AccountRow } from './accounts.queries.ts'

type Admission = Pick<
  AccountRow,
  'is_active' | 'has_email' | 'email_confirmed_at' | 'phone_confirmed_at' | 'approved_at'
>

/** Returns whether the email address or the phone number of an account is confirmed. */
const isConfirmed = (account: Admission): boolean =>
  account.email_confirmed_at !== null || account.phone_confirmed_at !== null

/**
 * Returns whether an account may have sessions: its email address or phone number is confirmed, an
 * administrator has approved it, and it is not deactivated.
 */
export const isAdmitted = (account: Admission): boolean =>
  account.is_active && isConfirmed(account) && account.approved_at !== null

/**
 * Returns whether an account is still an unanswered invitation: the person has neither chosen a password nor confirmed
 * the address.
 */
export const isInvited = (
  account: Pick<AccountRow, 'password_hash' | 'email_confirmed_at' | 'approved_at'>,
): boolean =>
  account.password_hash === null && account.email_confirmed_at === null && account.approved_at !== null

export type AdmissionError =
  | 'ACCOUNT_DEACTIVATED'
  | 'EMAIL_NOT_CONFIRMED'
  | 'PHONE_NOT_CONFIRMED'
  | 'ACCOUNT_NOT_APPROVED'

/** Returns the error for the first unmet condition. Returns null if the account may have sessions. */
export function admissionError(account: Admission): AdmissionError | null {
  if (!account.is_active) return 'ACCOUNT_DEACTIVATED'
  if (!isConfirmed(account)) return account.has_email ? 'EMAIL_NOT_CONFIRMED' : 'PHONE_NOT_CONFIRMED'
  return account.approved_at === null ? 'ACCOUNT_NOT_APPROVED' : null
}

/**
 * Throws the error for the first condition that an account does not meet. The error reveals that the account exists, so
 * call this only after the caller has proved that the account is theirs.
 */
export function assertAdmitted(account: Admission): void {
  const error = admissionError(account)
  if (error) throw new AppError(error)
}
