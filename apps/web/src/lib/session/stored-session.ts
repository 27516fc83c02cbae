import type { Session } from '@supabase/auth-js'

/** The entry of the auth client, which writes it. `public/first-view.js` reads it too. */
export const AUTH_KEY = 'pegasus-ops-auth'
/** A token that ends sooner is renewed first. */
const USABLE_MS = 120_000

/**
 * The session in the browser's store if its token is good for two more minutes. It spares the first view the auth client,
 * which would return the same.
 */
export function readFreshSession(): Session | null {
  try {
    const session = JSON.parse(localStorage.getItem(AUTH_KEY) ?? 'null') as Partial<Session> | null
    const isFresh = (session?.expires_at ?? 0) * 1000 > Date.now() + USABLE_MS
    return isFresh && session?.access_token && session.user?.id ? (session as Session) : null
  } catch {
    // The entry is no session. The auth client removes it.
    return null
  }
}

/** Whether the browser holds a session, usable or not. */
export const hasStoredSession = (): boolean => localStorage.getItem(AUTH_KEY) !== null
