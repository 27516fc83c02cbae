import { fromMinor } from '@pegasus/contracts/money'
import { type Order, getOrder, listOrders } from '@pegasus/contracts/orders'
import type { Database } from '../../platform/database/database.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { Endpoints } from '../../platform/http/endpoints.ts'
import { decodeCursor, sendPageHeaders, toPage } from '../../platform/http/paging.ts'
import type { PathSigner } from '../../platform/http/signed-path.ts'
import { type OrderRow, countOrders, findOrder, listOrders as listOrderRows } from './orders.queries.ts'

/** An order in the words of the wire, in its own currency. */
const presentOrder = (row: OrderRow, signer: PathSigner): Order => ({
  ...row,
  total_amount: fromMinor(row.total_minor, row.currency),
  items: row.lines.map((line) => ({
    ...line,
    unit_price: fromMinor(line.unit_price_minor, row.currency),
    stl_thumbnail_path: line.has_picture ? signer.sign(`/api/stl-files/${line.stl_file_id}/thumbnail`) : null,
  })),
})

export function addOrderRoutes(endpoints: Endpoints, deps: { database: Database; signer: PathSigner }): void {
  const { sql } = deps.database

  endpoints.add(listOrders, async ({ query, request, reply }) => {
    const filter = { search: query.search, status: query.status }
    const [rows, total] = await Promise.all([
      listOrderRows(sql, filter, { cursor: decodeCursor(query.cursor), limit: query.limit }),
      countOrders(sql, filter),
    ])
    // Newest is the latest bought: what arrives by a sync of old orders is no news.
    const page = toPage(rows, query.limit, total, (row) => ({ createdAt: row.placed_at, id: row.id }))
    sendPageHeaders(request, reply, page)
    return page.items.map((row) => presentOrder(row, deps.signer))
  })

  endpoints.add(getOrder, async ({ params, reply }) => {
    const row = await findOrder(sql, params.id)
    if (!row) throw new AppError('ORDER_NOT_FOUND')
    reply.header('etag', `"${row.revision}"`)
    return presentOrder(row, deps.signer)
  })
}
