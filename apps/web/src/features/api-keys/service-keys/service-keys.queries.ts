import { listServiceKeys } from '@pegasus/contracts/service-keys'
import { apiQuery } from '@/lib/http/api-queries.ts'

/** Common prefix of all queries about service keys. */
export const SERVICE_KEYS_KEY = 'service-keys'

export const serviceKeysQuery = apiQuery([SERVICE_KEYS_KEY, 'list'], listServiceKeys)
