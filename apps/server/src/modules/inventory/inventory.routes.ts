import { getInventoryItem, listInventory, listItemMovements } from '@pegasus/contracts/inventory'
import type { Endpoints } from '../../platform/http/endpoints.ts'
import { decodeCursor, sendPageHeaders } from '../../platform/http/paging.ts'
import { type Presentation, presentItem, presentMovement } from './inventory.present.ts'
import type { Inventory } from './inventory.service.ts'

export function addInventoryRoutes(
  endpoints: Endpoints,
  deps: Presentation & { inventory: Inventory },
): void {
  const { inventory } = deps

  endpoints.add(listInventory, async ({ query, request, reply }) => {
    const filter = { search: query.search, status: query.status, lowStockOnly: query.low_stock_only }
    const page = await inventory.list(filter, { cursor: decodeCursor(query.cursor), limit: query.limit })
    sendPageHeaders(request, reply, page)
    return page.items.map((row) => presentItem(row, deps))
  })

  endpoints.add(getInventoryItem, async ({ params, reply }) => {
    const row = await inventory.get(params.id)
    reply.header('etag', `"${row.revision}"`)
    return presentItem(row, deps)
  })

  endpoints.add(listItemMovements, async ({ params, query, request, reply }) => {
    const place = { cursor: decodeCursor(query.cursor), limit: query.limit }
    const page = await inventory.listMovements(params.id, place)
    sendPageHeaders(request, reply, page)
    return page.items.map(presentMovement)
  })
}
