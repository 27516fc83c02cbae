import type { ErrorCode } from '@pegasus/contracts/errors'
import { providerCode } from '../provider-message.ts'
import { describeFactorError } from '../second-factor/code-message.ts'
import { errorText } from '../error-text.ts'
import { t } from '@/lib/i18n/messages.ts'

const OWN_WORDS: ReadonlyMap<string | null, ErrorCode> = new Map([
  ['validation_failed', 'PHONE_INVALID'],
  ['mfa_verification_failed', 'PHONE_CODE_WRONG'],
  ['otp_expired', 'PHONE_CODE_WRONG'],
  ['mfa_verified_factor_exists', 'PHONE_FACTOR_EXISTS'],
  ['mfa_phone_verify_not_enabled', 'PHONE_VERIFICATION_DISABLED'],
])

/** Returns the reason why a phone number, or a code sent to it, was refused. */
export function describePhoneError(error: unknown): string {
  const code = providerCode(error)
  if (code === 'otp_disabled') return t('No account signs in with this number.')
  const own = OWN_WORDS.get(code)
  return own ? errorText(own) : describeFactorError(error)
}
