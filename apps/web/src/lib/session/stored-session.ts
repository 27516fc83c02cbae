import type { Session } from '@supabase/auth-js'

/** The localStorage key of the auth client's entry. `public/first-view.js` reads it too. */
export const AUTH_KEY = 'pegasus-ops-auth'
/** The localStorage key of the lists for the offline page. `public/offline.js` reads it too. */
export const OFFLINE_LISTS_KEY = 'pegasus-ops-offline-lists'
/** Minimum remaining lifetime of a token, in ms. A token that expires sooner is renewed first. */
const USABLE_MS = 120_000

/**
 * Returns the session in localStorage if its token is valid for two more minutes. The auth client would return the same
 * session, but the first view need not wait for it.
 */
export function readFreshSession(): Session | null {
  try {
    const session = JSON.parse(localStorage.getItem(AUTH_KEY) ?? 'null') as Partial<Session> | null
    const isFresh = (session?.expires_at ?? 0) * 1000 > Date.now() + USABLE_MS
    return isFresh && session?.access_token && session.user?.id ? (session as Session) : null
  } catch {
    // The entry is not a session. The auth client removes it.
    return null
  }
}

/** Returns whether localStorage has a session, usable or not. */
export const hasStoredSession = (): boolean => localStorage.getItem(AUTH_KEY) !== null
