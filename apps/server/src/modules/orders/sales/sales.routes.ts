import {
  LINE_FIGURES,
  MAX_SALES,
  SALES_FIGURES,
  type Sale,
  type SalesRow,
  getOrderEarnings,
  getSalesReport,
  listSales,
} from '@pegasus/contracts/orders/sales'
import type { FastifyReply } from 'fastify'
import { type CsvCell, csvHeader, csvLine } from '@pegasus/contracts/csv-text'
import type { Endpoints } from '../../../platform/http/endpoints.ts'
import type { Sales } from './sales.service.ts'

/** The columns of the report. They have the names of the API fields. */
const ROW_COLUMNS = ['key', 'label', ...SALES_FIGURES] as const satisfies readonly (keyof SalesRow)[]

const LINE_COLUMNS = [
  'at',
  'order_number',
  'sku',
  'name',
  ...LINE_FIGURES,
] as const satisfies readonly (keyof Sale)[]

const toCsv = <Column extends string>(
  columns: readonly Column[],
  rows: readonly Readonly<Record<Column, CsvCell>>[],
): string => csvHeader(columns) + rows.map((row) => csvLine(columns.map((column) => row[column]))).join('')

/** Sends a CSV file. The values in `of` become part of its name. */
const sendCsv = (reply: FastifyReply, csv: string, of: readonly (string | undefined)[]) =>
  reply
    .headers({
      'content-disposition': `attachment; filename="${['pegasus-ops-sales', ...of].filter(Boolean).join('-')}.csv"`,
    })
    .type('text/csv; charset=utf-8')
    .send(csv)

/** Returns whether a client accepts CSV and does not mention JSON. */
const prefersCsv = (accept: string | undefined): boolean =>
  /\btext\/csv\b/i.test(accept ?? '') && !/\bapplication\/json\b/i.test(accept ?? '')

export function addSalesRoutes(endpoints: Endpoints, { sales }: { sales: Sales }): void {
  endpoints.add(getSalesReport, async ({ query: { by, time_zone: timeZone, from, to }, request, reply }) => {
    const rows = await sales.report(by, { from, to, timeZone })
    reply.header('vary', 'accept')
    if (!prefersCsv(request.headers.accept)) return rows
    return sendCsv(reply, toCsv(ROW_COLUMNS, rows), [by, from, to])
  })

  endpoints.add(listSales, async ({ query, request, reply }) => {
    const { by, key, figure, time_zone: timeZone, from, to } = query
    const isCsv = prefersCsv(request.headers.accept)
    const lines = await sales.list(
      { by, key, figure, limit: isCsv ? null : MAX_SALES },
      { from, to, timeZone },
    )
    reply.header('vary', 'accept')
    if (!isCsv) return lines
    return sendCsv(reply, toCsv(LINE_COLUMNS, lines), ['lines', figure, from, to])
  })

  endpoints.add(getOrderEarnings, async ({ params }) => sales.ofOrder(params.id))
}
