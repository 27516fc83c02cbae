import { MutationCache, QueryClient } from '@tanstack/react-query'
import { ApiError } from './api-error.ts'

/** The key of the shop's statistics, which the dashboard and the tabs show. */
export const STATS_KEY = ['stats'] as const

const MAX_RETRIES = 2

/** Retries only failures that may be temporary: no response, or a server error. */
const isPassing = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 0 || error.status >= 500)

/** Returns an empty cache. */
export function createQueryClient(): QueryClient {
  const client = new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 15_000,
        retry: (failures, error) => failures < MAX_RETRIES && isPassing(error),
      },
    },
    mutationCache: new MutationCache({
      // Every change may affect the statistics, so all mutations refresh them.
      onSuccess: () => void client.invalidateQueries({ queryKey: STATS_KEY }),
    }),
  })
  return client
}

let prepared: { accountId: string; client: QueryClient } | null = null

/** Returns the cache into which the first view of an account is loaded before it is rendered. */
export function prepareQueryClient(accountId: string): QueryClient {
  if (prepared?.accountId !== accountId) prepared = { accountId, client: createQueryClient() }
  return prepared.client
}

/**
 * Returns the cache of a signed-in account: the prepared one if it belongs to the same account, otherwise a
 * new one.
 */
export const takeQueryClient = (accountId: string): QueryClient =>
  prepared?.accountId === accountId ? prepared.client : createQueryClient()

/** Drops the prepared cache, so that the next sign-in starts with an empty one. */
export function dropPreparedClient(): void {
  prepared = null
}
