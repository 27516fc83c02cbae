import type { Queryable } from '../../../platform/database/database.ts'

/** A job of an order, with sums over the other unfinished jobs of the order for the same item. */
interface JobAmongOthers {
  /** The pieces that the job still has to print. */
  pieces: number
  good_quantity: number
  extra_quantity: number
  order_id: string
  order_line_id: string | null
  /** The pieces that the order lacks. Queued print jobs are ignored. */
  lacking: number
  other_pieces: number
  other_extra: number
}

const readJob = async (tx: Queryable, id: string): Promise<JobAmongOthers | undefined> => {
  const [job] = await tx<JobAmongOthers[]>`
    select greatest(0, j.quantity - j.good_quantity) as pieces, j.good_quantity, j.extra_quantity, j.order_id, j.order_line_id,
           lacking_pieces(j.order_id, j.item_id)::float8 as lacking, o.pieces as other_pieces, o.extra as other_extra
    from print_jobs j
    cross join lateral (
      select coalesce(sum(greatest(0, quantity - good_quantity)), 0)::float8 as pieces,
             coalesce(sum(extra_quantity), 0)::float8 as extra
      from print_jobs
      where order_id = j.order_id and item_id = j.item_id and id <> j.id and deleted_at is null
        and status in ('pending', 'in_progress', 'on_hold')
    ) o
    where j.id = ${id} and j.order_id is not null and j.item_id is not null`
  return job
}

/**
 * Stores how many pieces of a job its order does not need. Call it after a person has queued the job, has moved it to
 * another order or item, or has changed its quantity. `earlierQuantity` is the quantity that the job had for this order
 * before, or 0 for a new job. Pieces that become superfluous later, because the order changes, do not count.
 */
export async function countExtraPieces(tx: Queryable, id: string, earlierQuantity: number): Promise<void> {
  const job = await readJob(tx, id)
  if (!job) return
  const earlier = Math.max(0, earlierQuantity - job.good_quantity)
  const surplusWith = (pieces: number): number => Math.max(0, job.other_pieces + pieces - job.lacking)
  let extra = earlierQuantity === 0 ? 0 : job.extra_quantity
  if (job.pieces < earlier) extra = Math.min(extra, Math.max(0, surplusWith(job.pieces) - job.other_extra))
  else {
    if (job.lacking > job.other_pieces + earlier) {
      await forgetExtraPieces(tx, [{ orderId: job.order_id, orderLineId: job.order_line_id }])
      extra = 0
    }
    extra += surplusWith(job.pieces) - surplusWith(earlier)
  }
  await tx`update print_jobs set extra_quantity = ${extra} where id = ${id} and extra_quantity <> ${extra}`
}

/**
 * Resets the extra pieces of the jobs of these order lines to 0. The lines lack pieces, so they need all queued pieces
 * now.
 */
export async function forgetExtraPieces(
  tx: Queryable,
  lines: readonly { orderId?: string | null; orderLineId?: string | null }[],
): Promise<void> {
  const orderIds = [...new Set(lines.flatMap(({ orderId }) => orderId ?? []))]
  const lineIds = lines.flatMap(({ orderLineId }) => orderLineId ?? [])
  if (lineIds.length === 0) return
  await tx`
    update print_jobs set extra_quantity = 0
    where order_id = any (${orderIds}::uuid[]) and order_line_id = any (${lineIds}::uuid[]) and extra_quantity > 0`
}

/** The extra pieces of an order's jobs for one item. */
export interface ExtraPieces {
  item_id: string
  /** The extra pieces of unfinished jobs. */
  queued: number
  /** The extra pieces of completed jobs. */
  printed: number
}

/** Returns the pieces that people queued for an order although it did not need them. */
export const listExtraPieces = (sql: Queryable, orderId: string): Promise<ExtraPieces[]> =>
  sql<ExtraPieces[]>`
    select item_id, coalesce(sum(extra_quantity) filter (where status <> 'completed'), 0)::float8 as queued,
           coalesce(sum(extra_quantity) filter (where status = 'completed'), 0)::float8 as printed
    from print_jobs
    where order_id = ${orderId} and deleted_at is null and item_id is not null and extra_quantity > 0
      and status in ('pending', 'in_progress', 'on_hold', 'completed')
    group by item_id`
