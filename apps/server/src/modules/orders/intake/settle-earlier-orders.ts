import type { AuditContext } from '../../../platform/actor.ts'
import type { Database, TransactionSql } from '../../../platform/database/database.ts'
import { publish } from '../../events/index.ts'
import { findFirstComparison } from '../sync/order-sync.queries.ts'
import { updateOrder } from './order-intake.queries.ts'
import { settle } from './settle-order.ts'

interface UnsettledOrder {
  is_new_and_completed: boolean
  is_of_shop: boolean
  placed_at: string
}

/** Locks an order that no replica of this version has settled. Returns null if another replica settles it. */
async function lockUnsettled(tx: TransactionSql, id: string): Promise<UnsettledOrder | null> {
  const [order] = await tx<UnsettledOrder[]>`
    select source = 'main_site' as is_of_shop, placed_at,
           status = 'completed' and source <> 'manual' and deleted_at is null and not is_history and not exists (
             select from shipments s where s.order_id = orders.id
           ) as is_new_and_completed
    from orders where id = ${id} and not is_settled for no key update skip locked`
  return order ?? null
}

/**
 * Settles completed orders that a replica of an earlier version has added during an update: they take their pieces from the
 * stock. Those that were placed before the first comparison with the shop at `url` were shipped before the stock was kept
 * here.
 */
export async function settleEarlierOrders(
  database: Database,
  url: string | null,
  by: AuditContext,
): Promise<void> {
  const begunAt = url === null ? null : await findFirstComparison(database.sql, url)
  const rows = await database.sql<{ id: string }[]>`select id from orders where not is_settled order by id`
  for (const { id } of rows)
    await database.transaction(async (tx) => {
      const order = await lockUnsettled(tx, id)
      if (!order) return
      const isHistory = order.is_of_shop && begunAt !== null && new Date(order.placed_at) <= begunAt
      await tx`update orders set is_settled = true where id = ${id}`
      if (!order.is_new_and_completed) return
      if (!isHistory) await settle(tx, id, 'completed', by)
      await updateOrder(tx, id, { is_history: isHistory }, by.now)
      await publish(tx, { type: 'updated', entity: 'order', id })
    })
}
