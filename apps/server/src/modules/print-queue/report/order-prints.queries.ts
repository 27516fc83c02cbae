import type { ActorColumns } from '../../../platform/actor.ts'
import type { Queryable } from '../../../platform/database/database.ts'

/** An event in the production of an order: its job, its pieces and its time. */
interface OrderPrintEvent extends ActorColumns {
  id: string
  sku: string
  name: string
  quantity: number
  job_id: string
  job_code: string
  is_job_deleted: boolean
  created_at: string
}

/** Good pieces of a finished plate. `printer` is null if the printer is unknown. */
export interface OrderPrintRow extends OrderPrintEvent {
  printer: string | null
}

/** Returns the finished plates with good pieces of an order's jobs, latest first. */
export const listOrderPrints = (sql: Queryable, orderId: string, limit: number): Promise<OrderPrintRow[]> =>
  sql<OrderPrintRow[]>`
    select p.id, coalesce(t.actor_kind, 'system') as actor_kind, t.actor_id, coalesce(t.actor_name, '') as actor_name,
           coalesce(i.sku, '') as sku, coalesce(i.name, m.title, '') as name, p.good_quantity as quantity,
           coalesce(r.name, p.agent) as printer, j.id as job_id, j.label_code as job_code,
           j.deleted_at is not null as is_job_deleted, p.finished_at as created_at
    from print_jobs j
    join job_plates p on p.print_job_id = j.id
    left join stock_items i on i.id = j.item_id
    left join library_models m on m.id = j.stl_file_id
    left join printers r on r.id = p.printer_id
    left join lateral (
      select actor_kind, actor_id, actor_name from job_transitions
      where print_job_id = j.id and created_at = p.finished_at order by id limit 1
    ) t on true
    where j.order_id = ${orderId} and p.state = 'done' and p.good_quantity > 0
    order by p.finished_at desc, p.id desc limit ${limit}`

/**
 * Returns the jobs that were queued for an order, latest first, with their current quantities. Jobs that were split off
 * from another job are left out, because their pieces were already queued.
 */
export const listQueuedJobs = (sql: Queryable, orderId: string, limit: number): Promise<OrderPrintEvent[]> =>
  sql<OrderPrintEvent[]>`
    select j.id, t.actor_kind, t.actor_id, t.actor_name, coalesce(i.sku, '') as sku,
           coalesce(i.name, m.title, '') as name, j.quantity, j.id as job_id, j.label_code as job_code,
           j.deleted_at is not null as is_job_deleted, t.created_at
    from print_jobs j
    join job_transitions t on t.print_job_id = j.id and t.from_status is null and t.other_job_id is null
    left join stock_items i on i.id = j.item_id
    left join library_models m on m.id = j.stl_file_id
    where j.order_id = ${orderId}
    order by t.created_at desc, j.id desc limit ${limit}`

/** An unfinished job of an order for an item. */
export interface OrderJobRow {
  id: string
  label_code: string
  name: string
  item_id: string
  order_line_id: string | null
  quantity: number
  good_quantity: number
  /** Number of pieces on its running plates. */
  running_pieces: number
  /** Whether it waits for its start or its next plate. */
  is_waiting: boolean
  revision: number
}

/**
 * Returns the unfinished jobs of an order for items, in this order: jobs without extra pieces first, then waiting jobs,
 * and then from the end of the queue. A job that was put on hold after its start is left out.
 */
export const listUnfinishedJobs = (sql: Queryable, orderId: string): Promise<OrderJobRow[]> =>
  sql<OrderJobRow[]>`
    select j.id, j.label_code, coalesce(i.name, '') as name, j.item_id, j.order_line_id, j.quantity, j.good_quantity,
           running.pieces as running_pieces, j.status <> 'in_progress' and running.pieces = 0 as is_waiting, j.revision
    from print_jobs j
    left join stock_items i on i.id = j.item_id
    cross join lateral (
      select coalesce(sum(p.pieces), 0)::int as pieces from job_plates p
      where p.print_job_id = j.id and p.state in ('sending', 'printing', 'paused', 'printed')
    ) running
    where j.order_id = ${orderId} and j.deleted_at is null and j.item_id is not null
      and (j.status in ('pending', 'in_progress') or (j.status = 'on_hold' and j.started_at is null))
    order by j.extra_quantity > 0, is_waiting desc, j.priority desc, j.position desc, j.id desc`
