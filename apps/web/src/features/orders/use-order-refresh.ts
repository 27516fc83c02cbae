import { useQueryClient } from '@tanstack/react-query'
import { STATS_KEY } from '@/lib/http/query-client.ts'
import { ORDERS_KEY } from './orders.queries.ts'

/** For each kind of change, the first keys of the queries that become outdated. */
const OUTDATED = {
  /** Changes of an order's texts, such as its address and its tracking number. */
  text: [ORDERS_KEY],
  /** Changes of an order's pieces, which affect the stock and the pieces that are promised to other orders. */
  pieces: [ORDERS_KEY, 'inventory', ...STATS_KEY],
  /** Changes of an order's print jobs. */
  prints: [ORDERS_KEY, 'print-queue', ...STATS_KEY],
} as const

/**
 * Returns the function that loads the outdated queries again after a change of orders. Its promise ends when the shown
 * queries are loaded.
 */
export function useOrderRefresh(): (changed: keyof typeof OUTDATED) => Promise<unknown> {
  const client = useQueryClient()
  return (changed) =>
    Promise.all(OUTDATED[changed].map((key) => client.invalidateQueries({ queryKey: [key] })))
}
