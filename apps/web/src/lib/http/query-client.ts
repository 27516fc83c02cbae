import { MutationCache, QueryClient } from '@tanstack/react-query'
import { ApiError } from './api-error.ts'

/** The figures of the shop: on the dashboard, and beside the tabs. */
export const STATS_KEY = ['stats'] as const

const MAX_RETRIES = 2

/** Only what another try can mend is tried again: no answer, or a fault on the server's side. */
const isPassing = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 0 || error.status >= 500)

export function createQueryClient(): QueryClient {
  const client = new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 15_000,
        retry: (failures, error) => failures < MAX_RETRIES && isPassing(error),
      },
    },
    mutationCache: new MutationCache({
      // Whatever was changed, the figures may count it; who changes something need not know of them.
      onSuccess: () => void client.invalidateQueries({ queryKey: STATS_KEY }),
    }),
  })
  return client
}
