import type { IntegrationOrder, ReceiveOrderBody } from '@pegasus/contracts/integration'
import type { AuditContext } from '../../platform/actor.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database, TransactionSql } from '../../platform/database/database.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { type HttpResult, type IdempotentCaller, writeOnce } from '../../platform/http/idempotency.ts'
import { type AuditEvent, writeAudit } from '../audit/index.ts'
import { publish } from '../events/index.ts'
import { findItemIdBySku } from '../inventory/index.ts'
import { presentIntegrationOrder } from './order-intake.present.ts'
import {
  type KnownOrder,
  type LineToWrite,
  lockOrderByNumber,
  lockOrderNumber,
  updateOrder,
  writeLines,
} from './order-intake.queries.ts'
import { type OrderRow, findOrder } from './orders.queries.ts'
import { createOrder } from './orders.service.ts'
import { type ReceivedOrder, findChanges, findOtherLines, readReceivedOrder } from './received-order.ts'

/** The source of an order. */
type Source = 'integration' | 'main_site'

/** Receives orders from outside. */
export interface OrderIntake {
  /**
   * Adds an order (201), or changes the fields that differ of the one with the same number (200); without a
   * difference it writes nothing. Throws ORDER_INVALID for an amount with too many decimals, CONFLICT for an order in
   * another currency, or IDEMPOTENCY_KEY_REUSED.
   */
  receive(order: ReceiveOrderBody, by: IdempotentCaller): Promise<HttpResult<IntegrationOrder>>
  /** The same for a fetched order. Returns the outcome. Throws ORDER_INVALID or CONFLICT. */
  take(order: ReceiveOrderBody, by: AuditContext): Promise<'created' | 'updated' | 'unchanged'>
}

/** The fields of an order that the audit shows. */
const auditedOrder = (order: OrderRow) => ({
  customer_name: order.customer_name,
  status: order.status,
  total_minor: order.total_minor,
  currency: order.currency,
  placed_at: order.placed_at,
  due_at: order.due_at,
  external_id: order.external_id,
  notes: order.notes,
  items: order.lines.map(({ sku, name, quantity, unit_price_minor: price }) => ({
    sku,
    name,
    quantity,
    unit_price_minor: price,
  })),
})

export function createOrderIntake(deps: { database: Database; clock: Clock; currency: string }): OrderIntake {
  const { database, clock, currency } = deps

  const getRow = async (tx: TransactionSql, id: string): Promise<OrderRow> => {
    const row = await findOrder(tx, id)
    if (!row) throw new AppError('ORDER_NOT_FOUND')
    return row
  }

  const auditOrder = (
    tx: TransactionSql,
    action: AuditEvent['action'],
    { before, after }: { before?: OrderRow; after: OrderRow },
    by: AuditContext,
  ) => {
    const order = { entity: 'order', entityId: after.id, entityName: after.order_number } as const
    const sides = { ...(before && { before: auditedOrder(before) }), after: auditedOrder(after) }
    return writeAudit(tx, { action, ...order, ...sides }, by)
  }

  const add = async (
    tx: TransactionSql,
    body: ReceiveOrderBody,
    { totalMinor, lines = [] }: ReceivedOrder,
    source: Source,
    by: AuditContext,
  ): Promise<OrderRow> => {
    const id = await createOrder(
      tx,
      {
        orderNumber: body.order_number,
        customerName: body.customer_name ?? '',
        customerEmail: body.customer_email ?? null,
        ...(body.status && { status: body.status }),
        totalMinor,
        currency,
        ...(body.placed_at && { placedAt: new Date(body.placed_at) }),
        dueAt: body.due_at ? new Date(body.due_at) : null,
        source,
        externalId: body.external_id ?? null,
        notes: body.notes ?? null,
        lines: lines.map(({ unit_price_minor: unitPriceMinor, ...line }) => ({ ...line, unitPriceMinor })),
      },
      by,
    )
    const after = await getRow(tx, id)
    await auditOrder(tx, 'order.created', { after }, by)
    return after
  }

  const update = async (
    tx: TransactionSql,
    body: ReceiveOrderBody,
    { totalMinor, lines }: ReceivedOrder,
    known: KnownOrder,
    by: AuditContext,
  ): Promise<OrderRow> => {
    if (known.currency !== currency)
      throw new AppError('CONFLICT', {
        say: `This order was placed in ${known.currency} and cannot be changed in ${currency}.`,
      })
    const before = await getRow(tx, known.id)
    const change = findChanges(body, totalMinor, known)
    const otherLines = lines ? findOtherLines(lines, known.lines) : []
    const hasOtherLines = otherLines.length > 0 || (lines ?? known.lines).length !== known.lines.length
    if (Object.keys(change).length === 0 && !hasOtherLines) return before
    await updateOrder(tx, known.id, change, by.now)
    if (lines && hasOtherLines) {
      const written: LineToWrite[] = []
      for (const line of otherLines)
        written.push({ ...line, item_id: line.sku === '' ? null : await findItemIdBySku(tx, line.sku) })
      await writeLines(tx, known.id, written, lines.length)
    }
    const after = await getRow(tx, known.id)
    await auditOrder(tx, 'order.updated', { before, after }, by)
    await publish(tx, { type: 'updated', entity: 'order', id: known.id })
    return after
  }

  const keep = async (
    tx: TransactionSql,
    body: ReceiveOrderBody,
    received: ReceivedOrder,
    source: Source,
    by: AuditContext,
  ): Promise<{ known: KnownOrder | null; row: OrderRow }> => {
    await lockOrderNumber(tx, body.order_number)
    const known = await lockOrderByNumber(tx, body.order_number)
    const row = known
      ? await update(tx, body, received, known, by)
      : await add(tx, body, received, source, by)
    return { known, row }
  }

  return {
    take: (body, by) =>
      database.transaction(async (tx) => {
        const { known, row } = await keep(tx, body, readReceivedOrder(body, currency), 'main_site', by)
        if (!known) return 'created'
        return row.revision === known.revision ? 'unchanged' : 'updated'
      }),

    async receive(body, by) {
      const received = readReceivedOrder(body, currency)
      return writeOnce({ database, clock }, by, ['integration/orders', body], async (tx, { audit }) => {
        const { known, row } = await keep(tx, body, received, 'integration', audit)
        return { status: known ? 200 : 201, body: presentIntegrationOrder(row) }
      })
    },
  }
}
