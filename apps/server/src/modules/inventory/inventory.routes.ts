import { getInventoryItem, listInventory, listItemMovements } from '@pegasus/contracts/inventory'
import type { Database } from '../../platform/database/database.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { Endpoints } from '../../platform/http/endpoints.ts'
import { decodeCursor, sendPageHeaders, toPage } from '../../platform/http/paging.ts'
import { type Presentation, presentItem, presentMovement } from './inventory.present.ts'
import { type ItemRow, countItems, findItem, listItems } from './inventory.queries.ts'
import { countMovements, listMovements } from './movements.queries.ts'

export function addInventoryRoutes(endpoints: Endpoints, deps: Presentation & { database: Database }): void {
  const { sql } = deps.database

  const getItem = async (id: string): Promise<ItemRow> => {
    const row = await findItem(sql, id)
    if (!row) throw new AppError('ITEM_NOT_FOUND')
    return row
  }

  endpoints.add(listInventory, async ({ query, request, reply }) => {
    const filter = { search: query.search, status: query.status, lowStockOnly: query.low_stock_only }
    const [rows, total] = await Promise.all([
      listItems(sql, filter, { cursor: decodeCursor(query.cursor), limit: query.limit }),
      countItems(sql, filter),
    ])
    const page = toPage(rows, query.limit, total)
    sendPageHeaders(request, reply, page)
    return page.items.map((row) => presentItem(row, deps))
  })

  endpoints.add(getInventoryItem, async ({ params, reply }) => {
    const row = await getItem(params.id)
    reply.header('etag', `"${row.revision}"`)
    return presentItem(row, deps)
  })

  endpoints.add(listItemMovements, async ({ params, query, request, reply }) => {
    await getItem(params.id)
    const [rows, total] = await Promise.all([
      listMovements(sql, params.id, { cursor: decodeCursor(query.cursor), limit: query.limit }),
      countMovements(sql, params.id),
    ])
    const page = toPage(rows, query.limit, total)
    sendPageHeaders(request, reply, page)
    return page.items.map(presentMovement)
  })
}
