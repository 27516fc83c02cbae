import { CHOOSE_PASSWORD_PATH, CONFIRM_EMAIL_PATH } from './mail-link.ts'
import { authClient, followSession, forgetMailLink, refreshUser, throwProviderError } from './session.ts'

// What people do about their own account without an administrator. All throw the auth provider's error.

const onThisOrigin = (path: string): string => new URL(path, location.origin).href

/** Makes an account; tells whether it is signed in already, or has to wait. */
export async function signUp(credentials: {
  email: string
  password: string
}): Promise<'signed-in' | 'waiting'> {
  const { data, error } = await authClient().signUp({
    ...credentials,
    options: { emailRedirectTo: onThisOrigin(CONFIRM_EMAIL_PATH) },
  })
  throwProviderError(error)
  if (!data.session) return 'waiting'
  await followSession(data.session)
  return 'signed-in'
}

/** Has a link sent that lets its reader choose a new password, if there is such an account. */
export async function requestPasswordLink(email: string): Promise<void> {
  const { error } = await authClient().resetPasswordForEmail(email, {
    redirectTo: onThisOrigin(CHOOSE_PASSWORD_PATH),
  })
  throwProviderError(error)
}

/** Has the mail of a sign-up sent again, if there is an account that waits for it. */
export async function requestConfirmationLink(email: string): Promise<void> {
  const { error } = await authClient().resend({
    type: 'signup',
    email,
    options: { emailRedirectTo: onThisOrigin(CONFIRM_EMAIL_PATH) },
  })
  throwProviderError(error)
}

/** Sets the password of whoever came by a link; all their other sessions end. */
export async function choosePassword(password: string): Promise<void> {
  const { error } = await authClient().updateUser({ password })
  throwProviderError(error)
  // A password that had to be changed is changed now, which the person's record has to say before they go on.
  await refreshUser()
  forgetMailLink()
}
