import type { InventoryItem } from '@pegasus/contracts/inventory/items'
import { listStock } from '@pegasus/contracts/integration'
import type { Endpoints } from '../../../platform/http/endpoints.ts'
import { signPaths } from '../../../platform/http/signed-path.ts'
import type { Presentation } from '../items/items.present.ts'
import type { Inventory } from '../items/item-list.service.ts'
import { decodeItemCursor } from '../items/item-cursor.ts'

/** The stock for a shop. The response schema has no costs, locations or notes. */
export function addStockIntegrationRoutes(
  endpoints: Endpoints,
  deps: Presentation & { inventory: Inventory },
): void {
  const { inventory, signer, currency } = deps

  endpoints.add(listStock, async ({ query }) => {
    const { sku, limit } = query
    const cursor = decodeItemCursor(query.cursor, 'newest', false)
    const { json, next, total } = await inventory.list({ sku }, { sort: 'newest', cursor, limit })
    const items = JSON.parse(signPaths(json, signer)) as InventoryItem[]
    return { items: items.map((item) => ({ ...item, currency })), next, total }
  })
}
