import { listStock } from '@pegasus/contracts/integration'
import type { Endpoints } from '../../platform/http/endpoints.ts'
import { decodeCursor, sendPageHeaders } from '../../platform/http/paging.ts'
import { type Presentation, presentItem } from './inventory.present.ts'
import type { Inventory } from './inventory.service.ts'

/** The stock as a shop sees it; costs, places and notes are not in the answer's schema. */
export function addStockIntegrationRoutes(
  endpoints: Endpoints,
  deps: Presentation & { inventory: Inventory },
): void {
  const { inventory, currency } = deps

  endpoints.add(listStock, async ({ query, request, reply }) => {
    const filter = { sku: query.sku, lowStockOnly: false }
    const page = await inventory.list(filter, { cursor: decodeCursor(query.cursor), limit: query.limit })
    sendPageHeaders(request, reply, page)
    return page.items.map((row) => ({ ...presentItem(row, deps), currency }))
  })
}
