import { type SalesRow, getOrderEarnings, getSalesReport, listSales } from '@pegasus/contracts/orders/sales'
import { type CsvCell, csvHeader, csvLine } from '../../../platform/csv.ts'
import type { Endpoints } from '../../../platform/http/endpoints.ts'
import type { Sales } from './sales.service.ts'

/** The columns, named as on the wire. */
const COLUMNS = [
  'key',
  'label',
  'orders',
  'pieces',
  'returns',
  'revenue',
  'cost',
  'fees',
  'margin',
  'pieces_without_cost',
] as const satisfies readonly (keyof SalesRow)[]

const toCsv = (rows: readonly SalesRow[]): string =>
  csvHeader(COLUMNS) + rows.map((row) => csvLine(COLUMNS.map((column): CsvCell => row[column]))).join('')

/** Whether a client asks for CSV and not for JSON as well. */
const prefersCsv = (accept: string | undefined): boolean =>
  /\btext\/csv\b/i.test(accept ?? '') && !/\bapplication\/json\b/i.test(accept ?? '')

export function addSalesRoutes(endpoints: Endpoints, { sales }: { sales: Sales }): void {
  endpoints.add(getSalesReport, async ({ query: { by, time_zone: timeZone, from, to }, request, reply }) => {
    const rows = await sales.report(by, { from, to, timeZone })
    reply.header('vary', 'accept')
    if (!prefersCsv(request.headers.accept)) return rows
    const period = [from, to].filter(Boolean).join('-')
    const name = ['pegasus-ops-sales', by, period].filter(Boolean).join('-')
    return reply
      .headers({ 'content-disposition': `attachment; filename="${name}.csv"` })
      .type('text/csv; charset=utf-8')
      .send(toCsv(rows))
  })

  endpoints.add(listSales, async ({ query: { by, key, time_zone: timeZone, from, to } }) =>
    sales.list({ by, key }, { from, to, timeZone }),
  )

  endpoints.add(getOrderEarnings, async ({ params }) => sales.ofOrder(params.id))
}
