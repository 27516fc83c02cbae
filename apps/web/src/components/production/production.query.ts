import {
  getProductionReport,
  type ProductionGroup,
  type ProductionRow,
} from '@pegasus/contracts/print-queue/production-report'
import { hasRole } from '@pegasus/contracts/roles'
import { useQuery } from '@tanstack/react-query'
import { apiQuery } from '@/lib/http/api-queries.ts'
import { useCurrentUser } from '@/lib/session/session.ts'

/** The prints of one item or order; empty for all. */
export type ProductionChoice = Partial<Record<'inventory_item_id' | 'order_id', string>>

/** Planned against actual in the last twelve months. The key begins as those of the queue, whose events tell of plates. */
export const productionQuery = ({ by, ...of }: ProductionChoice & { by: ProductionGroup }) =>
  apiQuery(['print-queue', 'production', by, of], getProductionReport, {
    query: { by, time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone, ...of },
  })

/** The items of this choice. None while they load, and for people who may not see the report. */
export function useProductionRows(of: ProductionChoice): readonly ProductionRow[] {
  const canSee = hasRole(useCurrentUser().role, 'staff')
  return useQuery({ ...productionQuery({ by: 'item', ...of }), enabled: canSee }).data ?? []
}
