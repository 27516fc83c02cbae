import { getProductionReport, type ProductionGroup } from '@pegasus/contracts/print-queue/production-report'
import { apiQuery } from '@/lib/http/api-queries.ts'

/** The prints of one item or order; empty for all. */
export type ProductionChoice = Partial<Record<'inventory_item_id' | 'order_id', string>>

/** Planned against actual in the last twelve months. The key begins as those of the queue, whose events tell of plates. */
export const productionQuery = ({ by, ...of }: ProductionChoice & { by: ProductionGroup }) =>
  apiQuery(['print-queue', 'production', by, of], getProductionReport, {
    query: { by, time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone, ...of },
  })
