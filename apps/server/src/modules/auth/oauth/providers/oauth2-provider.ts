import type { SafeCall } from '../../../../platform/outbound/safe-call.ts'
import { codeRequestUrl, isJsonObject, readJson, readObject, requestTokens } from './provider-calls.ts'
import { type Provider, ProviderFault, publicSettings } from './provider.ts'
import { readProfile } from './provider-profile.ts'
import type { OAuth2Addresses, ProviderSettings } from './provider-settings.ts'

/**
 * Reads the primary email address, and whether the provider has verified it. Returns an empty object if there is no
 * primary address.
 */
async function primaryEmailIn(
  call: SafeCall,
  address: string | null,
  headers: Readonly<Record<string, string>>,
): Promise<{ email?: string; email_verified?: boolean }> {
  if (address === null) return {}
  const list = await readJson(call, address, headers)
  const primary =
    Array.isArray(list) && list.find((entry: unknown) => isJsonObject(entry) && entry['primary'] === true)
  if (!isJsonObject(primary) || typeof primary['email'] !== 'string') return {}
  return { email: primary['email'], email_verified: primary['verified'] === true }
}

/** Creates a provider that uses plain OAuth 2 and its own format for profiles. */
export function createOAuth2Provider(
  settings: ProviderSettings,
  addresses: OAuth2Addresses,
  { call, readAddress }: { call: SafeCall; readAddress: (text: string) => string | null },
): Provider {
  const { name } = settings
  const issuer = new URL(addresses.authorize).origin
  return {
    ...publicSettings(settings),
    issuer,
    verifyIdToken: null,
    authorizeUrl: async (trip, extra) => codeRequestUrl(addresses.authorize, settings, trip, extra),
    async exchange(code, trip) {
      const tokens = await requestTokens(call, addresses.token, settings, { code, trip, usesBasic: false })
      const headers = { authorization: `Bearer ${tokens.accessToken}` }
      const [user, email] = await Promise.all([
        readObject(call, addresses.user, headers),
        primaryEmailIn(call, addresses.emails, headers),
      ])
      const profile = readProfile({ name, issuer }, { ...user, ...email }, readAddress)
      if (profile === null) throw new ProviderFault(`${addresses.user} names nobody`)
      return { profile, tokens }
    },
  }
}
