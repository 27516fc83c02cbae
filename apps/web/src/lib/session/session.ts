import type { AuthChangeEvent, AuthError, GoTrueClient, Session, User } from '@supabase/auth-js'
import { type CurrentUser, getMe, login } from '@pegasus/contracts/auth/sign-in'
import { permissionsOf } from '@pegasus/contracts/roles'
import { useSyncExternalStore } from 'react'
import { readClaims, type TokenClaims } from './access-token.ts'
import { callApi, connectTokenSource } from '../http/api.ts'
import { ApiError, NETWORK_FAILURE } from '../http/api-error.ts'
import { fetchForAuth } from './auth-fetch.ts'
import { logWarning } from '../browser/log.ts'
import { whenIdle } from '../browser/when-idle.ts'
import { forgetLastView, setViewOwner } from './last-view.ts'
import { setPagesOwner } from './recent-pages.ts'
import { LINK_UNUSABLE, type MailLink, readMailLink } from './mail-link.ts'
import { takeProviderVisit } from './provider-visit.ts'
import { AUTH_KEY, hasStoredSession, readFreshSession } from './stored-session.ts'

/** The access token for other tools on this origin. The auth client keeps an entry of its own. */
const TOKEN_KEY = 'token'
/** Kept while the session has passed all its steps, so that the next visit may load the product at once. */
const ENTERED_KEY = 'pegasus-ops-entered'

export type SessionState =
  | { status: 'loading'; user: null }
  /** `hasEnded`: somebody was signed in here and did not sign out. */
  | { status: 'signed-out'; user: null; hasEnded: boolean }
  /** Signed in except for the second factor. The product is closed until it is proved. */
  | { status: 'second-step'; user: null; account: User }
  /** `method` is the way the session was opened: `password`, or a kind of link such as `recovery` and `invite`. */
  | { status: 'signed-in'; user: CurrentUser; method: string | null }

const PROVIDER_FAILED: MailLink = { kind: 'provider-refused', code: '', description: '' }

const signedOut = (hasEnded: boolean): SessionState => ({ status: 'signed-out', user: null, hasEnded })

let state: SessionState = { status: 'loading', user: null }
/** Whether the browser was signed in. If there is no session then, it has ended without a sign-out. */
let wasSignedIn = false
let mailLink: MailLink | null = null
let auth: Promise<GoTrueClient> | null = null
/** The token that the state comes from, so that the auth client's first event does not repeat the look-up. */
let followedToken: string | null = null
/** Whether the auth client has reported the session that it found. */
let hasClientStarted = false
/** Why the session cannot be restored: the auth client could not be loaded. */
let loadFailure: { error: unknown } | null = null
const listeners = new Set<() => void>()

const getState = (): SessionState => state

function notifyListeners(): void {
  for (const listener of listeners) listener()
}

function setState(next: SessionState): void {
  state = next
  if (next.status === 'signed-in' && !next.user.password_change_required) {
    localStorage.setItem(ENTERED_KEY, '1')
    setViewOwner(next.user.id, followedToken)
    setPagesOwner(next.user.id)
  } else {
    localStorage.removeItem(ENTERED_KEY)
    forgetLastView()
    setPagesOwner(null)
  }
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

/** Throws, for the page around it, if the session cannot be restored. */
export function useSession(): SessionState {
  const current = useSyncExternalStore(subscribe, getState)
  const failure = useSyncExternalStore(subscribe, () => loadFailure)
  if (failure) throw failure.error
  return current
}

/** The result of the mail link that led here; null without one. */
export const useMailLink = (): MailLink | null => useSyncExternalStore(subscribe, () => mailLink)

/** The signed-in account. Use it only below a guard, which renders nothing without one. */
export function useCurrentUser(): CurrentUser {
  const { user } = useSession()
  if (!user) throw new Error('useCurrentUser needs a guard above it that waits for the session')
  return user
}

/**
 * Restores the session of an earlier visit, or takes over the one of a mail link, and follows it from then on, also
 * across tabs. Resolves when the address holds no values of a link any more; nothing may read the address before.
 *
 * The auth client has to be loaded first only for a link, or to renew a token. Otherwise the page comes before it.
 */
export async function startSession(): Promise<void> {
  const landing = readMailLink(new URL(location.href), takeProviderVisit())
  mailLink = landing?.link ?? null
  wasSignedIn = hasStoredSession()
  connectTokenSource({ getAccessToken, renewAccessToken, onSecondFactorWanted: () => void followCurrent() })
  const session = readFreshSession()
  if (landing || (wasSignedIn && !session)) {
    await authClient().catch(({ cause }: Error) => {
      loadFailure = { error: cause }
    })
    // The client has read the address when it was created. Its own cleanup leaves the tokens in the history.
    if (landing) history.replaceState(null, '', landing.address)
    if (loadFailure) notifyListeners()
    else if (mailLink) void followMailLink(mailLink)
  } else {
    void followSession(session)
    // If it cannot be loaded now, its first use tries again.
    whenIdle(() => void authClient().catch(() => undefined))
    // Another tab has signed out or in before that.
    addEventListener('storage', ({ key }) => key === AUTH_KEY && void authClient().catch(() => undefined))
  }
}

/** The auth client, loaded at its first use. It follows the session from then on. Throws without a network. */
export function authClient(): Promise<GoTrueClient> {
  auth ??= createAuthClient().catch((cause: unknown) => {
    auth = null
    throw new Error(NETWORK_FAILURE, { cause })
  })
  return auth
}

async function createAuthClient(): Promise<GoTrueClient> {
  const { GoTrueClient } = await import('@supabase/auth-js')
  const client = new GoTrueClient({
    url: `${location.origin}/auth/v1`,
    fetch: fetchForAuth,
    storageKey: AUTH_KEY,
    persistSession: true,
    autoRefreshToken: true,
    detectSessionInUrl: mailLink?.kind === 'accepted' || mailLink?.kind === 'provider',
    experimental: { recoveryCodes: true },
  })
  client.onAuthStateChange((event, session) => {
    // The client waits for its listeners, so calling it inside one would wait forever.
    setTimeout(() => void followEvent(event, session))
  })
  return client
}

async function followEvent(event: AuthChangeEvent, session: Session | null): Promise<void> {
  const isKnown = session !== null && session.access_token === followedToken
  // The client reports the session that it finds twice while it starts. The state comes from it already.
  const isStart = !hasClientStarted
  if (event === 'INITIAL_SESSION') hasClientStarted = true
  if (!isStart || !isKnown) await followSession(session)
}

/** Resolves as soon as it is known who is signed in, if anybody. */
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

/** Whether the last session of this browser passed all its steps. It may have ended since. */
export const hasEntered = (): boolean => localStorage.getItem(ENTERED_KEY) !== null

/** A link whose session has ended, or whose code belongs to another browser, counts as used. */
async function followMailLink(link: MailLink): Promise<void> {
  if (link.kind !== 'accepted' && link.kind !== 'code' && link.kind !== 'provider') return
  const client = await authClient()
  const { error } =
    link.kind === 'code' ? await client.exchangeCodeForSession(link.code) : await client.initialize()
  if (error) logWarning('The link of a mail brought no session.', error)
  if (link.kind === 'provider') return setMailLink(error ? PROVIDER_FAILED : null)
  setMailLink(error ? { kind: 'refused', sentence: LINK_UNUSABLE } : { kind: 'accepted' })
}

/** The link has done its work; later screens are not about it. */
export const forgetMailLink = (): void => setMailLink(null)

/** The running look-up, so that several events for one token cause one. */
let following: { token: string; done: Promise<void> } | null = null

/** Resolves when the account and its permissions are known. */
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
  // Signed out, or signed in as another account, while the role was loaded. That event is handled separately.
  const current = await currentSession()
  if (!next || current?.user.id !== session.user.id) return
  wasSignedIn = true
  setState(next)
}

/** The state of a session; null if it ended during the look-up. */
async function resolve(session: Session): Promise<SessionState | null> {
  const claims = readClaims(session.access_token)
  try {
    return { status: 'signed-in', user: await callApi(getMe), method: claims.method }
  } catch (error) {
    if (!localStorage.getItem(TOKEN_KEY)) return null
    if (lacksSecondFactor(session, claims, error))
      return { status: 'second-step', user: null, account: session.user }
    logWarning('The role could not be looked up; going on with what a viewer may do.', error)
    const user = state.user?.id === session.user.id ? state.user : viewerDefaults(session, claims)
    return { status: 'signed-in', user, method: claims.method }
  }
}

/**
 * Without a response the cached account decides, so that an outage never opens the product without a second factor.
 */
const lacksSecondFactor = ({ user }: Session, claims: TokenClaims, error: unknown): boolean =>
  (error instanceof ApiError && error.code === 'insufficient_aal') ||
  (!claims.isSecondFactorProved && (user.factors ?? []).some(({ status }) => status === 'verified'))

/** Loads the account again after a change; null if nobody is signed in. */
export async function refreshUser(): Promise<CurrentUser | null> {
  // A running look-up may have begun before the change.
  await following?.done
  await followCurrent()
  return state.user
}

async function followCurrent(): Promise<void> {
  await followSession(await currentSession())
}

/** The session of this browser, renewed if its token has ended; null without one. */
async function currentSession(): Promise<Session | null> {
  if (!auth) {
    const session = readFreshSession()
    if (session || !hasStoredSession()) return session
  }
  const { data } = await (await authClient()).getSession()
  return data.session
}

function viewerDefaults({ user }: Session, claims: TokenClaims): CurrentUser {
  const email = user.email ?? ''
  return {
    id: user.id,
    email,
    username: email,
    full_name: '',
    role: 'viewer',
    permissions: permissionsOf('viewer'),
    metadata: {},
    isActive: true,
    system_access: false,
    last_login: user.last_sign_in_at ?? null,
    password_change_required: false,
    new_email: null,
    second_factor: claims.isSecondFactorProved,
    revision: 0,
  }
}

/** The bearer token for calls outside of callApi, such as an upload; null if nobody is signed in. */
export async function getAccessToken(): Promise<string | null> {
  return (await currentSession())?.access_token ?? null
}

/** The running renewal. */
let renewing: { refused: string | null; done: Promise<string | null> } | null = null

/**
 * Another token for a refused or missing one. Calls that were refused together get the same. If none can be obtained,
 * the session is over: this signs out, which leads to the sign-in screen, and returns null. A network failure does
 * not end the session.
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
  // Another tab was faster: the client stores that tab's token, and reports its own renewal as failed.
  const stored = await getAccessToken()
  if (stored && stored !== refused) return stored
  if (error?.name !== 'AuthRetryableFetchError') await leave({ hasEnded: wasSignedIn })
  return null
}

/** Throws an ApiError with the server's detail. */
export async function signInWithUsername(credentials: { username: string; password: string }): Promise<void> {
  const { access_token, refresh_token } = await callApi(login, { body: credentials })
  const { data, error } = await (await authClient()).setSession({ access_token, refresh_token })
  if (error) throw error
  await followSession(data.session)
}

/** Throws an error with the auth provider's message. */
export async function signInWithEmail(credentials: { email: string; password: string }): Promise<void> {
  const { data, error } = await (await authClient()).signInWithPassword(credentials)
  throwProviderError(error)
  await followSession(data.session)
}

/** Throws the auth provider's error; without a response, one that says so. */
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
  // Before the server answers: the page may be closed meanwhile.
  forgetLastView()
  setPagesOwner(null)
  const client = await authClient().catch(() => null)
  const error = client ? (await client.signOut({ scope: 'local' })).error : NETWORK_FAILURE
  if (error) {
    logWarning('The server was not informed of the sign-out.', error)
    // The client keeps its entry if the server could not be reached, so it is removed here.
    localStorage.removeItem(AUTH_KEY)
  }
  localStorage.removeItem(TOKEN_KEY)
  // The client may have sent its event by now, and the reason of the sign-out must stay.
  if (state.status !== 'signed-out') setState(signedOut(hasEnded))
}
