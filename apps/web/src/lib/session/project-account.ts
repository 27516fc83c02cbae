import type { AuthError } from '@supabase/auth-js'
import type { UpdateProfileBody } from '@pegasus/contracts/auth/own-account'
import type { CurrentUser } from '@pegasus/contracts/auth/sign-in'
import { ApiError, NETWORK_FAILURE } from '../http/api-error.ts'
import type { HostedProject } from '../http/config.ts'
import { logWarning } from '../browser/log.ts'
import { CONFIRM_EMAIL_PATH } from './mail/mail-link.ts'
import { fetchForAuth } from './auth-fetch.ts'
import { withRecentSignIn } from './reauthentication.ts'
import {
  authClient,
  currentSession,
  followSession,
  refreshUser,
  signInWithEmail,
  throwProviderError,
} from './session.ts'
import { t } from '@/lib/i18n/messages.ts'
import { serverText } from '@/lib/i18n/server-texts.ts'

// Changes that people make to their own account if a hosted project holds the accounts instead of this server. The
// functions throw an ApiError, as the calls of this server do, or an error without a response.

/** Converts an error of the project to the error that this server would give. */
function apiErrorOf(error: AuthError): ApiError {
  return new ApiError({
    status: error.status ?? 500,
    code: error.code,
    detail: serverText(error.message) || null,
    otherwise: t('That did not work. Please try again.'),
    cause: error,
  })
}

function throwApiError(error: AuthError | null): void {
  if (error?.status === 0) throwProviderError(error)
  if (error) throw apiErrorOf(error)
}

/**
 * Loads the account again after a change in the hosted project. This server reads the account from the project with
 * each new token.
 */
export async function reloadProjectAccount(): Promise<CurrentUser | null> {
  const { data } = await (await authClient()).refreshSession()
  if (data.session) await followSession(data.session)
  return refreshUser()
}

/** The name and the address of an account, and a new address that waits for its confirmation. */
type Profile = Pick<CurrentUser, 'full_name' | 'email' | 'new_email'>

/** Changes name and email. Returns the values after the change, which this server knows too when the function ends. */
export async function changeProjectProfile({ full_name: name, email }: UpdateProfileBody): Promise<Profile> {
  const newEmail = await withRecentSignIn(async () => {
    const client = await authClient()
    const session = await currentSession()
    const isOther = email !== undefined && email !== session?.user.email?.toLowerCase()
    const { data, error } = await client.updateUser(
      { ...(name !== undefined && { data: { full_name: name } }), ...(isOther && { email }) },
      { emailRedirectTo: new URL(CONFIRM_EMAIL_PATH, location.origin).href },
    )
    throwApiError(error)
    return data.user?.new_email ?? null
  })
  const user = await reloadProjectAccount()
  return { full_name: user?.full_name ?? name ?? '', email: user?.email ?? '', new_email: newEmail }
}

/**
 * Changes the password. Throws `current_password_wrong` if the current one is wrong. All other sessions end, if the
 * project ends them.
 */
export async function changeProjectPassword(
  project: HostedProject,
  { current, next }: { current: string; next: string },
): Promise<void> {
  await checkPassword(project, current)
  await withRecentSignIn(async () => {
    const changed = await (await authClient()).updateUser({ password: next, current_password: current })
    throwApiError(changed.error && asRuleError(changed.error))
  })
}

/**
 * Checks the password by a sign-in whose session ends at once. The auth client would replace the session of this
 * browser, which may have passed the second step. Throws `current_password_wrong`, or the project's error.
 */
async function checkPassword({ url, key }: HostedProject, password: string): Promise<void> {
  const answer = await fetchForAuth(`${url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', apikey: key },
    body: JSON.stringify({ email: await ownEmail(), password }),
  }).catch((cause: unknown) => {
    throw new Error(NETWORK_FAILURE, { cause })
  })
  const body = (await answer.json()) as { access_token?: string; error_code?: string; msg?: string }
  const { access_token: token, error_code: code, msg } = body
  if (answer.ok && token) return endQuietly(async () => (await authClient()).admin.signOut(token, 'local'))
  const detail = msg ? serverText(msg) : null
  const otherwise = t('That did not work. Please try again.')
  throw code === 'invalid_credentials'
    ? new ApiError({ status: 401, code: 'current_password_wrong', detail, otherwise })
    : new ApiError({ status: answer.status, code, detail, otherwise })
}

/** Gives the error of a broken password rule the status of this server (400) instead of the project's (422). */
function asRuleError(error: AuthError): AuthError {
  if (error.status === 422) error.status = 400
  return error
}

/** Confirms the identity with the password, in a new session. The earlier session of this browser ends. */
export async function proveByProjectPassword(password: string): Promise<void> {
  const earlier = await currentSession()
  await signInWithEmail({ email: await ownEmail(), password })
  if (earlier) await endQuietly(async () => (await authClient()).admin.signOut(earlier.access_token, 'local'))
}

/** Returns the address with which the person signs in at the project. */
async function ownEmail(): Promise<string> {
  return (await currentSession())?.user.email ?? ''
}

async function endQuietly(end: () => Promise<{ error: AuthError | null }>): Promise<void> {
  const { error } = await end()
  if (error) logWarning('A session of the project could not be ended; it expires on its own.', error)
}
