import { getInventoryItem, listInventory } from '@pegasus/contracts/inventory/items'
import { listItemMovements, listReservations } from '@pegasus/contracts/inventory/stock-movements'
import type { Clock } from '../../../platform/clock.ts'
import type { Endpoints } from '../../../platform/http/endpoints.ts'
import { type WrittenPage, mapPage, pageRequestOf } from '../../../platform/http/paging.ts'
import { createResponseCache } from '../../../platform/http/lists/response-cache.ts'
import { createListBodies } from '../../../platform/http/lists/list-bodies.ts'
import { type Presentation, presentItem, presentMovement } from './items.present.ts'
import { type Inventory, itemSearchOf } from './item-list.service.ts'
import { decodeItemCursor } from './item-cursor.ts'

export function addInventoryRoutes(
  endpoints: Endpoints,
  deps: Presentation & { inventory: Inventory; clock: Clock },
): void {
  const { inventory, clock, signer } = deps
  const bodies = createListBodies(signer)
  const responses = createResponseCache<WrittenPage>(deps)

  endpoints.add(listInventory, async (call) => {
    const { sort, limit, deleted } = call.query
    const cursor = decodeItemCursor(call.query.cursor, sort, deleted !== undefined)
    const write = async () => {
      const page = await inventory.find(itemSearchOf(call.query, clock.now()), { sort, cursor, limit })
      return bodies.write(page, inventory.read)
    }
    // The list of the trash has no ETag, because items disappear from it after 30 days without a change.
    return deleted === undefined ? responses.of(call, write) : write()
  })

  endpoints.add(getInventoryItem, async ({ params }) => presentItem(await inventory.get(params.id), deps))

  endpoints.add(listItemMovements, async ({ params, query }) =>
    mapPage(await inventory.listMovements(params.id, pageRequestOf(query)), presentMovement),
  )

  endpoints.add(listReservations, ({ params }) => inventory.listReservations(params.id))
}
