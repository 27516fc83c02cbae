import { passwordLengthError } from '@pegasus/contracts/auth/password-rules'
import { AppError } from '../../../platform/errors/app-error.ts'
import { isCommonPassword } from './common-passwords.ts'

const COMMON = 'Password is known to be weak and easy to guess, please choose a different one.'

/**
 * Throws WEAK_PASSWORD if a password breaks the rules. The error contains the same reasons as in the hosted
 * service.
 */
export function assertStrongPassword(password: string): void {
  const lengthError = passwordLengthError(password)
  if (lengthError === null && !isCommonPassword(password)) return
  const message = lengthError ?? COMMON
  throw new AppError('WEAK_PASSWORD', {
    text: message,
    errors: [{ path: 'password', message }],
    body: { weak_password: { message, reasons: [lengthError === null ? 'pwned' : 'length'] } },
  })
}
