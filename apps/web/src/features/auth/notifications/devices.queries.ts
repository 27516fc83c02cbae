import { MAX_PAGE_SIZE } from '@pegasus/contracts/fields'
import { listPushDeliveries, listPushDevices } from '@pegasus/contracts/channels/push-devices'
import { useQueryClient } from '@tanstack/react-query'
import { apiListQuery, apiPageQuery } from '@/lib/http/api-queries.ts'

const KEY = 'push-devices'

/** Returns all devices in one response, because their number is limited. */
export const devicesQuery = apiPageQuery([KEY, 'list'], listPushDevices, { query: { limit: MAX_PAGE_SIZE } })

export const deviceLogQuery = (id: string) =>
  apiListQuery([KEY, 'deliveries', id], listPushDeliveries, { params: { id } })

/** Returns a function that refetches all queries about devices. */
export function useDeviceRefresh(): () => void {
  const client = useQueryClient()
  return () => void client.invalidateQueries({ queryKey: [KEY] })
}
