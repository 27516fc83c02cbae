import type { Row } from '../../../../platform/database/column-types.ts'
import type { Queryable } from '../../../../platform/database/database.ts'
import { type SentPieces, sumBySku } from '../../intake/sent-pieces.ts'

/** Pieces of an ignored line that the shop counts as sent because of a report. */
export type ReportedIgnored = Row<'order_lines', 'id' | 'sku' | 'quantity'>

/**
 * Called before a report that completes an order. Saves that the shop may then count the pieces of ignored lines as
 * sent, although they were not shipped here. The report may reach the shop although its response is lost. Returns the
 * pieces that were not saved before.
 */
export const saveReportedIgnored = (sql: Queryable, orderId: string, now: Date): Promise<ReportedIgnored[]> =>
  sql<ReportedIgnored[]>`
    update order_lines l
    set told_ignored_quantity = l.quantity - l.shipped_quantity, told_ignored_at = ${now}
    from (select id, told_ignored_quantity from order_lines where order_id = ${orderId}) earlier
    where earlier.id = l.id and l.ignored_at is not null
      and l.quantity - l.shipped_quantity > earlier.told_ignored_quantity
    returning l.id, l.sku, l.told_ignored_quantity - earlier.told_ignored_quantity as quantity`

/** Returns the pieces of ignored lines that the shop may count as sent because of our reports, by SKU in capitals. */
export async function readReportedIgnored(sql: Queryable, orderId: string): Promise<Map<string, number>> {
  const lines = await sql<ReportedIgnored[]>`
    select id, sku, told_ignored_quantity as quantity from order_lines
    where order_id = ${orderId} and told_ignored_quantity > 0`
  return sumBySku(lines)
}

/** Distributes the pieces of `sums` (by SKU in capitals) to the lines, and returns how many each line gets. */
function countAmong(lines: readonly ReportedIgnored[], sums: ReadonlyMap<string, number>) {
  const left = new Map(sums)
  return lines.map(({ id, sku, quantity }) => {
    const among = Math.min(quantity, left.get(sku.toUpperCase()) ?? 0)
    left.set(sku.toUpperCase(), (left.get(sku.toUpperCase()) ?? 0) - among)
    return { id, quantity, among }
  })
}

/**
 * Removes those of the saved pieces that the report did not make the shop count as sent. `added` are the pieces that it
 * did.
 */
export async function dropUnreportedIgnored(
  sql: Queryable,
  reported: readonly ReportedIgnored[],
  added: readonly SentPieces[],
): Promise<void> {
  const counted = countAmong(reported, sumBySku(added))
  await lowerReportedIgnored(
    sql,
    counted.map(({ id, quantity, among }) => ({ id, quantity: quantity - among })),
  )
}

/** Removes saved pieces that the shop no longer counts as sent. `falls` are their numbers by SKU in capitals. */
export async function dropWithdrawnIgnored(
  tx: Queryable,
  orderId: string,
  falls: ReadonlyMap<string, number>,
): Promise<void> {
  const lines = await tx<ReportedIgnored[]>`
    select id, sku, told_ignored_quantity as quantity from order_lines
    where order_id = ${orderId} and told_ignored_quantity > 0 order by position`
  const counted = countAmong(lines, falls)
  await lowerReportedIgnored(
    tx,
    counted.map(({ id, among }) => ({ id, quantity: among })),
  )
}

async function lowerReportedIgnored(
  tx: Queryable,
  lines: readonly { id: string; quantity: number }[],
): Promise<void> {
  const lowered = lines.filter(({ quantity }) => quantity > 0)
  if (lowered.length === 0) return
  await tx`
    update order_lines l set told_ignored_quantity = greatest(0, l.told_ignored_quantity - gone.quantity)
    from unnest(${lowered.map(({ id }) => id)}::uuid[], ${lowered.map(({ quantity }) => quantity)}::int[]) as gone (id, quantity)
    where l.id = gone.id`
}
