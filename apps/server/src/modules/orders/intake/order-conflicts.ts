import { SHOP_NOTES } from '@pegasus/contracts/orders/shop-notes'
import type { TransactionSql } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import { hasReportedShipmentTakenBack } from '../handling/shipments.queries.ts'
import type { KnownOrder } from './order-intake.queries.ts'
import { owedPieces, piecesOut } from './line-changes.ts'
import { type OrderBody, type Sent, isReopened } from './received-order.ts'
import { type NamedPieces, SENT_PIECES, hasSentPieces, sentPiecesOf, withoutFalls } from './sent-pieces.ts'

/** Returns whether the shop has already reported a later change of the order. */
export const isOutdated = ({ source_changed_at: last }: KnownOrder, changedAt: Date): boolean =>
  last !== null && new Date(last) > changedAt

/**
 * Returns the part of an event that can be applied safely. If the last known change has the same time, the event may be
 * the older of the two. It then lowers no number of sent pieces, and opens no cancelled order.
 */
export function certainPart<
  T extends { body: Pick<OrderBody, 'status'>; sentPieces: readonly NamedPieces[] },
>(event: T, order: KnownOrder, changedAt: Date | null): T {
  const { source_changed_at: last } = order
  if (last === null || new Date(last).getTime() !== changedAt?.getTime()) return event
  const { body, sentPieces } = event
  return {
    ...event,
    body: isReopened({ status: body.status, changedAt }, order) ? { ...body, status: undefined } : body,
    sentPieces: withoutFalls(sentPieces, sentPiecesOf(order)),
  }
}

/**
 * Throws CONFLICT if a completed order has shipped pieces that were not returned. The customer has these
 * pieces, so the order cannot be cancelled until they are returned.
 */
export function assertNotSent(order: KnownOrder): void {
  const out = piecesOut(order)
  if (order.status !== 'completed' || out === 0) return
  throw new AppError('CONFLICT', {
    text: `This order was cancelled after ${out === 1 ? '1 piece' : `${out} pieces`} had left. It stays completed until ${out === 1 ? 'it is' : 'they are'} taken back.`,
  })
}

/**
 * Throws CONFLICT if a shipment of the order was undone after its report to the shop had begun, and pieces are left to
 * ship. It is then unclear whether the shop has shipped the order itself, or completed it because of our report.
 */
export async function assertNothingTakenBack(tx: TransactionSql, order: KnownOrder): Promise<void> {
  if (owedPieces(order) === 0 || !(await hasReportedShipmentTakenBack(tx, order.id))) return
  throw new AppError('CONFLICT', { text: SHOP_NOTES.piecesLeft() })
}

/**
 * Returns the facts to store from a message about an order that stays cancelled. The shop's cancellation stays stored,
 * so that a later message can open the order. So do the numbers of sent pieces before they fell: a fall is handled when
 * the order is opened.
 */
export const factsOfCancelled = (
  order: KnownOrder,
  sentPieces: readonly NamedPieces[],
  told: Pick<Sent, 'status' | 'changedAt'>,
): Readonly<Record<string, unknown>> => ({
  ...(isReopened(told, order) && { status: 'cancelled' }),
  ...(hasSentPieces(order) && { [SENT_PIECES]: withoutFalls(sentPieces, sentPiecesOf(order)) }),
})
