import type { ProposedReduction } from '@pegasus/contracts/orders/order-plan'
import { isOpenOrder } from '@pegasus/contracts/statuses'
import type { Queryable } from '../../../platform/database/database.ts'
import { type OrderJobRow, listExtraPieces, listUnfinishedJobs } from '../../print-queue/index.ts'
import type { OrderRow } from '../orders.queries.ts'

/** The sums of an item over all lines of an order. */
interface ItemAccount {
  /** The pieces that the jobs will print but the order does not need. Negative if the order lacks pieces. */
  surplus: number
  /** The pieces that the order already has: shipped, reserved and allocated ones. */
  covered: number
}

function accountsOf(order: OrderRow, jobs: readonly OrderJobRow[]): Map<string, ItemAccount> {
  const accounts = new Map<string, ItemAccount>()
  const add = (itemId: string, surplus: number, covered: number) => {
    const known = accounts.get(itemId) ?? { surplus: 0, covered: 0 }
    accounts.set(itemId, { surplus: known.surplus + surplus, covered: known.covered + covered })
  }
  for (const line of order.lines)
    if (line.inventory_item_id !== null && !line.is_set) {
      const covered = line.shipped_quantity + line.reserved_quantity + line.allocated_quantity
      add(line.inventory_item_id, line.queued_quantity - line.short_by, covered)
    }
  // If no line has the item of a job, all its pieces are surplus.
  const ordered = new Set(accounts.keys())
  for (const job of jobs)
    if (!ordered.has(job.item_id)) add(job.item_id, Math.max(0, job.quantity - job.good_quantity), 0)
  return accounts
}

/**
 * Returns the jobs of an open order that could be lowered, because the order needs fewer pieces. Extra pieces that a
 * person queued on purpose are kept. Only pieces are proposed that became superfluous later, because the order or the
 * stock changed. Finished pieces and pieces on a printer are kept, too.
 */
export async function proposeReductions(sql: Queryable, order: OrderRow): Promise<ProposedReduction[]> {
  if (!isOpenOrder(order.status)) return []
  const jobs = await listUnfinishedJobs(sql, order.id)
  const accounts = accountsOf(order, jobs)
  const superfluous = new Map([...accounts].map(([itemId, { surplus }]) => [itemId, surplus]))
  for (const { item_id: itemId, queued, printed } of await listExtraPieces(sql, order.id)) {
    const { surplus, covered } = accounts.get(itemId) ?? { surplus: 0, covered: 0 }
    // Some extra pieces are already printed. Only those that this order still has count, because another order may have
    // got the rest.
    superfluous.set(itemId, surplus - queued - Math.min(printed, covered))
  }
  return jobs.flatMap((job) => {
    const left = superfluous.get(job.item_id) ?? 0
    const started = job.good_quantity + job.running_pieces
    const fewer = Math.min(left, job.quantity - started)
    if (fewer < 1 || (fewer === job.quantity && !job.is_waiting)) return []
    superfluous.set(job.item_id, left - fewer)
    const needed = job.quantity - fewer
    const isNeeded = !job.is_waiting || needed > job.good_quantity
    return [
      {
        job_id: job.id,
        job_code: job.label_code,
        name: job.name,
        quantity: job.quantity,
        needed_quantity: isNeeded ? needed : null,
        fewer,
        revision: job.revision,
      },
    ]
  })
}
