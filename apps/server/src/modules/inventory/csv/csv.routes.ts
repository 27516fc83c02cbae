import { Readable } from 'node:stream'
import { exportInventory, importInventory } from '@pegasus/contracts/inventory/csv'
import type { Clock } from '../../../platform/clock.ts'
import type { Endpoints } from '../../../platform/http/endpoints.ts'
import { itemSearchOf } from '../items/item-list.service.ts'
import type { CsvExport } from './csv-export.ts'
import { receiveCsv } from './receive-csv.ts'
import type { CsvImports } from './csv-import.service.ts'

export function addCsvRoutes(
  endpoints: Endpoints,
  deps: { exports: CsvExport; imports: CsvImports; clock: Clock },
): void {
  const { exports, imports, clock } = deps

  endpoints.add(exportInventory, async ({ query, request, reply }) => {
    const now = clock.now()
    reply.headers({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="pegasus-ops-inventory-${now.toISOString().slice(0, 10)}.csv"`,
    })
    // A HEAD request returns the headers and exports nothing.
    const isHead = request.method === 'HEAD'
    return reply.send(isHead ? Readable.from([]) : await exports.open(itemSearchOf(query, now), query.sort))
  })

  endpoints.add(importInventory, async ({ request, caller }) =>
    imports.run(await receiveCsv(request), caller),
  )
}
