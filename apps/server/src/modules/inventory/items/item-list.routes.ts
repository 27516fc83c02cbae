import { getInventoryItem, listInventory } from '@pegasus/contracts/inventory/items'
import { listItemMovements, listReservations } from '@pegasus/contracts/inventory/stock-movements'
import type { Clock } from '../../../platform/clock.ts'
import type { Endpoints } from '../../../platform/http/endpoints.ts'
import { mapPage, pageRequestOf } from '../../../platform/http/paging.ts'
import { signPaths } from '../../../platform/http/signed-path.ts'
import { type Presentation, presentItem, presentMovement } from './items.present.ts'
import { type Inventory, itemSearchOf } from './item-list.service.ts'
import { decodeItemCursor } from './item-cursor.ts'

export function addInventoryRoutes(
  endpoints: Endpoints,
  deps: Presentation & { inventory: Inventory; clock: Clock },
): void {
  const { inventory, clock } = deps

  endpoints.add(listInventory, async ({ query }) => {
    const { sort, limit } = query
    const cursor = decodeItemCursor(query.cursor, sort, query.deleted !== undefined)
    const page = await inventory.list(itemSearchOf(query, clock.now()), { sort, cursor, limit })
    return { ...page, json: signPaths(page.json, deps.signer) }
  })

  endpoints.add(getInventoryItem, async ({ params }) => presentItem(await inventory.get(params.id), deps))

  endpoints.add(listItemMovements, async ({ params, query }) =>
    mapPage(await inventory.listMovements(params.id, pageRequestOf(query)), presentMovement),
  )

  endpoints.add(listReservations, ({ params }) => inventory.listReservations(params.id))
}
