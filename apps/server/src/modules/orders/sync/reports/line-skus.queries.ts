import type { Queryable } from '../../../../platform/database/database.ts'
import { storedSkusOf } from '../../intake/line-skus.ts'

/** Returns the SKUs under which the lines of a shop's order are stored, by the shop's ids of the lines. */
export async function findLineSkus(sql: Queryable, orderId: string): Promise<Record<string, string>> {
  const [row] = await sql<
    Parameters<typeof storedSkusOf>[0][]
  >`select source_told from orders where id = ${orderId}`
  return (row && storedSkusOf(row)) ?? {}
}
