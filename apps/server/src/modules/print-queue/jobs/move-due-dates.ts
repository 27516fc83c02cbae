import type { AuditContext } from '../../../platform/actor.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { publish } from '../../events/index.ts'

interface MovedOrder {
  orderId: string
  /** The order's due date before and after the change; null for an order without a due date. */
  from: string | null
  to: string | null
}

/**
 * Gives the unfinished jobs of an order the order's new due date. A job keeps its due date if a person has changed it.
 */
export async function moveDueDates(
  tx: Queryable,
  { orderId, from, to }: MovedOrder,
  by: AuditContext,
): Promise<void> {
  const areMeant = tx`
    order_id = ${orderId} and due_at is not distinct from ${from}::timestamptz
    and status in ('pending', 'in_progress', 'on_hold') and deleted_at is null`
  await tx`select from print_jobs where ${areMeant} order by id for update`
  // Another transaction may have split a job while this one waited for the locks, so find the jobs again.
  const jobs = await tx<{ id: string }[]>`
    update print_jobs set due_at = ${to}::timestamptz, updated_at = ${by.now}, revision = revision + 1
    where ${areMeant} returning id`
  for (const { id } of jobs) await publish(tx, { type: 'updated', entity: 'print_job', id })
}
