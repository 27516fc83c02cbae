import { type ErrorCode, errorEntry } from '@pegasus/contracts/errors'
import { providerCode, providerMessage } from '../provider-message.ts'

/** The auth service's errors for programs, replaced by the sentences of our own API. */
const OWN_WORDS: ReadonlyMap<string | null, ErrorCode> = new Map([
  ['mfa_verification_failed', 'FACTOR_CODE_WRONG'],
  ['mfa_challenge_expired', 'CHALLENGE_EXPIRED'],
  ['mfa_ip_address_mismatch', 'CHALLENGE_USED_OR_ELSEWHERE'],
  ['mfa_factor_not_found', 'FACTOR_NOT_FOUND'],
  ['mfa_factor_name_conflict', 'FACTOR_NAME_TAKEN'],
  ['too_many_enrolled_mfa_factors', 'TOO_MANY_FACTORS'],
  ['insufficient_aal', 'SECOND_FACTOR_REQUIRED'],
])

/** The reason why a code of an authenticator, or another action on one, was refused. */
export function describeFactorError(error: unknown): string {
  const code = OWN_WORDS.get(providerCode(error))
  return code ? errorEntry(code).message : providerMessage(error, 'This did not work. Please try again.')
}

/** The reason why a recovery code was refused. */
export const describeRecoveryCodeError = (error: unknown): string =>
  providerCode(error) === 'mfa_verification_failed'
    ? errorEntry('RECOVERY_CODE_WRONG').message
    : describeFactorError(error)
