import type { Row } from '../../../../platform/database/column-types.ts'
import type { Queryable } from '../../../../platform/database/database.ts'
import { firstRow } from '../../../../platform/database/first-row.ts'
import type { StoredLines } from '../../../products/index.ts'
import { storedSkusOf } from '../../intake/line-skus.ts'

/** Returns the lines of an order in the form that reports to the shop need. */
export async function findStoredLines(sql: Queryable, orderId: string): Promise<StoredLines> {
  const row = await firstRow(
    sql<(Row<'orders', 'source_told'> & Pick<StoredLines, 'ordered'>)[]>`
      select source_told, coalesce((
        select jsonb_agg(jsonb_build_object('sku', sku, 'quantity', quantity)) from (
          select sku, sum(quantity)::float8 as quantity from order_lines
          where order_id = orders.id and set_line_id is null group by sku
        ) lines
      ), '[]') as ordered
      from orders where id = ${orderId}`,
  )
  return { ordered: row?.ordered ?? [], line_skus: (row && storedSkusOf(row)) ?? {} }
}
