import { type Spool, listFilament } from '@pegasus/contracts/filament'
import { fromMinor } from '@pegasus/contracts/money'
import type { Database } from '../../platform/database/database.ts'
import type { Endpoints } from '../../platform/http/endpoints.ts'
import { decodeCursor, sendPageHeaders, toPage } from '../../platform/http/paging.ts'
import { type SpoolRow, countSpools, listSpools } from './filament.queries.ts'

/** A spool in the words of the wire. */
const presentSpool = (row: SpoolRow, currency: string): Spool => ({
  ...row,
  cost: row.price_minor === null ? null : fromMinor(row.price_minor, currency),
})

export function addFilamentRoutes(
  endpoints: Endpoints,
  deps: { database: Database; currency: string },
): void {
  const { sql } = deps.database

  endpoints.add(listFilament, async ({ query, request, reply }) => {
    const filter = { search: query.search, material: query.material, status: query.status }
    const [rows, total] = await Promise.all([
      listSpools(sql, filter, { cursor: decodeCursor(query.cursor), limit: query.limit }),
      countSpools(sql, filter),
    ])
    const page = toPage(rows, query.limit, total)
    sendPageHeaders(request, reply, page)
    return page.items.map((row) => presentSpool(row, deps.currency))
  })
}
