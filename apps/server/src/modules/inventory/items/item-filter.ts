import type { exportInventory } from '@pegasus/contracts/inventory/csv'
import type { RequestOf } from '@pegasus/contracts/endpoint'
import { trashCutoff } from '../../../platform/trash.ts'
import type { ItemSearch } from './item-list.service.ts'

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
