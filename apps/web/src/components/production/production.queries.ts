import {
  getProductionReport,
  type ProductionGroup,
  type ProductionRow,
} from '@pegasus/contracts/print-queue/production-report'
import { hasRole } from '@pegasus/contracts/roles'
import { useQuery } from '@tanstack/react-query'
import { apiQuery } from '@/lib/http/api-queries.ts'
import { useCurrentUser } from '@/lib/session/session.ts'

/** Selects the prints of one item or order; empty for all prints. */
export type ProductionChoice = Partial<Record<'inventory_item_id' | 'order_id', string>>

/**
 * Returns the planned and actual values of the last twelve months, or of all prints of an order. The query key starts
 * with the print queue's prefix, because the queue's events report changed plates.
 */
export const productionQuery = ({ by, ...of }: ProductionChoice & { by: ProductionGroup }) =>
  apiQuery(['print-queue', 'production', by, of], getProductionReport, {
    query: { by, time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone, ...of },
  })

/** The production rows by item, and their sum if an order has several. */
export interface OrderProduction {
  rows: readonly ProductionRow[]
  sum: ProductionRow | undefined
}

/** Returns the production of an order. It is empty while it loads, and for people who may not see the report. */
export function useOrderProduction(orderId: string): OrderProduction {
  const rows = useProductionRows({ order_id: orderId })
  const { data } = useQuery({
    ...productionQuery({ by: 'order', order_id: orderId }),
    enabled: rows.length > 1,
  })
  return { rows, sum: rows.length > 1 ? data?.[0] : undefined }
}

/** Returns the production rows by item. The list is empty while it loads, and for people who may not see the report. */
export function useProductionRows(of: ProductionChoice): readonly ProductionRow[] {
  const canSee = hasRole(useCurrentUser().role, 'staff')
  return useQuery({ ...productionQuery({ by: 'item', ...of }), enabled: canSee }).data ?? []
}
