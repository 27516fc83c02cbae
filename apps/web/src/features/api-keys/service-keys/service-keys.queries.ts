import { listServiceKeys } from '@pegasus/contracts/service-keys'
import { apiQuery } from '@/lib/http/api-queries.ts'

/** Every query about service keys starts with this key, so that one invalidation refreshes them all. */
export const SERVICE_KEYS_KEY = 'service-keys'

export const serviceKeysQuery = apiQuery([SERVICE_KEYS_KEY, 'list'], listServiceKeys)
