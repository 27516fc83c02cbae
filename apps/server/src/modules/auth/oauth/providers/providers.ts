import { isEmail, normalizeName } from '@pegasus/contracts/users/users'
import type { Clock } from '../../../../platform/clock.ts'
import type { CallFor } from '../../../../platform/outbound/safe-call.ts'
import { createOAuth2Provider } from './oauth2-provider.ts'
import { createOidcProvider } from './oidc-provider.ts'
import type { Provider } from './provider.ts'
import type { ProviderSettings } from './provider-settings.ts'

/**
 * Returns an email address in the normalized form in which accounts store it. Returns null if the address is invalid.
 * Also returns null if normalization changes more than ASCII capitals, for example full-width letters, because the
 * result would then be another mailbox.
 */
export const readAddress = (text: string): string | null => {
  const email = normalizeName(text)
  // `toLowerCase` would also change letters outside ASCII, for example the Kelvin sign to a k.
  const lowered = text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
  return isEmail(email) && email === lowered ? email : null
}

export const createProviders = (
  settings: readonly ProviderSettings[],
  { clock, callFor }: { clock: Clock; callFor: CallFor },
): Provider[] =>
  settings.map((each) => {
    const { protocol } = each
    if (protocol.kind === 'oidc')
      return createOidcProvider(each, protocol.issuer, { clock, call: callFor(protocol.issuer), readAddress })
    return createOAuth2Provider(each, protocol, { call: callFor(null), readAddress })
  })
