import { UNKNOWN_SENT_NOTE } from '@pegasus/contracts/orders/shop-notes'
import type { AuditContext } from '../../../platform/actor.ts'
import type { Database, TransactionSql } from '../../../platform/database/database.ts'
import type { ServiceLog } from '../../../platform/log/service-log.ts'
import { publish } from '../../events/index.ts'
import { findFirstComparison } from '../sync/order-sync.queries.ts'
import { updateOrder } from './order-intake.queries.ts'
import { settle } from './settle-order.ts'
import { bookMappedPieces } from './shop-problem.ts'

interface UnsettledOrder {
  /** Whether the order arrived as completed. If an order was completed later, its pieces were booked at that time. */
  is_new_and_completed: boolean | null
  is_of_shop: boolean
  placed_at: string
}

/** Locks an order that was not settled yet. Returns null if it was settled, or if another process is settling it. */
async function lockUnsettled(tx: TransactionSql, id: string): Promise<UnsettledOrder | null> {
  const [order] = await tx<UnsettledOrder[]>`
    select source = 'main_site' as is_of_shop, placed_at,
           status = 'completed' and source <> 'manual' and source_told->>'status' = 'completed' and not is_history
           and not exists (select from shipments s where s.order_id = orders.id)
           and not exists (
             select from audit_entries e
             where e.entity = 'order' and e.entity_id = orders.id::text and e.action <> 'order.created'
               and e.after->>'status' = 'completed' and e.before->>'status' is distinct from 'completed'
           ) as is_new_and_completed
    from orders where id = ${id} and deleted_at is null and not is_settled for no key update skip locked`
  return order ?? null
}

/**
 * Settles completed orders that a replica of an earlier version has added during an update: takes their pieces from the
 * stock. Orders that were placed before the first comparison with the shop at `url` take nothing, because they were
 * shipped before the stock was kept here. If an order cannot be settled, writes that to the log and continues with the
 * next one. Leaves out orders in the trash: they are settled after they are restored.
 */
export async function settleEarlierOrders(
  database: Database,
  url: string | null,
  log: ServiceLog,
  by: AuditContext,
): Promise<void> {
  const begunAt = url === null ? null : await findFirstComparison(database.sql, url)
  const rows = await database.sql<{ id: string }[]>`
    select id from orders where not is_settled and deleted_at is null order by id`
  await forEachOrder(
    database,
    rows,
    { log, failure: 'an order of an earlier version was not settled' },
    async (tx, id) => {
      const order = await lockUnsettled(tx, id)
      if (!order) return
      const isHistory = order.is_of_shop && begunAt !== null && new Date(order.placed_at) <= begunAt
      await tx`update orders set is_settled = true where id = ${id}`
      if (!order.is_new_and_completed) return
      if (!isHistory) await settle(tx, id, 'completed', by)
      await updateOrder(tx, id, { is_history: isHistory }, by.now)
      await publish(tx, { type: 'updated', entity: 'order', id })
    },
  )
}

/**
 * Books pieces that the shop's own staff sent, for lines that had no item then but have one now, because an item with
 * their SKU was added, renamed or restored.
 */
export async function bookPiecesOfFoundItems(
  database: Database,
  log: ServiceLog,
  by: AuditContext,
): Promise<void> {
  const rows = await database.sql<{ id: string }[]>`
    select id from orders
    where status in ('pending', 'in_progress', 'on_hold') and deleted_at is null
      and strpos(shop_problem, ${UNKNOWN_SENT_NOTE}) > 0
    order by id`
  const failure = 'pieces that the shop sent were not booked'
  await forEachOrder(database, rows, { log, failure }, (tx, id) => bookMappedPieces(tx, id, by))
}

/**
 * Does the work for each order in its own transaction. If it fails, writes that to the log and continues with the next
 * order.
 */
async function forEachOrder(
  database: Database,
  rows: readonly { id: string }[],
  { log, failure }: { log: ServiceLog; failure: string },
  work: (tx: TransactionSql, id: string) => Promise<void>,
): Promise<void> {
  for (const { id } of rows)
    try {
      await database.transaction((tx) => work(tx, id))
    } catch (error) {
      log.error({ err: error, order_id: id }, failure)
    }
}
