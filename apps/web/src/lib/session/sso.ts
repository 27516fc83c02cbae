import { rememberProviderVisit } from './provider-visit.ts'
import { authClient, throwProviderError } from './session.ts'

/** Returns the domain of a work email address, or the text itself if it is a domain already. */
export const domainOf = (text: string): string => text.trim().replace(/^.*@/, '').toLowerCase()

/**
 * Sends the browser to the SAML provider of a company, which sends it back to `backTo`. Throws the auth provider's
 * error.
 */
export async function goToCompany(text: string, backTo: string): Promise<void> {
  const { data, error } = await (await authClient()).signInWithSSO({
    domain: domainOf(text),
    options: { redirectTo: new URL(backTo, location.origin).href, skipBrowserRedirect: true },
  })
  throwProviderError(error)
  if (!data?.url) throw new Error('The provider has no address.')
  rememberProviderVisit()
  location.assign(data.url)
}
