import { AlertBox } from '@/components/ui/feedback/alert-box.tsx'
import { t } from '@/lib/i18n/messages.ts'

const AGAIN = t('The sign-in through the provider did not work. Please try again.')
const WAITING = t('An administrator must approve your account before you can sign in.')

/** Our own messages for refusals. A message in the URL is never shown, because anybody can write a URL. */
const SENTENCES: ReadonlyMap<string, string> = new Map([
  ['signup_disabled', t('You have no account here. Ask an administrator for one.')],
  ['user_banned', t('This account has been deactivated.')],
  [
    'provider_email_needs_verification',
    t('Verify your email address with the provider, then sign in again.'),
  ],
  ['email_address_not_provided', t('The provider sent no email address, so no account could be found.')],
  ['email_exists', t('Sign in with your password, then link the provider in your profile.')],
  ['identity_already_exists', t('This sign-in already belongs to an account.')],
  ['insufficient_aal', t('Sign in with your second factor first, then link the provider again.')],
  ['validation_failed', t('The response of your company was not accepted. Ask an administrator.')],
  ['saml_relay_state_expired', t('The sign-in took too long. Please try again.')],
  ['saml_assertion_no_email', t('Your company sent no email address. Ask an administrator.')],
  [
    'saml_assertion_no_user_id',
    t('The response of your company does not identify you. Ask an administrator.'),
  ],
  ['sso_provider_disabled', t('The sign-in of this company is switched off.')],
  ['bad_oauth_callback', t('The provider did not let you sign in.')],
])

interface ProviderRefusedProps {
  code: string
  description: string
}

/** Returns the message for a sign-in that a provider or the server refused. */
export function sayProviderRefusal({ code, description }: ProviderRefusedProps): string {
  if (description === WAITING) return WAITING
  return SENTENCES.get(code) ?? AGAIN
}

export const ProviderRefused = (refusal: ProviderRefusedProps) => (
  <AlertBox title={sayProviderRefusal(refusal)} />
)
