import { type AuthError, GoTrueClient, type Session } from '@supabase/auth-js'
import { type CurrentUser, getMe, login } from '@pegasus/contracts/auth'
import { permissionsOf } from '@pegasus/contracts/roles'
import { useSyncExternalStore } from 'react'
import { callApi, connectTokenSource } from './api.ts'
import { NETWORK_FAILURE } from './api-error.ts'
import { logWarning } from './log.ts'
import { LINK_UNUSABLE, type MailLink, readMailLink } from './mail-link.ts'

/** The access token as other tools on this origin read it; the auth client keeps an entry of its own beside it. */
const TOKEN_KEY = 'token'
const AUTH_KEY = 'pegasus-ops-auth'

export type SessionState =
  | { status: 'loading'; user: null }
  | { status: 'signed-out'; user: null }
  /** `method` is how the session was opened: `password`, or the kind of link such as `recovery` and `invite`. */
  | { status: 'signed-in'; user: CurrentUser; method: string | null }

const LOADING: SessionState = { status: 'loading', user: null }
const SIGNED_OUT: SessionState = { status: 'signed-out', user: null }

let state: SessionState = LOADING
let mailLink: MailLink | null = null
let auth: GoTrueClient | null = null
const listeners = new Set<() => void>()

const getState = (): SessionState => state

function tellListeners(): void {
  for (const listener of listeners) listener()
}

function setState(next: SessionState): void {
  state = next
  tellListeners()
}

function setMailLink(next: MailLink | null): void {
  mailLink = next
  tellListeners()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useSession = (): SessionState => useSyncExternalStore(subscribe, getState)

/** What came of the link that led here from a mail; null if none did. */
export const useMailLink = (): MailLink | null => useSyncExternalStore(subscribe, () => mailLink)

/** The signed-in person. Only below a guard, which renders nothing without one. */
export function useCurrentUser(): CurrentUser {
  const { user } = useSession()
  if (!user) throw new Error('useCurrentUser needs a guard above it that waits for the session')
  return user
}

/**
 * Restores the session of an earlier visit, or takes over the one that the link of a mail brings, and follows it
 * from there on, also across tabs. Has to run before anything looks at the address.
 */
export function startSession(): void {
  const landing = readMailLink(new URL(location.href))
  mailLink = landing?.link ?? null
  auth = new GoTrueClient({
    url: `${location.origin}/auth/v1`,
    storageKey: AUTH_KEY,
    persistSession: true,
    autoRefreshToken: true,
    detectSessionInUrl: mailLink?.kind === 'accepted',
  })
  // The client has read the address while it was made. What it does to it itself leaves the tokens in the history.
  if (landing) history.replaceState(null, '', landing.address)
  connectTokenSource({ getAccessToken, renewAccessToken })
  auth.onAuthStateChange((_event, session) => {
    // The client waits for its listeners; asking it anything from within one would wait for ever.
    setTimeout(() => void followSession(session))
  })
  if (mailLink) void followMailLink(mailLink)
}

export const authClient = (): GoTrueClient => {
  if (!auth) throw new Error('startSession has to run first')
  return auth
}

/** A link whose session has ended since, or whose code belongs to another browser, is as good as a used one. */
async function followMailLink(link: MailLink): Promise<void> {
  if (link.kind !== 'accepted' && link.kind !== 'code') return
  const { error } =
    link.kind === 'code'
      ? await authClient().exchangeCodeForSession(link.code)
      : await authClient().initialize()
  if (error) logWarning('The link of a mail brought no session.', error)
  setMailLink(error ? { kind: 'refused', sentence: LINK_UNUSABLE } : { kind: 'accepted' })
}

/** The link has done its work; what is shown from now on is not about it. */
export const forgetMailLink = (): void => setMailLink(null)

/** What is under way, so that the client's several events for one token ask once. */
let following: { token: string; done: Promise<void> } | null = null

/** Whoever awaits it finds the person, and what they may do, in place. */
export async function followSession(session: Session | null): Promise<void> {
  if (session && session.access_token === following?.token) return following.done
  const done = takeOver(session)
  following = session && { token: session.access_token, done }
  await done
  if (following?.done === done) following = null
}

async function takeOver(session: Session | null): Promise<void> {
  if (!session) {
    localStorage.removeItem(TOKEN_KEY)
    setState(SIGNED_OUT)
    return
  }
  localStorage.setItem(TOKEN_KEY, session.access_token)
  const user = await resolveUser(session)
  // Signed out, or in as somebody else, while the role was looked up: that event has its own turn.
  const current = await authClient().getSession()
  if (user && current.data.session?.user.id === user.id)
    setState({ status: 'signed-in', user, method: readMethod(session.access_token) })
}

/** `amr` of an access token. Only for what is shown: what a session may do, the server decides. */
function readMethod(accessToken: string): string | null {
  try {
    const payload = (accessToken.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')
    const { amr } = JSON.parse(atob(payload)) as { amr?: { method?: string }[] }
    return amr?.[0]?.method ?? null
  } catch (error) {
    logWarning('The access token could not be read.', error)
    return null
  }
}

async function resolveUser(session: Session): Promise<CurrentUser | null> {
  try {
    return await callApi(getMe)
  } catch (error) {
    if (!localStorage.getItem(TOKEN_KEY)) return null
    logWarning('The role could not be looked up; going on with what a viewer may do.', error)
    return state.user?.id === session.user.id ? state.user : viewerDefaults(session)
  }
}

function viewerDefaults({ user }: Session): CurrentUser {
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
  }
}

/** The bearer token for calls that do not go through callApi, such as an upload; null if nobody is signed in. */
export async function getAccessToken(): Promise<string | null> {
  const { data } = await authClient().getSession()
  return data.session?.access_token ?? null
}

/**
 * Another token in place of one that the server refused. If there is none to be had, the session is over: this
 * signs out, which leads to the sign-in screen, and answers null. A network failure leaves the session alone.
 */
export async function renewAccessToken(refused: string): Promise<string | null> {
  const current = await getAccessToken()
  if (current && current !== refused) return current
  const { data, error } = await authClient().refreshSession()
  if (data.session) return data.session.access_token
  if (error?.name !== 'AuthRetryableFetchError') await signOut()
  return null
}

/** Throws an ApiError with the server's detail. */
export async function signInWithUsername(credentials: { username: string; password: string }): Promise<void> {
  const { access_token, refresh_token } = await callApi(login, { body: credentials })
  const { data, error } = await authClient().setSession({ access_token, refresh_token })
  if (error) throw error
  await followSession(data.session)
}

/** Throws an error whose message is the auth provider's. */
export async function signInWithEmail(credentials: { email: string; password: string }): Promise<void> {
  const { data, error } = await authClient().signInWithPassword(credentials)
  throwProviderError(error)
  await followSession(data.session)
}

/** Throws the auth provider's error; where no answer came, one that says so. */
export function throwProviderError(error: AuthError | null): void {
  if (error?.status === 0) throw new Error(NETWORK_FAILURE, { cause: error })
  if (error) throw error
}

/** Ends this session, here even if the server cannot be told. */
export async function signOut(): Promise<void> {
  const { error } = await authClient().signOut({ scope: 'local' })
  if (error) {
    logWarning('The server was not told of the sign-out.', error)
    // The client keeps its entry if it could not tell the server; whoever signs out wants it gone.
    localStorage.removeItem(AUTH_KEY)
  }
  localStorage.removeItem(TOKEN_KEY)
  setState(SIGNED_OUT)
}
