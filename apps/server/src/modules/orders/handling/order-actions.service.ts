import type { AuditAction } from '@pegasus/contracts/audit'
import type { BookedReturn, LinePart, ReturnBody, ShipBody } from '@pegasus/contracts/orders/order-changes'
import type { Order } from '@pegasus/contracts/orders/orders'
import { isFinishedOrder, isOpenOrder } from '@pegasus/contracts/statuses'
import { v7 as uuidv7 } from 'uuid'
import type { AuditContext } from '../../../platform/actor.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database, TransactionSql } from '../../../platform/database/database.ts'
import { AppError, orThrow } from '../../../platform/errors/app-error.ts'
import {
  type HttpResult,
  type IdempotentCaller,
  writeBodyOnce,
  writeOnce,
} from '../../../platform/http/idempotency.ts'
import { trashCutoff } from '../../../platform/trash.ts'
import { writeAudit } from '../../audit/index.ts'
import { publish } from '../../events/index.ts'
import {
  type KnownOrder,
  isCancellationRefused,
  refusedAt,
  lockOrder,
  saveSourceFields,
  updateOrder,
} from '../intake/order-intake.queries.ts'
import { findUnshippedRefunds, piecesOut } from '../intake/line-changes.ts'
import { readPostage } from '../intake/received-order.ts'
import { replaceLines } from '../intake/replace-lines.ts'
import { bookMappedPieces, refreshSentNote } from '../intake/shop-problem.ts'
import {
  type PartOfLine,
  byItem,
  findParts,
  pieceLinesOf,
  releaseParts,
  releaseRest,
  remainingOf,
  reserveParts,
  shipParts,
  titleOf,
  auditItems,
} from './order-stock.ts'
import { STATUS_WORDS, assertDeletable, assertLastShipment, assertOpen, refuse } from './order-refusals.ts'
import { isShort, lockNeededItems, reserveAllocated } from './reserve-allocated.ts'
import { insertReturns } from './returns.queries.ts'
import { takeLinesBack, takeShipmentBack, undoReturnedPieces } from './take-back.ts'
import type { PresentOrder } from '../orders.present.ts'
import type { ShopOrderIntake } from '../sync/shop-orders.service.ts'
import { askToReportCompletion } from '../sync/reports/completions.queries.ts'
import { linkFoundItems } from '../skus/link-found-items.ts'
import { applySkuMappings } from '../skus/sku-mappings.queries.ts'
import { type OrderRow, findOrder, listWaitingJobs, setOrderDeleted } from '../orders.queries.ts'
import { advanceOrder, clearPiecesLeftProblem } from './shipments.queries.ts'

/** The actions that can also run on many orders, or inside a transaction of the caller. */
export interface OrderSteps {
  /**
   * Reserves the free pieces that are not promised to earlier orders. `isReserved` is true if at least one
   * piece was reserved.
   */
  reserveAllocated(id: string, by: AuditContext): Promise<{ row: OrderRow; isReserved: boolean }>
  /** Releases all reserved pieces. */
  releaseAll(id: string, by: AuditContext): Promise<OrderRow>
  /**
   * Ships all pieces that are left to ship, without a tracking number. If the order is short, because earlier orders
   * get the pieces, ships nothing, and `isShipped` is false.
   */
  shipAllocated(id: string, by: AuditContext): Promise<{ row: OrderRow; isShipped: boolean }>
  hold(id: string, by: AuditContext): Promise<OrderRow>
  resume(id: string, by: AuditContext): Promise<OrderRow>
  cancel(id: string, by: AuditContext): Promise<OrderRow>
  /** Moves an order to the trash. Returns the ids of its waiting print jobs. Throws PRECONDITION_FAILED. */
  remove(id: string, revision: number | null, by: AuditContext): Promise<string[]>
  /** Restores an order from the trash. Throws ORDER_NUMBER_TAKEN. */
  restore(id: string, by: AuditContext): Promise<OrderRow>
}

/**
 * Actions that people take on an order. Each one returns the changed order. Each one throws ORDER_NOT_FOUND,
 * and ORDER_STATE with the reason if the order's state does not allow it.
 */
export interface OrderActions extends OrderSteps {
  /**
   * Returns the same steps for a transaction of the caller. After the transaction of a `restore`, the caller must apply
   * the changes that the shop has sent in the meantime.
   */
  within(tx: TransactionSql): OrderSteps
  /**
   * Reserves pieces. Without `parts`, reserves all free pieces that the order needs. Throws STOCK_NOT_FREE or
   * ORDER_INVALID, and then reserves nothing. Throws IDEMPOTENCY_KEY_REUSED.
   */
  reserve(id: string, parts: readonly LinePart[] | undefined, by: IdempotentCaller): Promise<Order>
  /**
   * Releases reserved pieces. Without `parts`, releases all of them. Throws STOCK_NOT_RESERVED, ORDER_INVALID or
   * IDEMPOTENCY_KEY_REUSED.
   */
  release(id: string, parts: readonly LinePart[] | undefined, by: IdempotentCaller): Promise<Order>
  /**
   * Ships pieces. If `body` names no items, ships all pieces that are left to ship. Throws STOCK_NOT_FREE or
   * ORDER_INVALID, and then ships nothing.
   */
  ship(id: string, body: ShipBody | null | undefined, by: IdempotentCaller): Promise<HttpResult<Order>>
  /**
   * Undoes a shipment. Throws ORDER_INVALID if the order has no such shipment, or ORDER_STATE if pieces of its lines
   * were returned in the meantime.
   */
  undoShipment(id: string, shipmentId: string, by: AuditContext): Promise<OrderRow>
  /**
   * Undoes a return that was booked by mistake. An order that was cancelled because of the return stays cancelled.
   * Throws ORDER_INVALID if the order has no such return, or ORDER_STATE if its pieces are no longer free in the stock.
   */
  undoReturn(id: string, returnId: string, by: AuditContext): Promise<OrderRow>
  /**
   * Books returned pieces. Throws IDEMPOTENCY_KEY_REUSED, or ORDER_INVALID if more pieces are returned than were
   * shipped.
   */
  takeBack(id: string, items: ReturnBody['items'], by: IdempotentCaller): Promise<BookedReturn>
  /** Completes an order and releases its reserved pieces. `closeShort` allows this although pieces are left to ship. */
  complete(id: string, closeShort: boolean, by: AuditContext): Promise<OrderRow>
  /**
   * Restores an order from the trash, and applies the changes that its shop has sent in the meantime. Throws
   * ORDER_NUMBER_TAKEN.
   */
  restore(id: string, by: AuditContext): Promise<OrderRow>
}

export function createOrderActions(deps: {
  database: Database
  clock: Clock
  present: PresentOrder
  /** Applies the changes that the shop sent while an order was in the trash. */
  catchUp: ShopOrderIntake['catchUp']
}): OrderActions {
  const { database, clock, present, catchUp } = deps

  const lock = async (tx: TransactionSql, id: string) => orThrow(await lockOrder(tx, id), 'ORDER_NOT_FOUND')
  const readOrder = async (tx: TransactionSql, id: string) =>
    orThrow(await findOrder(tx, id), 'ORDER_NOT_FOUND')

  /** Writes the audit entry and publishes the change of the order. */
  const recordChange = async (
    tx: TransactionSql,
    action: AuditAction,
    id: string,
    details: object,
    by: AuditContext,
  ): Promise<OrderRow> => {
    const row = await readOrder(tx, id)
    const order = { entity: 'order', entityId: id, entityName: row.order_number } as const
    await writeAudit(tx, { action, ...order, after: { status: row.status, ...details } }, by)
    await publish(tx, { type: 'updated', entity: 'order', id })
    return row
  }

  const setStatus = (tx: TransactionSql, id: string, status: OrderRow['status'], by: AuditContext) =>
    updateOrder(tx, id, { status }, by.now)
  const touch = (tx: TransactionSql, id: string, by: AuditContext) => updateOrder(tx, id, {}, by.now)

  /**
   * Cancels an order if the customer has returned all its pieces, and if the shop had cancelled it while the customer
   * still had pieces. Returns null if there is nothing to cancel.
   */
  const cancelIfBack = async (tx: TransactionSql, id: string, by: AuditContext): Promise<OrderRow | null> => {
    const order = await lock(tx, id)
    if (!isCancellationRefused(order) || piecesOut(order) > 0) return null
    await releaseRest(tx, order, undefined, by)
    await setStatus(tx, id, 'cancelled', by)
    await saveSourceFields(tx, id, { fields: { status: 'cancelled' }, changedAt: refusedAt(order) ?? by.now })
    const reason = 'The shop had cancelled this order before its pieces were returned.'
    return recordChange(tx, 'order.cancelled', id, { reason }, by)
  }

  /** Reserves pieces of an open order. `take` reserves them and returns them; this function records them. */
  const reserve = async (
    tx: TransactionSql,
    id: string,
    take: (order: KnownOrder) => Promise<PartOfLine[]>,
    by: AuditContext,
  ): Promise<{ row: OrderRow; isReserved: boolean }> => {
    const order = await lock(tx, id)
    assertOpen(order)
    const done = await take(order)
    if (done.length === 0) return { row: await readOrder(tx, id), isReserved: false }
    await touch(tx, id, by)
    const row = await recordChange(tx, 'order.reserved', id, { items: auditItems(done) }, by)
    return { row, isReserved: true }
  }

  const release = async (
    tx: TransactionSql,
    id: string,
    parts: readonly LinePart[] | undefined,
    by: AuditContext,
  ): Promise<OrderRow> => {
    const done = await releaseParts(tx, await lock(tx, id), parts, by)
    if (done.length === 0) return readOrder(tx, id)
    await touch(tx, id, by)
    return recordChange(tx, 'order.released', id, { items: auditItems(done) }, by)
  }

  const ship = async (
    tx: TransactionSql,
    id: string,
    body: ShipBody | null | undefined,
    by: AuditContext,
  ): Promise<OrderRow> => {
    const order = await lock(tx, id)
    assertOpen(order)
    await assertLastShipment(tx, id, body?.last_shipment_number)
    const all = pieceLinesOf(order).map((line) => ({ line, quantity: remainingOf(line) }))
    const parts = body?.items ? findParts(order, body.items) : all.filter(({ quantity }) => quantity > 0)
    if (parts.length === 0) refuse('There are no pieces left to ship.')
    const { carrier = null, tracking_number = null, tracking_url = null, notify_shop = true } = body ?? {}
    const postage_minor = readPostage(body?.postage_amount, order.currency) ?? null
    await touch(tx, id, by)
    const details = { carrier, tracking_number, tracking_url, postage_minor, notify_shop }
    await shipParts(tx, order, parts, details, by)
    await clearPiecesLeftProblem(tx, id)
    await refreshSentNote(tx, id)
    const shipped = { items: auditItems(parts), carrier, tracking_number, postage_minor }
    return recordChange(tx, 'order.shipped', id, shipped, by)
  }

  /** Returns the steps. Each step runs its work through `transaction`. */
  const stepsIn = (transaction: Database['transaction']): OrderSteps => ({
    reserveAllocated: (id, by) =>
      transaction((tx) => reserve(tx, id, (order) => reserveAllocated(tx, order, by), by)),

    releaseAll: (id, by) => transaction((tx) => release(tx, id, undefined, by)),

    shipAllocated: (id, by) =>
      transaction(async (tx) => {
        const order = await lock(tx, id)
        assertOpen(order)
        await lockNeededItems(tx, order)
        const row = await readOrder(tx, id)
        return isShort(row)
          ? { row, isShipped: false }
          : { row: await ship(tx, id, null, by), isShipped: true }
      }),

    hold: (id, by) =>
      transaction(async (tx) => {
        const order = await lock(tx, id)
        if (order.status === 'on_hold') return readOrder(tx, id)
        assertOpen(order)
        await setStatus(tx, id, 'on_hold', by)
        return recordChange(tx, 'order.held', id, {}, by)
      }),

    resume: (id, by) =>
      transaction(async (tx) => {
        const order = await lock(tx, id)
        if (isOpenOrder(order.status)) return readOrder(tx, id)
        if (order.status !== 'on_hold')
          refuse(`Order ${order.order_number} is ${STATUS_WORDS[order.status]}, not on hold.`)
        await setStatus(tx, id, order.is_begun ? 'in_progress' : 'pending', by)
        return recordChange(tx, 'order.resumed', id, {}, by)
      }),

    cancel: (id, by) =>
      transaction(async (tx) => {
        const order = await lock(tx, id)
        if (order.status === 'completed')
          refuse(`Order ${order.order_number} is completed. Book a return of the pieces instead.`)
        if (order.status !== 'cancelled') {
          await releaseRest(tx, order, undefined, by)
          await setStatus(tx, id, 'cancelled', by)
          await clearPiecesLeftProblem(tx, id)
          await refreshSentNote(tx, id)
          await recordChange(tx, 'order.cancelled', id, {}, by)
        }
        return readOrder(tx, id)
      }),

    remove: (id, revision, by) =>
      transaction(async (tx) => {
        const order = await lock(tx, id)
        if (revision !== null && revision !== order.revision)
          throw new AppError('PRECONDITION_FAILED', { body: { current: present(await readOrder(tx, id)) } })
        await assertDeletable(tx, order)
        await releaseRest(tx, order, undefined, by)
        await setOrderDeleted(tx, id, { deletedAt: by.now, now: by.now, trashedAfter: trashCutoff(by.now) })
        const entityName = order.order_number
        await writeAudit(tx, { action: 'order.deleted', entity: 'order', entityId: id, entityName }, by)
        await publish(tx, { type: 'deleted', entity: 'order', id })
        return listWaitingJobs(tx, id)
      }),

    restore: (id, by) =>
      transaction(async (tx) => {
        const trash = { deletedAt: null, now: by.now, trashedAfter: trashCutoff(by.now) }
        if (!(await setOrderDeleted(tx, id, trash))) throw new AppError('ORDER_NOT_FOUND')
        // Items or mappings for its SKUs may have been added while the order was in the trash.
        await linkFoundItems(tx, await lock(tx, id))
        await applySkuMappings(tx, { orderId: id }, by.now)
        await bookMappedPieces(tx, id, by)
        return recordChange(tx, 'order.restored', id, {}, by)
      }),
  })

  const steps = stepsIn(database.transaction)
  return {
    ...steps,
    within: (tx) => stepsIn((work) => work(tx)),

    reserve: (id, parts, caller) =>
      writeBodyOnce({ database, clock }, caller, ['orders/reserve', id, parts], async (tx, { audit: by }) =>
        present((await reserve(tx, id, (order) => reserveParts(tx, order, parts, by), by)).row),
      ),

    release: (id, parts, caller) =>
      writeBodyOnce({ database, clock }, caller, ['orders/release', id, parts], async (tx, { audit }) =>
        present(await release(tx, id, parts, audit)),
      ),

    ship: (id, body, by) =>
      writeOnce({ database, clock }, by, ['orders/ship', id, body], async (tx, { audit }) => ({
        status: 201,
        body: present(await ship(tx, id, body, audit)),
      })),

    undoShipment: (id, shipmentId, by) =>
      database.transaction(async (tx) => {
        const order = await lock(tx, id)
        if (order.status === 'cancelled') refuse(`Order ${order.order_number} is cancelled.`)
        const parts = await takeShipmentBack(tx, order, shipmentId, by)
        const after = await lock(tx, id)
        const refunds = findUnshippedRefunds(after)
        if (refunds) {
          await replaceLines(tx, after, refunds, by)
          await advanceOrder(tx, id, false, by.now)
          await askToReportCompletion(tx, id, by.now)
        }
        await touch(tx, id, by)
        await refreshSentNote(tx, id)
        const row = await recordChange(tx, 'order.shipment_undone', id, { items: auditItems(parts) }, by)
        return (await cancelIfBack(tx, id, by)) ?? row
      }),

    takeBack: (id, items, caller) =>
      writeBodyOnce({ database, clock }, caller, ['orders/return', id, items], async (tx, { audit: by }) => {
        const order = await lock(tx, id)
        for (const { line, quantity } of findParts(order, items))
          if (quantity > line.shipped_quantity - line.returned_quantity) {
            const message = `Only ${line.shipped_quantity - line.returned_quantity} of ${titleOf(line)} can be returned: the others were not shipped, or have already been returned.`
            throw new AppError('ORDER_INVALID', { text: message, errors: [{ path: 'items', message }] })
          }
        const done = items.flatMap(({ to, reason = null, ...item }) =>
          findParts(order, [item]).map((part) => ({ ...part, to, reason })),
        )
        const returnId = uuidv7()
        await insertReturns(tx, returnId, await takeLinesBack(tx, order, byItem(done), by), by.now)
        await touch(tx, id, by)
        const reasons = [...new Set(items.flatMap(({ reason }) => reason ?? []))]
        const details = {
          items: auditItems(done),
          return_id: returnId,
          ...(reasons.length > 0 && { reason: reasons.join(', ') }),
        }
        const row = await recordChange(tx, 'order.returned', id, details, by)
        return { ...present((await cancelIfBack(tx, id, by)) ?? row), return_id: returnId }
      }),

    undoReturn: (id, returnId, by) =>
      database.transaction(async (tx) => {
        const parts = await undoReturnedPieces(tx, await lock(tx, id), returnId, by)
        await touch(tx, id, by)
        return recordChange(tx, 'order.return_undone', id, { items: auditItems(parts) }, by)
      }),

    complete: (id, closeShort, by) =>
      database.transaction(async (tx) => {
        const order = await lock(tx, id)
        if (order.status === 'completed') return readOrder(tx, id)
        if (isFinishedOrder(order.status)) refuse(`Order ${order.order_number} is cancelled.`)
        const left = pieceLinesOf(order).reduce(
          (sum, line) => sum + (line.is_ignored ? 0 : remainingOf(line)),
          0,
        )
        if (left > 0 && !closeShort)
          refuse(
            `${left === 1 ? '1 piece is' : `${left} pieces are`} not shipped. Ship them, or complete the order without them.`,
          )
        await releaseRest(tx, order, undefined, by)
        await setStatus(tx, id, 'completed', by)
        await askToReportCompletion(tx, id, by.now, { isChosen: true })
        await clearPiecesLeftProblem(tx, id)
        await refreshSentNote(tx, id)
        return recordChange(tx, 'order.completed', id, { unshipped: left }, by)
      }),

    async restore(id, by) {
      await steps.restore(id, by)
      await catchUp(id, by.now)
      return readOrder(database.sql, id)
    },
  }
}
