import type { AuthChangeEvent, AuthError, GoTrueClient, Session, User } from '@supabase/auth-js'
import { type CurrentUser, getMe, login } from '@pegasus/contracts/auth/sign-in'
import { useSyncExternalStore } from 'react'
import { readClaims, type TokenClaims } from './access-token.ts'
import { setEntryOwner } from './account-entry.ts'
import { callApi, connectTokenSource } from '../http/api.ts'
import { ApiError, NETWORK_FAILURE, STRANGE_ANSWER } from '../http/api-error.ts'
import { findHostedProject } from '../http/config.ts'
import { openAuthClient } from './open-auth-client.ts'
import { logWarning } from '../browser/log.ts'
import { serverText, serverTextsLoaded } from '../i18n/server-texts.ts'
import { whenIdle } from '../browser/when-idle.ts'
import { forgetLastViews, setViewOwner } from './last-view.ts'
import { hasSessionInUrl, LINK_UNUSABLE, type MailLink, readMailLink } from './mail/mail-link.ts'
import { followPushOwner } from '../push/push-owner.ts'
import { takeProviderVisit } from './provider-visit.ts'
import { AUTH_KEY, hasStoredSession, readFreshSession } from './stored-session.ts'
import { isAccount, viewerDefaults } from './viewer-defaults.ts'

/**
 * The localStorage key of the access token for other tools on this origin. The auth client keeps its own entry.
 */
const TOKEN_KEY = 'token'
/**
 * The localStorage key of an entry that exists while the session has passed all its steps, so that the next visit may
 * load the app immediately.
 */
export const ENTERED_KEY = 'pegasus-ops-entered'

export type SessionState =
  | { status: 'loading'; user: null }
  /** `hasEnded` is true if a session of this browser has ended without a sign-out. */
  | { status: 'signed-out'; user: null; hasEnded: boolean }
  /** Signed in, but the second factor is not proved yet. The app stays closed until it is. */
  | { status: 'second-step'; user: null; account: User }
  /**
   * `method` is the way in which the session was opened: `password`, or a kind of link such as `recovery` or
   * `invite`. `isRoleUnknown` is true while the role could not be looked up, so that the account has the rights of a
   * viewer.
   */
  | { status: 'signed-in'; user: CurrentUser; method: string | null; isRoleUnknown: boolean }

const PROVIDER_FAILED: MailLink = { kind: 'provider-refused', code: '', description: '' }

const signedOut = (hasEnded: boolean): SessionState => ({ status: 'signed-out', user: null, hasEnded })

let state: SessionState = { status: 'loading', user: null }
/**
 * True if the browser was signed in. If there is no session although this is true, the session has ended without a
 * sign-out.
 */
let wasSignedIn = false
let mailLink: MailLink | null = null
let auth: Promise<GoTrueClient> | null = null
/**
 * The token for which the state was loaded. It keeps the auth client's first event from repeating the request
 * for the account.
 */
let followedToken: string | null = null
/** True if the auth client has reported the session that it found. */
let hasClientStarted = false
/** The error if the auth client could not be loaded, so that the session cannot be restored. */
let loadFailure: { error: unknown } | null = null
const listeners = new Set<() => void>()

const getState = (): SessionState => state
const getFailure = (): typeof loadFailure => loadFailure

function notifyListeners(): void {
  for (const listener of listeners) listener()
}

/** Returns whether the person may use the app, and need not set anything up first. */
const isInside = (user: CurrentUser): boolean =>
  !user.password_change_required && !user.second_factor_setup_required

function setState(next: SessionState): void {
  state = next
  if (next.status === 'signed-in' && isInside(next.user)) {
    localStorage.setItem(ENTERED_KEY, '1')
    setViewOwner(next.user.id, followedToken)
    setEntryOwner(next.user.id)
  } else {
    localStorage.removeItem(ENTERED_KEY)
    forgetLastViews()
    setEntryOwner(null)
  }
  if (next.status === 'signed-in') followPushOwner(next.user.id)
  if (next.status === 'signed-out') followPushOwner(null)
  notifyListeners()
}

function setMailLink(next: MailLink | null): void {
  mailLink = next
  notifyListeners()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Returns the state of the session. Throws if the session cannot be restored, and the error page shows the error. */
export function useSession(): SessionState {
  const current = useSyncExternalStore(subscribe, getState, getState)
  const failure = useSyncExternalStore(subscribe, getFailure, getFailure)
  if (failure) throw failure.error
  return current
}

/** Returns the result of the email link that opened this page; null without a link. */
export const useMailLink = (): MailLink | null => useSyncExternalStore(subscribe, () => mailLink)

/** Returns the signed-in account. Use it only below a guard, which renders nothing without an account. */
export function useCurrentUser(): CurrentUser {
  const { user } = useSession()
  if (!user) throw new Error('useCurrentUser needs a guard above it that waits for the session')
  return user
}

/**
 * Restores the session of an earlier visit, or opens the session of a mailed link. From then on it tracks the session,
 * across all tabs. Resolves when the address no longer contains values of a link. Do not read the address before
 * that.
 *
 * Only a link or an expired token requires the auth client immediately. Otherwise the page is shown before the client
 * is loaded.
 */
export async function startSession(): Promise<void> {
  wasSignedIn = hasStoredSession()
  const landing = readMailLink(new URL(location.href), {
    isExpected: takeProviderVisit(),
    isSignedIn: wasSignedIn,
  })
  mailLink = landing?.link ?? null
  connectTokenSource({ getAccessToken, renewAccessToken, onSecondFactorWanted: () => void followCurrent() })
  const session = readFreshSession()
  if (landing || (wasSignedIn && !session)) {
    await authClient().catch(({ cause }: Error) => {
      loadFailure = { error: cause }
    })
    // The client has read the URL when it was created. Its own cleanup would leave the tokens in the history.
    if (landing) history.replaceState(null, '', landing.address)
    if (loadFailure) notifyListeners()
    else if (mailLink) void followMailLink(mailLink)
  } else {
    void followSession(session)
    // If the client cannot be loaded now, its first use loads it again.
    whenIdle(() => void authClient().catch(() => undefined))
    // Another tab may sign out or in before this tab has loaded the client.
    addEventListener('storage', ({ key }) => key === AUTH_KEY && void authClient().catch(() => undefined))
  }
}

/**
 * Returns the auth client, which is loaded at its first use. It follows the session from then on. Throws without a
 * network.
 */
export function authClient(): Promise<GoTrueClient> {
  auth ??= createAuthClient().catch((cause: unknown) => {
    auth = null
    throw new Error(NETWORK_FAILURE, { cause })
  })
  return auth
}

async function createAuthClient(): Promise<GoTrueClient> {
  const client = await openAuthClient({
    // The client warns in the log if the session in the URL was issued more than two minutes ago.
    readsAddress: mailLink !== null && hasSessionInUrl(mailLink),
  })
  client.onAuthStateChange((event, session) => {
    // The client waits for its listeners, so a call to the client inside a listener would never end.
    setTimeout(() => void followEvent(event, session))
  })
  return client
}

async function followEvent(event: AuthChangeEvent, session: Session | null): Promise<void> {
  const isKnown = session !== null && session.access_token === followedToken
  // The client reports the restored session twice during its start. The state already comes from that session.
  const isStart = !hasClientStarted
  if (event === 'INITIAL_SESSION') hasClientStarted = true
  if (!isStart || !isKnown) await followSession(session)
}

/** Resolves as soon as it is known whether somebody is signed in, and who. */
export const sessionKnown = (): Promise<void> =>
  new Promise((resolve) => {
    const stop = subscribe(check)
    function check(): void {
      if (state.status === 'loading' && !loadFailure) return
      stop()
      resolve()
    }
    check()
  })

/** Returns whether the last session of this browser passed all its steps. It may have ended since then. */
export const hasEntered = (): boolean => localStorage.getItem(ENTERED_KEY) !== null

/**
 * Opens the session of a link. If that session has ended, or if the link's code belongs to another browser, the link is
 * treated as used.
 */
async function followMailLink(link: MailLink): Promise<void> {
  if (link.kind !== 'code' && !hasSessionInUrl(link)) return
  const client = await authClient()
  const { error } =
    link.kind === 'code' ? await client.exchangeCodeForSession(link.code) : await client.initialize()
  if (error) logWarning('The link of a mail opened no session.', error)
  if (link.kind === 'provider') return setMailLink(error ? PROVIDER_FAILED : null)
  if (link.kind === 'session') {
    await serverTextsLoaded
    return setMailLink(error && { kind: 'session-refused', sentence: serverText(error.message) })
  }
  setMailLink(error ? { kind: 'refused', sentence: LINK_UNUSABLE } : { kind: 'accepted' })
}

/** Removes the result of the link, because it does not concern later screens. */
export const forgetMailLink = (): void => setMailLink(null)

/** The running request for the account, so that several events for one token cause only one request. */
let following: { token: string; done: Promise<void> } | null = null

/** Makes a session the current one. Resolves when its account and permissions are known. */
export async function followSession(session: Session | null): Promise<void> {
  if (session && session.access_token === following?.token) return following.done
  const done = takeOver(session)
  followedToken = session && session.access_token
  following = session && { token: session.access_token, done }
  await done
  if (following?.done === done) following = null
}

async function takeOver(session: Session | null): Promise<void> {
  if (!session) {
    localStorage.removeItem(TOKEN_KEY)
    if (state.status !== 'signed-out') setState(signedOut(wasSignedIn))
    wasSignedIn = false
    return
  }
  localStorage.setItem(TOKEN_KEY, session.access_token)
  const next = await resolve(session)
  // The browser signed out, or signed in to another account, while the account was loading. That event is handled
  // separately.
  const current = await currentSession()
  if (!next || current?.user.id !== session.user.id) return
  wasSignedIn = true
  setState(next)
}

/** Returns the state of a session; null if the session ended during the request. */
async function resolve(session: Session): Promise<SessionState | null> {
  const claims = readClaims(session.access_token)
  try {
    const user: unknown = await callApi(getMe)
    if (!isAccount(user)) throw new Error(STRANGE_ANSWER)
    return { status: 'signed-in', user, method: claims.method, isRoleUnknown: false }
  } catch (error) {
    if (!localStorage.getItem(TOKEN_KEY)) return null
    if (lacksSecondFactor(session, claims, error))
      return { status: 'second-step', user: null, account: session.user }
    if (state.status === 'signed-in' && state.user.id === session.user.id) {
      logWarning('The role could not be looked up again; the earlier one stays.', error)
      return { ...state, method: claims.method }
    }
    logWarning('The role could not be looked up; continuing with the rights of a viewer.', error)
    const user = viewerDefaults(session, claims)
    return { status: 'signed-in', user, method: claims.method, isRoleUnknown: true }
  }
}

/**
 * Returns whether the second factor is missing. If the server does not respond, uses the account cached in the session,
 * so that nobody gets in without a second factor during an outage.
 */
const lacksSecondFactor = ({ user }: Session, claims: TokenClaims, error: unknown): boolean =>
  (error instanceof ApiError && error.code === 'insufficient_aal') ||
  (!claims.isSecondFactorProved && (user.factors ?? []).some(({ status }) => status === 'verified'))

/** Loads the account again after a change and returns it; null if nobody is signed in. */
export async function refreshUser(): Promise<CurrentUser | null> {
  // A running request may have begun before the change.
  await following?.done
  await followCurrent()
  return state.user
}

async function followCurrent(): Promise<void> {
  await followSession(await currentSession())
}

/** Returns the session of this browser, renewed if its token has expired; null without a session. */
export async function currentSession(): Promise<Session | null> {
  if (!auth) {
    const session = readFreshSession()
    if (session || !hasStoredSession()) return session
  }
  const { data } = await (await authClient()).getSession()
  return data.session
}

/**
 * Returns the bearer token for requests outside `callApi`, such as an upload; null if nobody is signed in.
 */
export async function getAccessToken(): Promise<string | null> {
  return (await currentSession())?.access_token ?? null
}

/** The running renewal of the access token; null if none is running. */
let renewing: { refused: string | null; done: Promise<string | null> } | null = null

/**
 * Returns a new token instead of a refused or missing one. Calls that were refused at the same time get the
 * same token. If there is no new token, the session is over: the function signs out, which leads to the
 * sign-in screen, and returns null. A network failure does not end the session.
 */
export function renewAccessToken(refused: string | null): Promise<string | null> {
  if (renewing && renewing.refused === refused) return renewing.done
  const done = renew(refused).finally(() => {
    if (renewing?.done === done) renewing = null
  })
  renewing = { refused, done }
  return done
}

async function renew(refused: string | null): Promise<string | null> {
  const current = await getAccessToken()
  if (current && current !== refused) return current
  const { data, error } = await (await authClient()).refreshSession()
  if (data.session) return data.session.access_token
  // Another tab may have renewed the token first. The client then stores that tab's token, and reports its
  // own renewal as failed.
  const stored = await getAccessToken()
  if (stored && stored !== refused) return stored
  if (error?.name !== 'AuthRetryableFetchError') await leave({ hasEnded: wasSignedIn })
  return null
}

/** Signs in. Throws an ApiError with the server's detail. */
export async function signInWithUsername(credentials: { username: string; password: string }): Promise<void> {
  // A hosted project has no usernames.
  if (await findHostedProject())
    return signInWithEmail({ email: credentials.username, password: credentials.password })
  const { access_token, refresh_token } = await callApi(login, { body: credentials })
  const { data, error } = await (await authClient()).setSession({ access_token, refresh_token })
  if (error) throw error
  await followSession(data.session)
}

/** Signs in. Throws an error with the auth provider's message. */
export async function signInWithEmail(credentials: { email: string; password: string }): Promise<void> {
  const { data, error } = await (await authClient()).signInWithPassword(credentials)
  throwProviderError(error)
  await followSession(data.session)
}

/** Throws the auth provider's error, if there is one. If the server did not respond, throws NETWORK_FAILURE instead. */
export function throwProviderError(error: AuthError | null): void {
  if (error?.status === 0) throw new Error(NETWORK_FAILURE, { cause: error })
  if (error) throw error
}

/** Ends this session in the browser, even if the server cannot be reached. */
export async function signOut(): Promise<void> {
  wasSignedIn = false
  await leave({ hasEnded: false })
}

/** Ends all other sessions of the account. Throws the auth provider's error. */
export async function signOutElsewhere(): Promise<void> {
  const { error } = await (await authClient()).signOut({ scope: 'others' })
  throwProviderError(error)
}

async function leave({ hasEnded }: { hasEnded: boolean }): Promise<void> {
  // Delete these entries before the server responds, because the page may be closed in the meantime.
  forgetLastViews()
  setEntryOwner(null)
  const client = await authClient().catch(() => null)
  const error = client ? (await client.signOut({ scope: 'local' })).error : NETWORK_FAILURE
  if (error) {
    logWarning('The server was not informed of the sign-out.', error)
    // The client keeps its entry if the server cannot be reached, so remove it here.
    localStorage.removeItem(AUTH_KEY)
  }
  localStorage.removeItem(TOKEN_KEY)
  // The client's own event may have set the state already, and its reason for the sign-out must stay.
  if (state.status !== 'signed-out') setState(signedOut(hasEnded))
}
