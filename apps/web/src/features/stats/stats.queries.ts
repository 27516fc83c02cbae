import { getStats } from '@pegasus/contracts/stats'
import { queryOptions } from '@tanstack/react-query'
import { callApi } from '@/lib/api.ts'
import { STATS_KEY } from '@/lib/query-client.ts'

export const statsQuery = queryOptions({
  queryKey: STATS_KEY,
  queryFn: ({ signal }) => callApi(getStats, { signal }),
})
