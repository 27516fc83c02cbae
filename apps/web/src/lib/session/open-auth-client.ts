import type { GoTrueClient } from '@supabase/auth-js'
import { findHostedProject } from '../http/config.ts'
import { fetchForAuth } from './auth-fetch.ts'
import { AUTH_KEY } from './stored-session.ts'

/**
 * Loads the auth client. It talks to this server, or to the hosted project that holds the accounts. With
 * `readsAddress`, it takes a session from the address of the page.
 */
export async function openAuthClient({ readsAddress }: { readsAddress: boolean }): Promise<GoTrueClient> {
  const [{ GoTrueClient: Client }, project] = await Promise.all([
    import('@supabase/auth-js'),
    findHostedProject(),
  ])
  return new Client({
    url: `${project?.url ?? location.origin}/auth/v1`,
    ...(project && { headers: { apikey: project.key } }),
    fetch: fetchForAuth,
    storageKey: AUTH_KEY,
    persistSession: true,
    autoRefreshToken: true,
    detectSessionInUrl: readsAddress,
    experimental: { recoveryCodes: true },
  })
}
