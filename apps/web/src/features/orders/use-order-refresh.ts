import { useQueryClient } from '@tanstack/react-query'
import { STATS_KEY } from '@/lib/http/query-client.ts'
import { ORDERS_KEY } from './orders.queries.ts'

/** The first keys of the queries that become outdated, for each kind of change. */
const OUTDATED = {
  /** Texts of an order, such as its address and its tracking number. */
  text: [ORDERS_KEY],
  /** Pieces of orders. They change the stock, or the pieces that are promised to other orders. */
  pieces: [ORDERS_KEY, 'inventory', ...STATS_KEY],
  /** Print jobs of orders. */
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
