import { type TestApp, buildTestApp } from '../../build-test-app.ts'
import { type OfficialClient, officialClient } from '../official-client.ts'
import { listen } from './listen.ts'
import { CLIENT_ID, CLIENT_SECRET, type OidcServer, anOidcServer } from './oidc-server.ts'

export const SITE = 'https://ops.example.com'
export const CALLBACK = `${SITE}/auth/v1/callback`
export const ADA = { sub: 'ada-1', email: 'ada@example.com', email_verified: true, name: 'Ada Lovelace' }

/** Builds the app with open sign-ups and a provider named `keycloak`, at which Ada signs in. */
export async function anAppWithProvider(
  variables: Record<string, string> = {},
): Promise<{ server: OidcServer; app: TestApp }> {
  const server = await anOidcServer(CALLBACK, listen)
  server.person = ADA
  const app = await buildTestApp({
    variables: {
      PUBLIC_URL: SITE,
      SIGNUPS: 'open',
      SIGN_IN_PROVIDER_ALLOW: server.host,
      GOTRUE_EXTERNAL_KEYCLOAK_ENABLED: 'true',
      GOTRUE_EXTERNAL_KEYCLOAK_URL: server.issuer,
      GOTRUE_EXTERNAL_KEYCLOAK_CLIENT_ID: CLIENT_ID,
      GOTRUE_EXTERNAL_KEYCLOAK_SECRET: CLIENT_SECRET,
      ...variables,
    },
  })
  return { server, app }
}

export const isHome = (url: URL): boolean => url.origin === SITE && !url.pathname.startsWith('/auth/')
export const isCallback = (url: URL): boolean => url.href.startsWith(CALLBACK)

export const fragmentIn = (url: URL): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(url.hash.slice(1)))

/** Creates a client that uses the PKCE flow and remembers its verifier. */
export async function pkceClient(app: TestApp): Promise<OfficialClient> {
  const kept = new Map<string, string>()
  return officialClient(app, {
    flowType: 'pkce',
    persistSession: true,
    storage: {
      getItem: (key) => kept.get(key) ?? null,
      setItem: (key, value) => void kept.set(key, value),
      removeItem: (key) => void kept.delete(key),
    },
  })
}
