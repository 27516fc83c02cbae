import { AlertBox } from '@/components/ui/feedback/alert-box.tsx'

const AGAIN = 'The sign-in through the provider did not work. Please try again.'
const WAITING = 'An administrator must approve your account before you can sign in.'

/** Our own messages for refusals. A message in the URL is never shown, because anybody can write a URL. */
const SENTENCES: ReadonlyMap<string, string> = new Map([
  ['signup_disabled', 'You have no account here. Ask an administrator for one.'],
  ['user_banned', 'This account has been deactivated.'],
  ['provider_email_needs_verification', 'Verify your email address with the provider, then sign in again.'],
  ['email_address_not_provided', 'The provider sent no email address, so no account could be found.'],
  ['email_exists', 'Sign in with your password, then link the provider in your profile.'],
  ['identity_already_exists', 'This sign-in already belongs to an account.'],
  ['insufficient_aal', 'Sign in with your second factor first, then link the provider again.'],
  ['validation_failed', 'The response of your company was not accepted. Ask an administrator.'],
  ['saml_relay_state_expired', 'The sign-in took too long. Please try again.'],
  ['saml_assertion_no_email', 'Your company sent no email address. Ask an administrator.'],
  ['saml_assertion_no_user_id', 'The response of your company does not identify you. Ask an administrator.'],
  ['sso_provider_disabled', 'The sign-in of this company is switched off.'],
  ['bad_oauth_callback', 'The provider did not let you sign in.'],
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
