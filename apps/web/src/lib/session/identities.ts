import type { UserIdentity } from '@supabase/auth-js'
import { rememberProviderVisit } from './provider-visit.ts'
import { withRecentSignIn } from './reauthentication.ts'
import { authClient, refreshUser, throwProviderError } from './session.ts'

// The sign-in methods of the signed-in account. All functions throw the auth provider's error.

export async function listIdentities(): Promise<UserIdentity[]> {
  const { data, error } = await (await authClient()).getUserIdentities()
  throwProviderError(error)
  return data?.identities ?? []
}

/** Sends the browser to a provider, which sends it back to this page. */
export const linkProvider = (name: string): Promise<void> =>
  withRecentSignIn(async () => {
    const { data, error } = await (await authClient()).linkIdentity({
      // The client's type lists only the providers of the hosted service. Our server supports more.
      provider: name as 'google',
      options: {
        redirectTo: location.origin + location.pathname + location.search,
        skipBrowserRedirect: true,
      },
    })
    throwProviderError(error)
    if (!data.url) throw new Error('The provider has no address.')
    rememberProviderVisit()
    location.assign(data.url)
  })

/** Removes a sign-in method. */
export async function unlinkIdentity(identity: UserIdentity): Promise<void> {
  await withRecentSignIn(async () => {
    const { error } = await (await authClient()).unlinkIdentity(identity)
    throwProviderError(error)
  })
  await refreshUser()
}
