import type { exportInventory } from '@pegasus/contracts/inventory/csv'
import type { RequestOf } from '@pegasus/contracts/endpoint'
import { DAY_MS, addMs } from '../../../platform/clock.ts'
import type { ItemSearch } from './item-list.service.ts'

const BIN_KEEPS_MS = 30 * DAY_MS

/**
 * What got into the bin after this moment is still there. What is older is out of reach for good; its row stays, since
 * journals, orders and print jobs tell of it.
 */
export const trashCutoff = (now: Date): Date => addMs(now, -BIN_KEEPS_MS)

/** A list's query as its filter. */
export const itemFilterOf = (query: RequestOf<typeof exportInventory>['query'], now: Date): ItemSearch => ({
  search: query.search,
  status: query.status,
  lowStockOnly: query.low_stock_only,
  locationId: query.location_id,
  material: query.material?.trim() || undefined,
  modelId: query.stl_file_id,
  ...(query.deleted && { inBinSince: trashCutoff(now) }),
})
