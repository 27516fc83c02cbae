import { listOwnSessions } from '@pegasus/contracts/auth/own-account'
import { queryOptions } from '@tanstack/react-query'
import { countRecoveryCodes, listAuthenticators } from '@/lib/session/factors/second-factor.ts'
import { listIdentities } from '@/lib/session/identities.ts'
import { listPasskeys } from '@/lib/session/factors/passkeys.ts'
import { apiPageQuery } from '@/lib/http/api-queries.ts'

const SECURITY_KEY = 'own-security'

export const ownSessionsQuery = apiPageQuery([SECURITY_KEY, 'sessions'], listOwnSessions, {
  query: { limit: 100 },
})

/** Returns the authenticators, and the number of unused recovery codes; null if there are no codes. */
export const factorsQuery = queryOptions({
  queryKey: [SECURITY_KEY, 'factors'],
  queryFn: async () => {
    const authenticators = await listAuthenticators()
    const recoveryCodes = authenticators.length > 0 ? await countRecoveryCodes() : null
    return { authenticators, recoveryCodes }
  },
})

/** Returns the passkeys of the signed-in account. */
export const passkeysQuery = queryOptions({
  queryKey: [SECURITY_KEY, 'passkeys'],
  queryFn: listPasskeys,
})

/** Returns the sign-in methods of the signed-in account. */
export const identitiesQuery = queryOptions({
  queryKey: [SECURITY_KEY, 'identities'],
  queryFn: listIdentities,
})
