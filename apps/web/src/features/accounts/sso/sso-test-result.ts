import type { SsoTest } from '@pegasus/contracts/auth/sso-providers'
import { t } from '@/lib/i18n/messages.ts'

/** Maps frequent reasons for a failed test of single sign-on to advice for the administrator. */
const ADVICE: ReadonlyMap<string, string> = new Map([
  ['saml_not_signed', t('The provider must sign the assertion or the response.')],
  ['saml_signature_invalid', t('The provider signs with a key that its metadata does not contain.')],
  ['saml_signature_algorithm', t('The provider must sign with SHA-256 or SHA-512.')],
  ['saml_wrong_audience', t('Set the audience at the provider to our entity id.')],
  ['saml_wrong_recipient', t('Set the recipient at the provider to our ACS address.')],
  ['saml_wrong_destination', t('Set the destination at the provider to our ACS address.')],
  ['saml_wrong_issuer', t('The response and the metadata have different entity ids.')],
  ['saml_encrypted', t('Turn off the encryption of assertions at the provider.')],
  ['saml_expired', t('Compare the clocks of the provider and of this server.')],
  ['saml_not_yet_valid', t('Compare the clocks of the provider and of this server.')],
  ['saml_metadata_expired', t('The metadata has expired. Ask the provider for new metadata.')],
  ['saml_refused_by_provider', t('The provider refused the sign-in.')],
  [
    'saml_email_missing',
    t('The provider sent no email address. Enter the name of the attribute that contains it.'),
  ],
  ['saml_user_id_missing', t('The provider must send a persistent name id.')],
])

/** Returns the result of the last test as a readable text. */
export function sayTest({ works, reason, subject, email, full_name: fullName }: SsoTest): string {
  if (!works) {
    const advice = ADVICE.get(reason ?? '')
    return advice
      ? t('The test failed. {advice}', { advice })
      : t('The test failed ({reason}).', { reason: reason ?? t('unknown') })
  }
  const who = [fullName, email].filter(Boolean).join(', ')
  return t('The test succeeded: {who} ({subject}).', { who, subject: subject ?? '' })
}
