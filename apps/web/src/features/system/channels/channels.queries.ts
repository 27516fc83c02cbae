import { listChannelDeliveries, listChannels } from '@pegasus/contracts/channels/channels'
import { MAX_PAGE_SIZE } from '@pegasus/contracts/fields'
import { useQueryClient } from '@tanstack/react-query'
import { apiListQuery, apiPageQuery } from '@/lib/http/api-queries.ts'

const KEY = 'channels'

/** Returns all channels in one response, because their number is limited. */
export const channelsQuery = apiPageQuery([KEY, 'list'], listChannels, { query: { limit: MAX_PAGE_SIZE } })

export const deliveriesQuery = (id: string) =>
  apiListQuery([KEY, 'deliveries', id], listChannelDeliveries, {
    params: { id },
  })

/** Returns a function that refetches all queries about channels. */
export function useChannelRefresh(): () => void {
  const client = useQueryClient()
  return () => void client.invalidateQueries({ queryKey: [KEY] })
}
