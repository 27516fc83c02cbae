import type { BulkOrdersResult, OrderBulkAction } from '@pegasus/contracts/orders/bulk-orders'
import type { AuditContext } from '../../../platform/actor.ts'
import { toAppError } from '../../../platform/errors/to-app-error.ts'
import type { OrderActions } from './order-actions.service.ts'

/** Runs one action for many orders. Each order has its own transaction. */
export type BulkOrders = (
  ids: readonly string[],
  action: OrderBulkAction,
  by: AuditContext,
) => Promise<BulkOrdersResult>

export function createBulkOrders({ actions }: { actions: OrderActions }): BulkOrders {
  const run: Readonly<
    Record<Exclude<OrderBulkAction, 'cancel'>, (id: string, by: AuditContext) => Promise<unknown>>
  > = {
    reserve: (id, by) => actions.reserve(id, undefined, by),
    release: (id, by) => actions.release(id, undefined, by),
    ship: (id, by) => actions.shipAll(id, by),
    hold: (id, by) => actions.hold(id, by),
    resume: (id, by) => actions.resume(id, by),
    delete: (id, by) => actions.remove(id, null, by),
    restore: (id, by) => actions.restore(id, by),
  }
  return async (ids, action, by) => {
    const result: BulkOrdersResult = { changed: [], failed: [], proposed_cancellations: [] }
    for (const id of new Set(ids))
      try {
        if (action === 'cancel')
          result.proposed_cancellations.push(...(await actions.cancel(id, by)).waitingJobs)
        else await run[action](id, by)
        result.changed.push(id)
      } catch (error) {
        const { code, say } = toAppError(error)
        // A server error would affect all orders, so end the call.
        if (code === 'INTERNAL' || code === 'UNAVAILABLE') throw error
        result.failed.push({ id, detail: say })
      }
    return result
  }
}
