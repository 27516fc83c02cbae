import type { ChannelDelivery } from '@pegasus/contracts/channels/channels'
import { type QueryKey, useQuery } from '@tanstack/react-query'
import type { ListPage } from '@/lib/http/api.ts'
import { ApiError } from '@/lib/http/api-error.ts'
import { listQuery } from '@/lib/http/use-list.ts'

export const DATABASE_AWAY = 'The database cannot be reached at the moment.'

const fail = async (status = 503): Promise<never> => {
  throw new ApiError({ status, detail: DATABASE_AWAY, otherwise: DATABASE_AWAY })
}
const wait = () => new Promise<never>(() => undefined)

/** Returns a query that fails with a message from the server. */
export const useFailed = (name: string, status?: number) =>
  useQuery<never>({ queryKey: ['failed', name, status], queryFn: () => fail(status) })

/** Returns a query that never gets a response. */
export const usePending = (name: string) => useQuery<never>({ queryKey: ['pending', name], queryFn: wait })

/** Returns a query that has loaded this data. */
export const useLoaded = <Data>(name: string, data: Data) =>
  useQuery({ queryKey: ['loaded', name], queryFn: async () => data })

export interface Part {
  id: string
  name: string
  sku: string
  quantity: number
  deleted_at: string | null
}

/** Rows for the lists of the gallery. */
export const PARTS: readonly Part[] = [
  'Wall hook',
  'Letter tray',
  'Camera mount, adjustable, with a long name that must be cut somewhere before the column ends',
  'حامل كاميرا قابل للتعديل',
  'Gear wheel',
].map((name, index) => ({
  id: `part-${index}`,
  name,
  sku: `PART-${index + 1}`,
  quantity: index * 12,
  deleted_at: '2026-11-20T10:00:00Z',
}))

const pageOf = (items: readonly Part[]): ListPage<Part> => ({
  items: [...items],
  total: items.length,
  isTotalCapped: false,
  nextCursor: null,
})

const DELIVERIES: ChannelDelivery[] = (['waiting', 'delivered', 'failed'] as const).map((state, index) => ({
  id: `delivery-${index}`,
  type: 'item.low_stock',
  title: 'Wall hook',
  state,
  created_at: '2026-11-20T10:00:00Z',
  next_attempt_at: state === 'waiting' ? '2026-11-20T10:05:00Z' : null,
  finished_at: state === 'waiting' ? null : '2026-11-20T10:00:01Z',
  attempts: [
    {
      number: 1,
      at: '2026-11-20T10:00:00Z',
      duration_ms: 80,
      status: state === 'delivered' ? 200 : 503,
      note: state === 'delivered' ? null : '503: Try again later',
    },
  ],
}))

/** Deliveries in each state. */
export const DELIVERIES_QUERY = listQuery<ChannelDelivery>(
  ['gallery', 'deliveries'] as QueryKey,
  async () => ({
    items: DELIVERIES,
    total: DELIVERIES.length,
    isTotalCapped: false,
    nextCursor: null,
  }),
)

/** The states of a list: rows, no rows, no response yet, and a failure. */
export const LIST_QUERIES = {
  rows: listQuery<Part>(['gallery', 'rows'] as QueryKey, async () => pageOf(PARTS)),
  empty: listQuery<Part>(['gallery', 'empty'] as QueryKey, async () => pageOf([])),
  loading: listQuery<Part>(['gallery', 'loading'] as QueryKey, wait),
  failed: listQuery<Part>(['gallery', 'failed'] as QueryKey, () => fail()),
}
