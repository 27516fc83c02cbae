import type { IntegrationOrder } from '@pegasus/contracts/integration'
import type { CreateOrderBody, ReceiveOrderBody, UpdateOrderBody } from '@pegasus/contracts/orders/order-body'
import type { Order } from '@pegasus/contracts/orders/orders'
import { isFinishedOrder, isOpenOrder } from '@pegasus/contracts/statuses'
import type { AuditContext } from '../../../platform/actor.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database, TransactionSql } from '../../../platform/database/database.ts'
import { AppError, orThrow } from '../../../platform/errors/app-error.ts'
import { type HttpResult, type IdempotentCaller, writeOnce } from '../../../platform/http/idempotency.ts'
import { writeAudit } from '../../audit/index.ts'
import { publish } from '../../events/index.ts'
import { moveDueDates } from '../../print-queue/index.ts'
import { type MainSite, noteShopChange } from '../../products/index.ts'
import { linkFoundItems } from '../skus/link-found-items.ts'
import {
  type KnownOrder,
  announceOrder,
  findDeletedHere,
  isCompletedByReport,
  lockExternalId,
  lockOrder,
  lockOrderByNumber,
  lockOrderNumber,
  lockShopOrder,
  updateOrder,
  saveSourceFields,
} from './order-intake.queries.ts'
import { followCancelledParcels, followSentCounts } from '../handling/withdrawn-pieces.ts'
import { bookHistory, bookSentPieces } from '../handling/shop-shipments.ts'
import { type PresentOrder, presentIntegrationOrder } from '../orders.present.ts'
import { type OrderRow, findOrder, isSentOnlyInShop } from '../orders.queries.ts'
import { createOrder } from '../orders.service.ts'
import { type ShopFacts, lineFactsOf, sentFactsOf, withStoredSkus } from './line-skus.ts'
import { saveWaitingChange } from './waiting-changes.ts'
import { skipNeverKnown, skipRemoved } from './never-known-orders.ts'
import { saveRefundDays } from './refund-days.ts'
import { bookReturnedMoney, withoutWithdrawnRefund } from './returned-money.ts'
import { replaceLines } from './replace-lines.ts'
import { settle, settleLines } from './settle-order.ts'
import { auditChange, auditOrder } from './audited-order.ts'
import {
  assertNotSent,
  assertNothingTakenBack,
  certainPart,
  factsOfCancelled,
  isOutdated,
} from './order-conflicts.ts'
import { SENT_PIECES, type NamedPieces, countedPieces, hasSentPieces, sentPiecesOf } from './sent-pieces.ts'
import { findShopProblem } from './shop-problem.ts'
import { findLineChanges, hasMorePieces, hasWork } from './line-changes.ts'
import {
  type OrderBody,
  type ReceivedOrder,
  type Sent,
  assertKeptMoney,
  findChanges,
  changedFieldsOf,
  isHeldByShop,
  isOpenedByShop,
  isSentAnew,
  newLineOf,
  readEditedOrder,
  readEnteredOrder,
  readReceivedOrder,
  storedAddress,
  sumOf,
  sourceFieldsOf,
  withoutOldStatus,
} from './received-order.ts'

/** The source of an order. */
type Source = 'integration' | 'main_site' | 'manual'

/** Receives orders from shops and from people who enter or edit an order by hand. */
export interface OrderIntake {
  /**
   * Adds an order (status 201). If an order with this number exists, changes the fields that differ (status 200), or
   * writes nothing if no field differs. Throws ORDER_INVALID for an invalid amount, CONFLICT for an order in another
   * currency, or IDEMPOTENCY_KEY_REUSED.
   */
  receive(order: ReceiveOrderBody, by: IdempotentCaller): Promise<HttpResult<IntegrationOrder>>
  /**
   * Receives an order of the main site like `receive`. Also throws CONFLICT if another order has the number.
   * - Ignores an order that was deleted here, an order that was cancelled before it was known here, and a change that
   *   is older than the last known one (`changedAt`).
   * - Books `sentPieces` of the shop's staff as shipped. Lines keep their stored SKU if the shop derives another
   *   (`lines`).
   * - `isEvent`: an event with the time of the last known change may be older than it. So it lowers no number of sent
   *   pieces, and opens no cancelled order.
   * - `isHistory`: a new order that is completed or has an unknown status counts as completed, and takes no stock.
   */
  take(
    order: ReceiveOrderBody,
    shop: ShopFacts & { isHistory: boolean; isEvent: boolean },
    by: AuditContext,
  ): Promise<'created' | 'updated' | 'unchanged'>
  /**
   * Cancels an unfinished order of the main site that the shop has deleted. The history shows the reason. Returns
   * whether there was such an order.
   */
  cancelRemoved(externalId: string, reason: string, by: AuditContext): Promise<boolean>
  /** Adds an order that a person enters. Throws ORDER_INVALID, or ORDER_NUMBER_TAKEN, which comes from the database. */
  enter(order: CreateOrderBody, by: IdempotentCaller): Promise<HttpResult<Order>>
  /**
   * Changes the fields that a person edits, and adapts the total. Throws ORDER_NOT_FOUND, PRECONDITION_FAILED,
   * ORDER_INVALID, or CONFLICT if shipped pieces would no longer be ordered, or get another price or discount.
   */
  edit(id: string, change: UpdateOrderBody, revision: number | null, by: AuditContext): Promise<OrderRow>
}

export function createOrderIntake(deps: {
  database: Database
  clock: Clock
  currency: string
  /** The kind of the main site, or null without a main site. */
  shopKind: MainSite['kind'] | null
  present: PresentOrder
}): OrderIntake {
  const { database, clock, currency, shopKind, present } = deps

  const getRow = async (tx: TransactionSql, id: string) => orThrow(await findOrder(tx, id), 'ORDER_NOT_FOUND')

  const add = async (
    tx: TransactionSql,
    body: OrderBody & { order_number?: string | undefined },
    received: ReceivedOrder,
    { source, isHistory = false }: { source: Source; isHistory?: boolean | undefined },
    by: AuditContext,
  ): Promise<OrderRow> => {
    const { lines = [], amounts } = received
    const id = await createOrder(
      tx,
      {
        orderNumber: body.order_number ?? '',
        customerName: body.customer_name ?? '',
        customerEmail: body.customer_email ?? null,
        shippingAddress: storedAddress(body.shipping_address) ?? null,
        ...(isHistory ? { status: 'completed' } : body.status && { status: body.status }),
        totalMinor: amounts.total_minor ?? sumOf(received, currency),
        shippingMinor: amounts.shipping_minor ?? null,
        surchargeMinor: amounts.surcharge_minor ?? null,
        keptMinor: amounts.kept_minor ?? null,
        taxMinor: amounts.tax_minor ?? null,
        discountMinor: amounts.discount_minor ?? null,
        feeMinor: amounts.fee_minor ?? null,
        currency,
        ...(body.placed_at && { placedAt: new Date(body.placed_at) }),
        dueAt: body.due_at ? new Date(body.due_at) : null,
        source,
        externalId: body.external_id ?? null,
        isHistory,
        notes: body.notes ?? null,
        lines: lines.map(newLineOf),
      },
      by,
    )
    await auditOrder(tx, 'order.created', { after: await getRow(tx, id) }, by)
    if (body.status && !isHistory) await settle(tx, id, body.status, by)
    return getRow(tx, id)
  }

  const update = async (
    tx: TransactionSql,
    body: OrderBody,
    { amounts, lines }: ReceivedOrder,
    stored: KnownOrder,
    by: AuditContext,
    sent: Sent | null = null,
  ): Promise<OrderRow> => {
    let known = stored
    if (known.currency !== currency)
      throw new AppError('CONFLICT', {
        text: `This order was placed in ${known.currency} and cannot be changed in ${currency}.`,
      })
    const before = await getRow(tx, known.id)
    const hasFoundItem = await linkFoundItems(tx, known)
    const { status: newStatus, ...change } = findChanges(body, amounts, known, sent)
    const isCompletedInShop = sent !== null && newStatus === 'completed'
    // The shop may only repeat our report of a shipment that was undone here since. It has not shipped the order
    // itself.
    const isSentHere = isCompletedInShop && (await isSentOnlyInShop(tx, known.id))
    if (isCompletedInShop && !isSentHere) await assertNothingTakenBack(tx, known)
    // The shop may also repeat our report of an order that was completed here and has been opened again since.
    const isEcho = isSentHere || (isCompletedInShop && isCompletedByReport(known))
    let status = isEcho ? undefined : newStatus
    if (sent && sent.orderNumber !== known.order_number) change.order_number = sent.orderNumber
    if (status === 'cancelled') assertNotSent(known)
    let changes = lines && findLineChanges(lines, known, sent && sent.refundedSkus)
    // If pieces are added to an order from before the stock was kept here, its earlier pieces are booked as shipped
    // first.
    const isOpened = isOpenedByShop(status, known)
    const isFinished = known.is_history && !isOpened && sent?.status !== 'completed'
    if (isFinished && lines && changes && hasMorePieces(changes)) {
      await bookHistory(tx, known, by)
      known = orThrow(await lockOrder(tx, known.id), 'ORDER_NOT_FOUND')
      changes = findLineChanges(lines, known, sent && sent.refundedSkus)
    }
    const hasOtherLines = changes !== undefined && changes.written.length + changes.removed.length > 0
    if (Object.keys(change).length === 0 && status === undefined && !hasOtherLines && !hasFoundItem)
      return before
    if (changes && hasOtherLines) {
      await replaceLines(tx, known, changes, by)
      if (!status) await settleLines(tx, known, sent?.status, by)
    }
    // A cancelled order without pieces to ship or to return is over, so it stays cancelled unless the shop adds pieces.
    const isReopening = status !== undefined && !isFinishedOrder(status) && known.status === 'cancelled'
    if (isReopening && !hasWork(await lockOrder(tx, known.id))) status = undefined
    if (status) await settle(tx, known.id, status, by)
    const opened = isOpened && { is_history: false }
    await updateOrder(tx, known.id, { ...change, ...(status && { status }), ...opened }, by.now)
    if (status && !isFinishedOrder(status) && (isReopening || isHeldByShop(known)))
      await settleLines(tx, { ...known, status }, status, by)
    if (status && isOpenOrder(status) && (isOpened || isHeldByShop(known)))
      await announceOrder(tx, known.id, by.now)
    const after = await getRow(tx, known.id)
    if (after.due_at !== before.due_at)
      await moveDueDates(tx, { orderId: known.id, from: before.due_at, to: after.due_at }, by)
    await auditChange(tx, { before, after, status }, by)
    await publish(tx, { type: 'updated', entity: 'order', id: known.id })
    return after
  }

  /** Saves a received order. `pickChanges` removes the fields that the sender sent with the same value before. */
  const keep = async (
    tx: TransactionSql,
    { order_number: number, ...body }: ReceiveOrderBody,
    stored: KnownOrder | null,
    {
      source,
      changedAt,
      refundedSkus,
      lineIds,
      sentPieces: toldPieces,
      isHistory = false,
      isOld = false,
      lineSkus = {},
      pickChanges,
    }: Pick<ShopFacts, 'changedAt' | 'refundedSkus' | 'lineIds'> & {
      source: Source
      /** Undefined if the sender does not report the numbers of sent pieces. */
      sentPieces?: readonly NamedPieces[]
      isHistory?: boolean
      /** Whether a new order counts as finished before the shop's first comparison, so that it takes no stock. */
      isOld?: boolean
      /** The SKUs under which lines are stored, by the shop's id of the line. */
      lineSkus?: Readonly<Record<string, string>>
      pickChanges: typeof changedFieldsOf
    },
    by: AuditContext,
  ): Promise<OrderRow> => {
    const sentPieces = toldPieces && countedPieces(toldPieces, stored ? sentPiecesOf(stored) : [])
    const before = stored && sentPieces ? await followCancelledParcels(tx, stored, changedAt) : []
    const told: Sent = { orderNumber: number, status: body.status, refundedSkus, changedAt }
    // If the shop has completed the order, it has sent all pieces, even if it counts fewer.
    const known =
      stored && sentPieces && body.status !== 'completed'
        ? await followSentCounts(tx, stored, { before, next: sentPieces, told }, by)
        : stored
    const news = known ? pickChanges(body, known.source_told, lineIds) : { ...body, order_number: number }
    const received = readReceivedOrder(news, currency, lineIds)
    let row = known
      ? await update(tx, news, received, known, by, told)
      : await add(tx, news, received, { source, isHistory: isOld }, by)
    const sent = sentPieces ?? (known ? sentPiecesOf(known) : [])
    // An earlier version received the order without reading its sent pieces. So they were sent before the last stock
    // count.
    const isEarlier = known ? sentPieces !== undefined && !hasSentPieces(known) : isHistory
    if (await bookSentPieces(tx, row.id, { sent, isHistory: isEarlier }, by)) row = await getRow(tx, row.id)
    const { problem, facts } = await findShopProblem(tx, { row, known, received, refundedSkus, sent })
    // Sent pieces are stored even if there are none. If they are missing, an earlier version saved the order.
    const hasRead = sentPieces !== undefined || !known
    const fields = {
      ...sourceFieldsOf(body),
      ...facts,
      ...(hasRead && { [SENT_PIECES]: sent }),
      ...(known && row.status === 'cancelled' && factsOfCancelled(known, sent, told)),
      ...lineFactsOf(lineSkus, lineIds),
    }
    await saveSourceFields(tx, row.id, { fields, changedAt, problem })
    if (problem !== null && row.shop_problem !== problem) {
      await publish(tx, { type: 'updated', entity: 'order', id: row.id })
      row = await getRow(tx, row.id)
    }
    // The shop can change its own stock with each change of an order, even if the order stays the same here.
    if (!known || row.revision !== known.revision || isSentAnew({ body, changedAt }, known)) {
      const itemIds = known?.lines.flatMap(({ item_id: item }) => item ?? []) ?? []
      await noteShopChange(tx, { orderId: row.id, itemIds, now: by.now })
    }
    return row
  }

  return {
    take: (body, { isHistory, isEvent, ...facts }, by) =>
      database.transaction(async (tx) => {
        const { changedAt, refundedSkus, sentPieces, lines } = facts
        const { external_id: externalId = null, order_number: orderNumber } = body
        await lockOrderNumber(tx, orderNumber)
        if (externalId !== null) await lockExternalId(tx, externalId)
        const name = { externalId, orderNumber }
        let found = await lockShopOrder(tx, name)
        const deletedId = found ? null : await findDeletedHere(tx, name)
        if (deletedId !== null) {
          if (await saveWaitingChange(tx, deletedId, { ...body, ...sentFactsOf(facts) }, by.now)) {
            await noteShopChange(tx, { orderId: deletedId, now: by.now })
            return 'unchanged'
          }
          found = await lockShopOrder(tx, name)
        }
        if (!found && (await skipNeverKnown(tx, body, { changedAt, now: by.now }))) return 'unchanged'
        if (found && changedAt && isOutdated(found, changedAt)) return 'unchanged'
        if (!found && (await lockOrderByNumber(tx, orderNumber)))
          throw new AppError('CONFLICT', { text: `Another order has the number ${orderNumber}.` })
        const { order: receivedOrder, lineSkus } = withStoredSkus(
          { body, refundedSkus, sentPieces },
          lines,
          found,
        )
        const order = isEvent && found ? certainPart(receivedOrder, found, changedAt) : receivedOrder
        const way = {
          ...facts,
          source: 'main_site',
          refundedSkus: order.refundedSkus,
          sentPieces: order.sentPieces,
          isHistory,
          // Finished orders with a status of a plugin would otherwise appear as open work when a shop is connected.
          isOld: isHistory && (body.status === 'completed' || facts.isStatusUnknown),
          lineSkus,
          pickChanges: changedFieldsOf,
        } as const
        let row = await keep(tx, order.body, await withoutWithdrawnRefund(tx, found, facts), way, by)
        if (facts.isMoneyReturned) row = (await bookReturnedMoney(tx, row.id, by)) ?? row
        await saveRefundDays(tx, row.id, facts, currency)
        if (!found) return 'created'
        return row.revision === found.revision ? 'unchanged' : 'updated'
      }),

    cancelRemoved: (externalId, reason, by) =>
      database.transaction(async (tx) => {
        await lockExternalId(tx, externalId)
        const known = await lockShopOrder(tx, { externalId, orderNumber: null })
        if (!known) return skipRemoved(tx, externalId, by.now)
        const status = 'cancelled'
        if (isFinishedOrder(known.status)) {
          const isNews = known.status === status && known.source_told?.['status'] !== status
          if (isNews) await noteShopChange(tx, { orderId: known.id, now: by.now })
          if (isNews) await saveSourceFields(tx, known.id, { fields: { status }, changedAt: by.now })
          return false
        }
        await settle(tx, known.id, status, by)
        await updateOrder(tx, known.id, { status }, by.now)
        await noteShopChange(tx, { orderId: known.id, now: by.now })
        // Events that the shop sent before the deletion are outdated, so they must not open the order.
        await saveSourceFields(tx, known.id, { fields: { status }, changedAt: by.now })
        const order = { entity: 'order', entityId: known.id, entityName: known.order_number } as const
        await writeAudit(tx, { action: 'order.cancelled', ...order, after: { status, reason } }, by)
        await publish(tx, { type: 'updated', entity: 'order', id: known.id })
        return true
      }),

    receive: (body, by) =>
      writeOnce({ database, clock }, by, ['integration/orders', body], async (tx, { audit }) => {
        const facts = { changedAt: null, refundedSkus: [], lineIds: [], pickChanges: withoutOldStatus }
        await lockOrderNumber(tx, body.order_number)
        const known = await lockOrderByNumber(tx, body.order_number)
        if (body.kept_amount) assertKeptMoney(readReceivedOrder(body, currency).amounts, body, known)
        const row = await keep(tx, body, known, { source: 'integration', ...facts }, audit)
        return {
          status: known ? 200 : 201,
          body: presentIntegrationOrder(row, { now: clock.now(), shopKind }),
        }
      }),

    enter: (body, by) => {
      const received = readEnteredOrder(body, currency)
      return writeOnce({ database, clock }, by, ['orders', body], async (tx, { audit }) => ({
        status: 201,
        body: present(await add(tx, body, received, { source: 'manual' }, audit)),
      }))
    },

    edit: (id, change, revision, by) =>
      database.transaction(async (tx) => {
        const known = await lockOrder(tx, id)
        if (!known) throw new AppError('ORDER_NOT_FOUND')
        if (revision !== null && revision !== known.revision)
          throw new AppError('PRECONDITION_FAILED', { body: { current: present(await getRow(tx, id)) } })
        return update(tx, change, readEditedOrder(change, currency, known), known, by)
      }),
  }
}
