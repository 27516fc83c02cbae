import type { ErrorCode } from '@pegasus/contracts/errors'
import { providerCode, providerMessage } from '../provider-message.ts'
import { errorText } from '../error-text.ts'
import { t } from '@/lib/i18n/messages.ts'

/** Replaces technical messages of the auth service with the messages of our own API. */
const OWN_WORDS: ReadonlyMap<string | null, ErrorCode> = new Map([
  ['mfa_verification_failed', 'FACTOR_CODE_WRONG'],
  ['mfa_challenge_expired', 'CHALLENGE_EXPIRED'],
  ['mfa_ip_address_mismatch', 'CHALLENGE_USED_OR_ELSEWHERE'],
  ['mfa_factor_not_found', 'FACTOR_NOT_FOUND'],
  ['mfa_factor_name_conflict', 'FACTOR_NAME_TAKEN'],
  ['too_many_enrolled_mfa_factors', 'TOO_MANY_FACTORS'],
  ['insufficient_aal', 'SECOND_FACTOR_REQUIRED'],
  ['webauthn_credential_exists', 'WEBAUTHN_CREDENTIAL_EXISTS'],
])

/** Returns the reason why an authenticator's code, or another action on an authenticator, was refused. */
export function describeFactorError(error: unknown): string {
  const code = OWN_WORDS.get(providerCode(error))
  return code ? errorText(code) : providerMessage(error, t('This did not work. Please try again.'))
}

/**
 * Names of the browser errors for a cancelled prompt, a prompt that timed out, or a device without the key.
 * Browsers do not distinguish these cases.
 */
const BROWSER_REFUSALS: ReadonlySet<string> = new Set(['NotAllowedError', 'AbortError'])

const KEY_WORDS: ReadonlyMap<string | null, ErrorCode> = new Map([
  ['mfa_verification_failed', 'FACTOR_KEY_WRONG'],
  ['webauthn_verification_failed', 'PASSKEY_WRONG'],
  ['webauthn_challenge_not_found', 'PASSKEY_CHALLENGE_NOT_FOUND'],
  ['webauthn_challenge_expired', 'PASSKEY_CHALLENGE_EXPIRED'],
  ['too_many_passkeys', 'TOO_MANY_PASSKEYS'],
])

/** Message for a passkey that no account has. Its code is the same as for a wrong response of a known passkey. */
const UNKNOWN_PASSKEY = 'No account has this passkey'

/** Returns the reason why the browser or the server refused a key. */
export function describeKeyError(error: unknown): string {
  const name = error instanceof Error ? error.name : ''
  if (name === 'InvalidStateError') return errorText('WEBAUTHN_CREDENTIAL_EXISTS')
  if (BROWSER_REFUSALS.has(name)) return t('No passkey or security key was used. Please try again.')
  if (error instanceof Error && error.message === UNKNOWN_PASSKEY) return errorText('PASSKEY_UNKNOWN')
  const code = KEY_WORDS.get(providerCode(error))
  return code ? errorText(code) : describeFactorError(error)
}

/** Returns the reason why a recovery code was refused. */
export const describeRecoveryCodeError = (error: unknown): string =>
  providerCode(error) === 'mfa_verification_failed'
    ? errorText('RECOVERY_CODE_WRONG')
    : describeFactorError(error)
