import { SENT_NOTE, WITHDRAWN_NOTE } from '@pegasus/contracts/orders/shop-notes'
import type { AuditContext } from '../../../platform/actor.ts'
import type { TransactionSql } from '../../../platform/database/database.ts'
import { bookSentPieces, sentPiecesNote } from '../handling/shop-shipments.ts'
import { withdrawnNote } from '../handling/withdrawn-pieces.ts'
import { type OrderRow, findOrder } from '../orders.queries.ts'
import { type KnownOrder, hasShopProblem, lockOrder, replaceShopProblem } from './order-intake.queries.ts'
import type { ReceivedOrder } from './received-order.ts'
import { REFUSED_PRICES, findRefusedPrices, refusedPricesNote, refusedPricesOf } from './refused-prices.ts'
import { type SentPieces, sentPiecesOf } from './sent-pieces.ts'

/**
 * Returns the problem of a saved order, a text for people about differences from its shop, and facts to store in
 * `source_told`. `known` is the order before the change. `refundedSkus` are the SKUs of lines whose pieces were all
 * refunded.
 */
export async function findShopProblem(
  tx: TransactionSql,
  {
    row,
    known,
    received: { lines },
    refundedSkus,
    sent,
  }: {
    row: OrderRow
    known: KnownOrder | null
    received: Pick<ReceivedOrder, 'lines'>
    refundedSkus: readonly string[]
    sent: readonly SentPieces[]
  },
): Promise<{ problem: string | null; facts: Readonly<Record<string, unknown>> }> {
  // The sales report keeps the price at which pieces were shipped. The shop's new price is only displayed.
  const refused = !known ? [] : lines ? findRefusedPrices(lines, known, refundedSkus) : refusedPricesOf(known)
  const note = refusedPricesNote(refused, row)
  const notes = [note, await sentPiecesNote(tx, row.id, sent), await withdrawnNote(tx, row.id)]
  // Each note is on a line of its own, so that the page can translate it.
  const problem = notes.filter(Boolean).join('\n') || null
  const facts = {
    ...(note !== null && { [REFUSED_PRICES]: refused }),
    ...(note === null && known && refusedPricesOf(known).length > 0 && { [REFUSED_PRICES]: null }),
  }
  return { problem, facts }
}

/** Books pieces that the shop sent, for lines whose SKU was unknown until now. */
export async function bookMappedPieces(tx: TransactionSql, orderId: string, by: AuditContext): Promise<void> {
  const known = await lockOrder(tx, orderId)
  const sent = known ? sentPiecesOf(known) : []
  if (!known || sent.length === 0) return
  await bookSentPieces(tx, orderId, { sent, isHistory: false }, by)
  await refreshSentNote(tx, orderId)
}

/** Updates the notes about pieces that the shop's own staff sent or took back, after the order has changed here. */
export async function refreshSentNote(tx: TransactionSql, orderId: string): Promise<void> {
  const isNoted =
    (await hasShopProblem(tx, orderId, SENT_NOTE)) || (await hasShopProblem(tx, orderId, WITHDRAWN_NOTE))
  if (!isNoted) return
  const known = await lockOrder(tx, orderId)
  const row = await findOrder(tx, orderId)
  if (!known || !row) return
  const details = { row, known, received: { lines: undefined }, refundedSkus: [], sent: sentPiecesOf(known) }
  const { problem } = await findShopProblem(tx, details)
  await replaceShopProblem(tx, orderId, problem)
}
