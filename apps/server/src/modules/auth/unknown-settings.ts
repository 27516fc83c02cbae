import { isProviderVariable } from './oauth/providers/provider-settings.ts'

/** The settings of the hosted service that this server reads, except those of the individual sign-in providers. */
const KNOWN: ReadonlySet<string> = new Set([
  'GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED',
  'GOTRUE_EXTERNAL_PHONE_ENABLED',
  'GOTRUE_EXTERNAL_WEB3_ETHEREUM_ENABLED',
  'GOTRUE_EXTERNAL_WEB3_SOLANA_ENABLED',
  'GOTRUE_HOOK_SEND_SMS_ENABLED',
  'GOTRUE_HOOK_SEND_SMS_SECRETS',
  'GOTRUE_HOOK_SEND_SMS_URI',
  'GOTRUE_MFA_PHONE_ENROLL_ENABLED',
  'GOTRUE_MFA_PHONE_MAX_FREQUENCY',
  'GOTRUE_MFA_PHONE_OTP_LENGTH',
  'GOTRUE_MFA_PHONE_TEMPLATE',
  'GOTRUE_MFA_PHONE_VERIFY_ENABLED',
  'GOTRUE_PASSKEY_ENABLED',
  'GOTRUE_RATE_LIMIT_SMS_SENT',
  'GOTRUE_SAML_ALLOW_ENCRYPTED_ASSERTIONS',
  'GOTRUE_SAML_ENABLED',
  'GOTRUE_SAML_EXTERNAL_URL',
  'GOTRUE_SAML_PRIVATE_KEY',
  'GOTRUE_SAML_PRIVATE_KEY_NEXT',
  'GOTRUE_SAML_RELAY_STATE_VALIDITY_PERIOD',
  'GOTRUE_SECURITY_MANUAL_LINKING_ENABLED',
  'GOTRUE_SMS_AUTOCONFIRM',
  'GOTRUE_SMS_MAX_FREQUENCY',
  'GOTRUE_SMS_OTP_EXP',
  'GOTRUE_SMS_OTP_LENGTH',
  'GOTRUE_SMS_PROVIDER',
  'GOTRUE_SMS_TEMPLATE',
  'GOTRUE_SMS_TEST_OTP',
  'GOTRUE_URI_ALLOW_LIST',
  'GOTRUE_WEBAUTHN_RP_ID',
  'GOTRUE_WEBAUTHN_RP_ORIGINS',
])

/**
 * Returns the names of the hosted service's settings that have no effect here. The server warns the operator about
 * them.
 */
export const findUnknownSettings = (given: Readonly<Record<string, string>>): string[] =>
  Object.keys(given)
    .filter((name) => name.startsWith('GOTRUE_') && !KNOWN.has(name) && !isProviderVariable(name))
    .toSorted()
