import type { BulkOrdersResult, OrderBulkAction } from '@pegasus/contracts/orders/bulk-orders'
import type { AuditContext } from '../../../platform/actor.ts'
import type { Database } from '../../../platform/database/database.ts'
import { toAppError } from '../../../platform/errors/to-app-error.ts'
import type { OrderRow } from '../orders.queries.ts'
import type { OrderActions } from './order-actions.service.ts'
import { explainShortage, isShort } from './reserve-allocated.ts'

/** Runs one action for many orders. Each order has its own transaction. */
export type BulkOrders = (
  ids: readonly string[],
  action: OrderBulkAction,
  by: AuditContext,
) => Promise<BulkOrdersResult>

export function createBulkOrders(deps: { database: Database; actions: OrderActions }): BulkOrders {
  const { database, actions } = deps
  const run: Readonly<
    Record<
      Exclude<OrderBulkAction, 'cancel' | 'reserve' | 'ship'>,
      (id: string, by: AuditContext) => Promise<unknown>
    >
  > = {
    release: (id, by) => actions.releaseAll(id, by),
    hold: (id, by) => actions.hold(id, by),
    resume: (id, by) => actions.resume(id, by),
    delete: (id, by) => actions.remove(id, null, by),
    restore: (id, by) => actions.restore(id, by),
  }
  return async (ids, action, by) => {
    const result: BulkOrdersResult = {
      changed: [],
      failed: [],
      partly_reserved: [],
      proposed_cancellations: [],
    }
    /** Short orders that get no piece or cannot be shipped. */
    const without: OrderRow[] = []
    const runOne = async (id: string): Promise<void> => {
      if (action === 'reserve') {
        const { row, isReserved } = await actions.reserveAllocated(id, by)
        if (isShort(row) && !isReserved) return void without.push(row)
        if (isShort(row)) result.partly_reserved.push(id)
      } else if (action === 'ship') {
        const { row, isShipped } = await actions.shipAllocated(id, by)
        if (!isShipped) return void without.push(row)
      } else if (action === 'cancel')
        result.proposed_cancellations.push(...(await actions.cancel(id, by)).proposed_cancellations)
      else await run[action](id, by)
      result.changed.push(id)
    }
    for (const id of new Set(ids))
      try {
        await runOne(id)
      } catch (error) {
        const { code, say } = toAppError(error)
        // A server error would affect all orders, so end the call.
        if (code === 'INTERNAL' || code === 'UNAVAILABLE') throw error
        result.failed.push({ id, detail: say })
      }
    // Read the reasons after all orders have their pieces, so that the reasons do not depend on the sequence
    // of the ids.
    if (without.length > 0) result.failed.push(...(await explainShortage(database.sql, without)))
    return result
  }
}
