import { updateProfile, type UpdateProfileBody } from '@pegasus/contracts/auth/own-account'
import { changePassword } from '@pegasus/contracts/auth/passwords'
import type { CurrentUser } from '@pegasus/contracts/auth/sign-in'
import { callApi, ifMatch } from '../http/api.ts'
import { findHostedProject } from '../http/config.ts'
import type { Language } from '@pegasus/contracts/texts/languages'
import { languageChoice } from '../i18n/languages.ts'
import { CHOOSE_PASSWORD_PATH, CONFIRM_EMAIL_PATH } from './mail/mail-link.ts'
import { changeProjectPassword, changeProjectProfile, reloadProjectAccount } from './project-account.ts'
import { authClient, followSession, forgetMailLink, refreshUser, throwProviderError } from './session.ts'

// Changes that people make to their own account without an administrator. All functions throw the auth provider's
// error, except those that begin with `saveOwn`, which throw an ApiError.

const onThisOrigin = (path: string): string => new URL(path, location.origin).href

/** Creates an account. Returns whether it is signed in already, or must wait for an email or an approval. */
export async function signUp(credentials: {
  email: string
  password: string
}): Promise<'signed-in' | 'waiting'> {
  const { data, error } = await (await authClient()).signUp({
    ...credentials,
    options: {
      emailRedirectTo: onThisOrigin(CONFIRM_EMAIL_PATH),
      // The emails about this account are in the language of this page.
      ...(languageChoice && { data: { language: languageChoice } }),
    },
  })
  throwProviderError(error)
  if (!data.session) return 'waiting'
  await followSession(data.session)
  return 'signed-in'
}

/** Sends a link for a new password if an account with this address exists. */
export async function requestPasswordLink(email: string): Promise<void> {
  const { error } = await (await authClient()).resetPasswordForEmail(email, {
    redirectTo: onThisOrigin(CHOOSE_PASSWORD_PATH),
  })
  throwProviderError(error)
}

/** Sends the confirmation email of a sign-up again if an account with this address waits for it. */
export async function requestConfirmationLink(email: string): Promise<void> {
  const { error } = await (await authClient()).resend({
    type: 'signup',
    email,
    options: { emailRedirectTo: onThisOrigin(CONFIRM_EMAIL_PATH) },
  })
  throwProviderError(error)
}

/** Stores the language with the account, so that emails and notifications are in this language. */
export async function saveLanguage(language: Language): Promise<void> {
  const { error } = await (await authClient()).updateUser({ data: { language } })
  throwProviderError(error)
  await ((await findHostedProject()) ? reloadProjectAccount() : refreshUser())
}

/** Sets the password of a person who has opened a link. All their other sessions end. */
export async function choosePassword(password: string): Promise<void> {
  const { error } = await (await authClient()).updateUser({ password })
  throwProviderError(error)
  // If a password change was required, it is done now, so load the account again before the person continues.
  await refreshUser()
  forgetMailLink()
}

/**
 * Changes name and email, at this server or in the hosted project. Returns the account after the change.
 */
export async function saveOwnProfile(
  body: UpdateProfileBody,
  revision: number,
): Promise<Pick<CurrentUser, 'full_name' | 'email' | 'new_email'>> {
  if (await findHostedProject()) return changeProjectProfile(body)
  const saved = await callApi(updateProfile, { body, headers: ifMatch(revision) })
  await refreshUser()
  return saved
}

/** Changes the password, at this server or in the hosted project. */
export async function saveOwnPassword(change: {
  current_password: string
  new_password: string
  confirm_password: string
}): Promise<void> {
  const project = await findHostedProject()
  if (!project) await callApi(changePassword, { body: change })
  else await changeProjectPassword(project, { current: change.current_password, next: change.new_password })
}
