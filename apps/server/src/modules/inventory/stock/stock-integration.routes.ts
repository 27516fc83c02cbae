import { listStock } from '@pegasus/contracts/integration'
import type { Endpoints } from '../../../platform/http/endpoints.ts'
import { mapPage } from '../../../platform/http/paging.ts'
import { type Presentation, presentItem } from '../items/items.present.ts'
import type { Inventory } from '../items/item-list.service.ts'
import { decodeItemCursor } from '../items/item-cursor.ts'

/** The stock for a shop. The response schema has no costs, locations or notes. */
export function addStockIntegrationRoutes(
  endpoints: Endpoints,
  deps: Presentation & { inventory: Inventory },
): void {
  const { inventory, currency } = deps

  endpoints.add(listStock, async ({ query }) => {
    const { sku, limit } = query
    const cursor = decodeItemCursor(query.cursor, 'newest', false)
    return mapPage(await inventory.list({ sku }, { sort: 'newest', cursor, limit }), (row) => ({
      ...presentItem(row, deps),
      currency,
    }))
  })
}
