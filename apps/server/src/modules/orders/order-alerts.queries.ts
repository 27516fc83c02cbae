import type { Queryable } from '../../platform/database/database.ts'
import { readMissingPieces } from './account/line-account.queries.ts'

/** The data of an alert about an order. */
export interface OrderAlert {
  kind: 'new_order' | 'order_overdue' | 'order_cancelled'
  order_id: string
  order_number: string
  customer_name: string
  pieces: number
  /** Number of pieces that are neither in stock nor in the print queue. */
  missing: number
  due_at: string | null
}

type ClaimedOrder = Omit<OrderAlert, 'missing'>

const orderColumns = (sql: Queryable) => sql`
  o.id as order_id, o.order_number, o.customer_name,
  coalesce((select sum(quantity) from order_lines l where l.order_id = o.id and l.part_number = 0), 0)::float8 as pieces,
  to_char(o.due_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as due_at`

/**
 * Claims the events for new alerts: new orders from a shop, cancelled orders with a running print, and orders whose due
 * time has passed. Each event is claimed once, and can be claimed again if the transaction fails.
 */
export async function claimOrderAlerts(tx: Queryable, now: Date, limit: number): Promise<OrderAlert[]> {
  const news = await tx<ClaimedOrder[]>`
    with taken as (
      delete from order_news where id in (
        select id from order_news order by id limit ${limit} for update skip locked
      ) returning id, order_id, kind
    )
    select t.kind, ${orderColumns(tx)} from taken t join orders o on o.id = t.order_id and o.deleted_at is null order by t.id`
  const overdue = await tx<ClaimedOrder[]>`
    with late as (
      update orders set overdue_told_at = ${now} where id in (
        select id from orders
        where due_at < ${now} and overdue_told_at is null and deleted_at is null and status in ('pending', 'in_progress')
        order by due_at limit ${limit} for update skip locked
      ) returning id
    )
    select 'order_overdue' as kind, ${orderColumns(tx)} from late join orders o on o.id = late.id order by o.due_at, o.id`
  const claimed = [...news, ...overdue]
  if (claimed.length === 0) return []
  const missing = await readMissingPieces(
    tx,
    claimed.map((alert) => alert.order_id),
  )
  return claimed.map((alert) => ({ ...alert, missing: missing.get(alert.order_id) ?? 0 }))
}
