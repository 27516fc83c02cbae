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
 * Gives the unfinished jobs of an order the new due date of the order. A job whose due date a person has changed keeps
 * it.
 */
export async function moveDueDates(
  tx: Queryable,
  { orderId, from, to }: MovedOrder,
  by: AuditContext,
): Promise<void> {
  const jobs = await tx<{ id: string }[]>`
    select id from print_jobs
    where order_id = ${orderId} and due_at is not distinct from ${from}::timestamptz
      and status in ('pending', 'in_progress', 'on_hold') and deleted_at is null
    order by id for update`
  if (jobs.length === 0) return
  const ids = jobs.map(({ id }) => id)
  await tx`
    update print_jobs set due_at = ${to}::timestamptz, updated_at = ${by.now}, revision = revision + 1
    where id = any (${ids})`
  for (const id of ids) await publish(tx, { type: 'updated', entity: 'print_job', id })
}
