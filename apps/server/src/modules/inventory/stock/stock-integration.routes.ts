import type { InventoryItem } from '@pegasus/contracts/inventory/items'
import { listStock } from '@pegasus/contracts/integration'
import { idsIn } from '../../../platform/database/list-queries.ts'
import type { Endpoints } from '../../../platform/http/endpoints.ts'
import { signPaths } from '../../../platform/http/signed-path.ts'
import type { Presentation } from '../items/items.present.ts'
import type { Inventory } from '../items/item-list.service.ts'
import { decodeItemCursor } from '../items/item-cursor.ts'

/** Adds the routes through which a shop reads the stock. Their responses contain no costs, locations or notes. */
export function addStockIntegrationRoutes(
  endpoints: Endpoints,
  deps: Presentation & { inventory: Inventory },
): void {
  const { inventory, signer, currency } = deps

  endpoints.add(listStock, async ({ query }) => {
    const { sku, limit } = query
    const cursor = decodeItemCursor(query.cursor, 'newest', false)
    const { stamps, next, total } = await inventory.find({ sku }, { sort: 'newest', cursor, limit })
    const items = JSON.parse(signPaths(await inventory.read(idsIn(stamps)), signer)) as InventoryItem[]
    return { items: items.map((item) => ({ ...item, currency })), next, total }
  })
}
