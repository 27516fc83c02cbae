import type { SignInWithPasswordlessCredentials } from '@supabase/auth-js'
import { t } from '@/lib/i18n/messages.ts'
import { authClient, followSession, throwProviderError } from '../session.ts'

// Sign-in with a code that is sent by email. The functions throw the auth provider's error.

/**
 * Sends a code, and a link, to an address. The response does not reveal whether the address has an account. Without an
 * address, the auth client reports what is missing.
 */
export async function requestMailCode(email: string): Promise<void> {
  const options = { shouldCreateUser: false }
  const asked = (email === '' ? { options } : { email, options }) as SignInWithPasswordlessCredentials
  const { error } = await (await authClient()).signInWithOtp(asked)
  throwProviderError(error)
}

/** Signs in with a code. */
export async function signInWithMailCode({ email, code }: { email: string; code: string }): Promise<void> {
  const { data, error } = await (await authClient()).verifyOtp({ email, token: code, type: 'email' })
  throwProviderError(error)
  if (!data.session) throw new Error(t('An administrator must approve your account before you can sign in.'))
  await followSession(data.session)
}
