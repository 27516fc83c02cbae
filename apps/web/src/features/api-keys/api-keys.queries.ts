import { getApiKeyUsage, listApiKeys } from '@pegasus/contracts/api-keys'
import { MAX_PAGE_SIZE } from '@pegasus/contracts/fields'
import { listUsers } from '@pegasus/contracts/users/users'
import { queryOptions } from '@tanstack/react-query'
import { callList } from '@/lib/http/api.ts'
import { apiQuery, apiPageQuery } from '@/lib/http/api-queries.ts'
import { compareNames } from '@/lib/i18n/compare-names.ts'

/** Every query about API keys starts with this key, so that one invalidation refreshes them all. */
export const API_KEYS_KEY = 'api-keys'

/** Returns all keys in one response. A shop has dozens of keys, and the cards count all of them. */
export const apiKeysQuery = apiPageQuery([API_KEYS_KEY, 'list'], listApiKeys, {
  query: { limit: MAX_PAGE_SIZE },
})

export const keyUsageQuery = (id: string) =>
  apiQuery([API_KEYS_KEY, 'usage', id], getApiKeyUsage, { params: { id } })

/** Returns the accounts that may own a key, by name. Such an account is active and has system access. */
export const keyOwnersQuery = queryOptions({
  queryKey: ['users', 'key-owners'],
  queryFn: async ({ signal }) => {
    const { items } = await callList(listUsers, {
      query: { limit: MAX_PAGE_SIZE, status: 'active' },
      signal,
    })
    return items.filter((user) => user.system_access).sort((a, b) => compareNames(a.username, b.username))
  },
})
