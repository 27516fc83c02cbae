import type { BulkOrdersResult, OrderBulkAction } from '@pegasus/contracts/orders/bulk-orders'
import type { AuditContext } from '../../../platform/actor.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/database.ts'
import { withSavepoint } from '../../../platform/database/savepoint.ts'
import { toAppError } from '../../../platform/errors/to-app-error.ts'
import {
  type IdempotentCaller,
  fingerprintOf,
  writeBodyOnce,
  writePreparedOnce,
} from '../../../platform/http/idempotency.ts'
import type { OrderRow } from '../orders.queries.ts'
import type { ShopOrderIntake } from '../sync/shop-orders.service.ts'
import type { OrderActions, OrderSteps } from './order-actions.service.ts'
import { type ShortOrder, explainShortage, isShort, shortOrderOf } from './reserve-allocated.ts'

/**
 * Runs one action on many orders. Each order has its own transaction, and its outcome is stored under the request's
 * idempotency key. A repeated request with the key gets the first result. If the first request is still running or was
 * interrupted, the repeated one uses the stored outcomes and runs the action on the remaining orders. Throws
 * IDEMPOTENCY_KEY_REUSED.
 */
export type BulkOrders = (
  ids: readonly string[],
  action: OrderBulkAction,
  by: IdempotentCaller,
) => Promise<BulkOrdersResult>

/** The result of an action that has changed an order. */
interface OneResult {
  isPartlyReserved: boolean
  /** The shipment, which contains all pieces that were left to ship. */
  shipmentId?: string
  /** Print jobs of a cancelled or deleted order that only a person can cancel. */
  waitingJobs: readonly string[]
}

const DONE: OneResult = { isPartlyReserved: false, waitingJobs: [] }

/**
 * The outcome for an order: the action was done, the order was refused with a reason, or the order is short of pieces.
 */
type Outcome = { done: OneResult } | { refused: string } | { short: ShortOrder }

/** Thrown for a short order that gets no piece, or that cannot be shipped. The order stays unchanged. */
class ShortOrderError extends Error {
  readonly row: OrderRow

  constructor(row: OrderRow) {
    super('The order is short of pieces.')
    this.row = row
  }
}

/**
 * Converts the error of an action to the outcome of its order. Throws errors that concern all orders, such as a lost
 * connection.
 */
function outcomeOf(error: unknown): Outcome {
  if (error instanceof ShortOrderError) return { short: shortOrderOf(error.row) }
  const { code, text: message } = toAppError(error)
  if (code === 'INTERNAL' || code === 'UNAVAILABLE') throw error
  return { refused: message }
}

/** Returns the caller with a separate idempotency key for a part of the request, such as one order. */
const callerFor = (caller: IdempotentCaller, part: string): IdempotentCaller => {
  const { idempotencyKey: key } = caller
  return { ...caller, idempotencyKey: key === null ? null : fingerprintOf('orders/bulk', key, part) }
}

const RUN: Readonly<
  Record<OrderBulkAction, (steps: OrderSteps, id: string, by: AuditContext) => Promise<OneResult>>
> = {
  reserve: async (steps, id, by) => {
    const { row, isReserved } = await steps.reserveAllocated(id, by)
    if (isShort(row) && !isReserved) throw new ShortOrderError(row)
    return { ...DONE, isPartlyReserved: isShort(row) }
  },
  ship: async (steps, id, by) => {
    const { row, isShipped } = await steps.shipAllocated(id, by)
    if (!isShipped) throw new ShortOrderError(row)
    const shipmentId = row.shipments.at(-1)?.id
    return { ...DONE, ...(shipmentId !== undefined && { shipmentId }) }
  },
  cancel: async (steps, id, by) => ({
    ...DONE,
    waitingJobs: (await steps.cancel(id, by)).proposed_cancellations,
  }),
  release: (steps, id, by) => steps.releaseAll(id, by).then(() => DONE),
  hold: (steps, id, by) => steps.hold(id, by).then(() => DONE),
  resume: (steps, id, by) => steps.resume(id, by).then(() => DONE),
  delete: async (steps, id, by) => ({ ...DONE, waitingJobs: await steps.remove(id, null, by) }),
  restore: (steps, id, by) => steps.restore(id, by).then(() => DONE),
}

export function createBulkOrders(deps: {
  database: Database
  clock: Clock
  actions: Pick<OrderActions, 'within'>
  /** Applies the changes that the shop sent while an order was in the trash. */
  catchUp: ShopOrderIntake['catchUp']
}): BulkOrders {
  const { database, actions, catchUp } = deps

  const runAll = async (
    ids: readonly string[],
    action: OrderBulkAction,
    caller: IdempotentCaller,
  ): Promise<BulkOrdersResult> => {
    const result: BulkOrdersResult = {
      changed: [],
      failed: [],
      partly_reserved: [],
      shipments: [],
      proposed_cancellations: [],
    }
    const short: ShortOrder[] = []
    // Outcomes include refusals, and are stored as well. Otherwise, a second attempt at the same time could change an
    // order that the stored result reports as refused.
    const runOne = (id: string): Promise<Outcome> =>
      writeBodyOnce(deps, callerFor(caller, id), ['orders/bulk', action, id], async (tx, { audit }) => {
        try {
          return { done: await withSavepoint(tx, () => RUN[action](actions.within(tx), id, audit)) }
        } catch (error) {
          return outcomeOf(error)
        }
      })
    for (const id of new Set(ids)) {
      const outcome = await runOne(id)
      if ('short' in outcome) short.push(outcome.short)
      else if ('refused' in outcome) result.failed.push({ id, detail: outcome.refused })
      else {
        if (action === 'restore') await catchUp(id, caller.audit.now)
        const { isPartlyReserved, shipmentId, waitingJobs } = outcome.done
        if (isPartlyReserved) result.partly_reserved.push(id)
        if (shipmentId !== undefined) result.shipments.push({ order_id: id, shipment_id: shipmentId })
        result.proposed_cancellations.push(...waitingJobs)
        result.changed.push(id)
      }
    }
    // The reasons are read last, when all other orders have their pieces, so that they do not depend on the sequence of
    // the ids.
    if (short.length > 0) result.failed.push(...(await explainShortage(database.sql, short)))
    return result
  }

  return (ids, action, caller) => {
    const request = ['orders/bulk', ids, action]
    return writePreparedOnce(deps, caller, request, {
      prepare: async () => {
        // From now on, a different request with this key is refused, even if this one is interrupted.
        await writeBodyOnce(deps, callerFor(caller, 'request'), request, () => Promise.resolve({}))
        return runAll(ids, action, caller)
      },
      write: (_, result) => Promise.resolve(result),
    })
  }
}
