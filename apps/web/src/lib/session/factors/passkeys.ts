import type { PasskeyListItem } from '@supabase/auth-js'
import { withRecentSignIn } from '../reauthentication.ts'
import { authClient, followSession, throwProviderError } from '../session.ts'

// Passkeys sign in without a name or a password. All functions throw the auth provider's error, or an error that
// contains the browser's error.

export type Passkey = PasskeyListItem

/** Signs in with one of the passkeys that the browser has for this site. The browser asks the person which one. */
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

/** Creates a passkey for the signed-in account on a device. */
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
