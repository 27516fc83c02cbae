import { getStats, getStatsHistory } from '@pegasus/contracts/stats'
import { queryOptions } from '@tanstack/react-query'
import { callApi } from '@/lib/http/api.ts'
import { STATS_KEY } from '@/lib/http/query-client.ts'

export const statsQuery = queryOptions({
  queryKey: STATS_KEY,
  queryFn: ({ signal }) => callApi(getStats, { signal }),
})

export const HISTORY_DAYS = 30

/**
 * Returns the history by day. The days are in the person's time zone, or in UTC if the browser does not know the zone.
 */
export const historyQuery = queryOptions({
  queryKey: [...STATS_KEY, 'history'],
  queryFn: ({ signal }) => {
    const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone
    return callApi(getStatsHistory, {
      query: { days: HISTORY_DAYS, ...(timeZone && { time_zone: timeZone }) },
      signal,
    })
  },
})
