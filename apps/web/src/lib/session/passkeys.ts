import type { PasskeyListItem } from '@supabase/auth-js'
import { withRecentSignIn } from './reauthentication.ts'
import { authClient, followSession, throwProviderError } from './session.ts'

// Passkeys, which sign in without a name or a password. All functions throw the auth provider's error, or one that holds the
// browser's.

export type Passkey = PasskeyListItem

/** The browser shows the passkeys that it has for this site. */
export async function signInWithPasskey(): Promise<void> {
  const { data, error } = await (await authClient()).signInWithPasskey()
  if (error) throw error
  await followSession(data?.session ?? null)
}

export async function listPasskeys(): Promise<Passkey[]> {
  const { data, error } = await (await authClient()).passkey.list()
  throwProviderError(error)
  return data ?? []
}

/** Has a device make a passkey for the own account. */
export const addPasskey = (): Promise<void> =>
  withRecentSignIn(async () => {
    const { error } = await (await authClient()).registerPasskey()
    if (error) throw error
  })

export async function renamePasskey({ id, name }: { id: string; name: string }): Promise<void> {
  const { error } = await (await authClient()).passkey.update({ passkeyId: id, friendlyName: name })
  throwProviderError(error)
}

export const removePasskey = (id: string): Promise<void> =>
  withRecentSignIn(async () => {
    const { error } = await (await authClient()).passkey.delete({ passkeyId: id })
    throwProviderError(error)
  })
