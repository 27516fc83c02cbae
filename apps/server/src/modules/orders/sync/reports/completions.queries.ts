import { SHIPMENT_REPORTED_WITHIN_MS } from '@pegasus/contracts/orders/order-changes'
import { addMs } from '../../../../platform/clock.ts'
import type { Queryable } from '../../../../platform/database/database.ts'
import type { MainSite, ShopCompletion, StoredLines } from '../../../products/index.ts'
import { isReported } from './reported-orders.ts'

/** Older parcels and completions are not reported. A shop that is connected later does not need them. */
export const REPORTED_WITHIN_MS = SHIPMENT_REPORTED_WITHIN_MS

/**
 * Returns the SQL condition for orders with a parcel that a person chose not to report to the shop. Shipments that the
 * shop itself made do not count.
 */
const hasUnreportedParcels = (sql: Queryable) => sql`exists (
  select from shipments s
  where s.order_id = o.id and not s.notify_shop and not s.made_at_shop and s.undone_at is null
)`

/**
 * Requests the report of an order that was completed here. Does nothing for an order in another status, or for an order
 * that was entered by hand. `isChosen` means that a person completed the order. Otherwise, an order with parcels that
 * are not reported to the shop is not reported, either, because the report would mark their pieces as sent in the shop.
 */
export async function askToReportCompletion(
  tx: Queryable,
  orderId: string,
  now: Date,
  { isChosen = false }: { isChosen?: boolean } = {},
): Promise<void> {
  await tx`
    insert into shop_completions (order_id, asked_at)
    select o.id, ${now} from orders o
    where o.id = ${orderId} and o.status = 'completed' and o.source <> 'manual'
      and o.source_told->>'status' is distinct from 'completed'
      and (${isChosen} or not ${hasUnreportedParcels(tx)})
    on conflict (order_id) do update
    set asked_at = excluded.asked_at, attempts = 0, report_after = null, problem = null, reported_at = null`
}

/** A completed order whose completion was not reported to the shop yet. */
export interface UnreportedCompletion extends Omit<ShopCompletion, keyof StoredLines> {
  order_id: string
  attempts: number
}

/**
 * Lists the completed orders whose completion is due to be reported to a shop of this kind, oldest first. The report of
 * a completion waits until all parcels of the order are reported, because the last of them usually completes the order
 * in the shop. With `orderId`, lists only this order.
 */
export const listUnreportedCompletions = (
  sql: Queryable,
  {
    now,
    limit,
    kind,
    orderId = null,
  }: { now: Date; limit: number; kind: MainSite['kind']; orderId?: string | null },
): Promise<UnreportedCompletion[]> =>
  sql<UnreportedCompletion[]>`
    select c.order_id, c.attempts, o.order_number, o.external_id, exists (
             select from order_lines l
             where l.order_id = o.id and not l.is_set and l.ignored_at is null and l.shipped_quantity < l.quantity
           ) as has_unsent_pieces, ${hasUnreportedParcels(sql)} as has_unreported_parcels
    from shop_completions c join orders o on o.id = c.order_id
    where c.reported_at is null and c.asked_at > ${addMs(now, -REPORTED_WITHIN_MS)}
      and coalesce(c.report_after, '-infinity') <= ${now}
      and o.status = 'completed' and o.deleted_at is null and ${isReported(sql, kind)}
      and c.order_id = coalesce(${orderId}::uuid, c.order_id)
      and not exists (
        select from shipments s
        where s.order_id = o.id and s.notify_shop and s.told_at is null and s.undone_at is null
          and s.created_at > ${addMs(now, -REPORTED_WITHIN_MS)}
      )
    order by c.asked_at, c.order_id limit ${limit}`

/** Saves the result of reporting a completion: the time, or the problem and the time of the next attempt. */
export async function saveCompletionResult(
  sql: Queryable,
  orderId: string,
  result: { at: Date } | { after: Date; problem: string },
): Promise<void> {
  if ('at' in result)
    await sql`update shop_completions set reported_at = ${result.at}, problem = null where order_id = ${orderId}`
  else
    await sql`
      update shop_completions
      set attempts = attempts + 1, report_after = ${result.after}, problem = ${result.problem}
      where order_id = ${orderId}`
}
