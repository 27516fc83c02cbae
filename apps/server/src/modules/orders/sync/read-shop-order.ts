import { isDeepStrictEqual } from 'node:util'
import {
  ORDER_NUMBER_MAX_LENGTH,
  type ReceiveOrderBody,
  receiveOrderBody,
} from '@pegasus/contracts/orders/order-body'
import type { ShopOrder } from '../../products/index.ts'
import { type AfterRefund, readAfterRefunds } from '../intake/refund-days.ts'
import {
  type LineSku,
  readLineIds,
  readLineSkus,
  sentFactsOf,
  storedSkusOf,
  withStoredSkus,
} from '../intake/line-skus.ts'
import { isMoneyReturned } from '../intake/order-intake.queries.ts'
import { isSentAnew } from '../intake/received-order.ts'
import {
  type NamedPieces,
  countedPieces,
  findSentFault,
  readNamedPieces,
  sentPiecesOf,
} from '../intake/sent-pieces.ts'
import type { SentOrder } from './order-sync.queries.ts'
import { refusalSentence } from './refusal-sentence.ts'

/** The result of checking an order of a shop: either a body, or the reason why the order cannot be received. */
export type ReadShopOrder =
  | {
      body: ReceiveOrderBody
      changedAt: Date | null
      refundedSkus: string[]
      sentPieces: NamedPieces[]
      lines: LineSku[]
      lineIds: (string | null)[]
      isStatusUnknown: boolean
      isMoneyReturned: boolean
      keptAfter: AfterRefund[]
      discountAfter: AfterRefund[]
      /**
       * The shop's id of an order that must be read again, because the shop did not show its refunds. Otherwise null.
       */
      idToRead: string | null
    }
  | {
      /** The name of the order for people: its number or, if it has none, the shop's id. */
      shownNumber: string | null
      number: string | null
      externalId: string | null
      changedAt: Date | null
      detail: string
      /** The shop's id of an order that must be read again because the fault may be temporary. Otherwise null. */
      idToRead: string | null
    }

/** Returns an id or a number from a shop as text that the database can store, or null if there is none. */
const nameIn = (value: unknown): string | null =>
  (typeof value === 'string' ? value : '')
    .toWellFormed()
    .replace(/\p{Cc}/gu, '')
    .trim()
    .slice(0, ORDER_NUMBER_MAX_LENGTH)
    .toWellFormed() || null

/** Returns an imported order as JSON in the format that shops send, or null if it cannot be stored. */
export function sentOrderOf({ body, ...facts }: Extract<ReadShopOrder, { body: unknown }>) {
  const text = JSON.stringify({ ...body, ...sentFactsOf(facts) })
  return text.includes('\\u0000') ? null : (JSON.parse(text) as Record<string, unknown>)
}

const momentOf = (value: unknown): Date | null => {
  const moment = typeof value === 'string' ? new Date(value) : null
  return moment && !Number.isNaN(moment.getTime()) ? moment : null
}

/**
 * Checks an order from a shop by the rules of `POST /api/integration/orders`. Returns an error message if the
 * order breaks them.
 */
export function readShopOrder(order: ShopOrder): ReadShopOrder {
  const parsed = receiveOrderBody.safeParse(order)
  const { order_number: number, refunded_skus: refunded, sent_pieces: sent, fault } = order
  const changedAt = momentOf(order['changed_at'])
  const sentFault = findSentFault(sent)
  if (parsed.success && typeof fault !== 'string' && sentFault === null)
    return {
      body: parsed.data,
      changedAt,
      refundedSkus: Array.isArray(refunded) ? refunded.filter((sku) => typeof sku === 'string') : [],
      sentPieces: readNamedPieces(sent),
      lines: readLineSkus(order['line_skus']),
      lineIds: readLineIds(order['line_ids']),
      isStatusUnknown: order['is_status_unknown'] === true,
      isMoneyReturned: order['is_money_returned'] === true,
      keptAfter: readAfterRefunds(order['kept_after']),
      discountAfter: readAfterRefunds(order['discount_after']),
      idToRead: order['must_read_again'] === true ? (parsed.data.external_id ?? null) : null,
    }
  const issue = parsed.error?.issues[0] ?? sentFault
  const detail = typeof fault === 'string' ? fault : issue && refusalSentence(issue)
  const known = receiveOrderBody.shape.order_number.safeParse(number)
  const externalId = nameIn(order['external_id'])
  return {
    shownNumber: nameIn(number) ?? externalId,
    number: known.data ?? null,
    externalId,
    changedAt,
    detail: detail ?? 'This is not an order.',
    idToRead: order['is_fault_passing'] === true ? externalId : null,
  }
}

/**
 * Returns whether an order equals the version that its shop sent last. Receiving it again would then change nothing.
 * Returns false for an order that must be read again, because receiving it saves that. Also returns false if the whole
 * total was refunded but an earlier version did not book that.
 */
export function isAsSent(read: ReadShopOrder, sent: SentOrder | undefined): boolean {
  if (!('body' in read) || read.idToRead !== null || !sent?.source_told) return false
  if (read.isMoneyReturned && !isMoneyReturned(sent)) return false
  const stored = storedSkusOf(sent)
  if (read.lines.some(({ lineId }) => stored?.[lineId] === undefined)) return false
  const { body: all, changedAt, sentPieces } = withStoredSkus(read, read.lines, sent).order
  const { order_number: _, ...body } = all
  return (
    !isSentAnew({ body, changedAt }, sent) &&
    isDeepStrictEqual(countedPieces(sentPieces, sentPiecesOf(sent)), sentPiecesOf(sent))
  )
}

/**
 * Returns the time up to which a page contains all changes. Returns null if that is unknown, because the orders are not
 * sorted by the time of their change, or lack such a time.
 */
export function endOf(orders: readonly ShopOrder[]): Date | null {
  let end: Date | null = null
  for (const order of orders) {
    const changedAt = momentOf(order['changed_at'])
    if (changedAt === null || (end && changedAt < end)) return null
    end = changedAt
  }
  return end
}
