import { listSsoProviders } from '@pegasus/contracts/auth/sso-providers'
import { apiQuery } from '@/lib/http/api-queries.ts'

/** Every query about SAML providers starts with this key, so that one invalidation refreshes them all. */
export const SSO_KEY = 'sso-providers'

export const ssoProvidersQuery = apiQuery([SSO_KEY, 'list'], listSsoProviders)
