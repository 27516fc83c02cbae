import { isEmail, normalizeName } from '@pegasus/contracts/users/users'
import { AppError } from '../../../platform/errors/app-error.ts'

/** Parses an email address from a request and returns it in normalized form. Throws EMAIL_INVALID. */
export function readEmail(text: string): string {
  const email = normalizeName(text)
  if (!isEmail(email)) throw new AppError('EMAIL_INVALID')
  return email
}
