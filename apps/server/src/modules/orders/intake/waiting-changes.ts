import type { Queryable } from '../../../platform/database/database.ts'
import type { Fragment } from '../../../platform/database/search-patterns.ts'
import { trashCutoff } from '../../../platform/trash.ts'

/**
 * Returns the SQL expression for a stored message of the shop, updated by a later one. Facts that the later message
 * leaves out stay: an event of Shopify, for example, does not contain how much money was kept. The days of the kept
 * money belong to its amount.
 */
export function laterMessage(
  sql: Queryable,
  stored: Fragment,
  sent: Readonly<Record<string, unknown>> & { kept_amount?: unknown; kept_after?: unknown },
): Fragment {
  const { kept_after: keptAfter, ...others } = sent
  const facts = sent.kept_amount === undefined ? others : { ...others, kept_after: keptAfter }
  return sql`coalesce(${stored}, '{}') || ${sql.json(facts)}`
}

/**
 * Saves a change that the shop sent while the order is in the trash, unless a later change is already saved or the
 * order can no longer be restored. Returns false, and saves nothing, if the order is no longer in the trash.
 */
export async function saveWaitingChange(
  tx: Queryable,
  orderId: string,
  sent: Readonly<Record<string, unknown>> & { changed_at: Date | null },
  now: Date,
): Promise<boolean> {
  // A person may be restoring the order in another transaction. The lock waits for it.
  const deleted =
    await tx`select from orders where id = ${orderId} and deleted_at is not null for no key update`
  if (deleted.length === 0) return false
  const message = laterMessage(tx, tx`source_waiting`, sent)
  await tx`
    update orders set source_waiting = ${message}
    where id = ${orderId} and deleted_at > ${trashCutoff(now)} and source_waiting is distinct from ${message} and not coalesce(
      (source_waiting->>'changed_at')::timestamptz > ${sent.changed_at}::timestamptz, false)`
  return true
}

/** Lists the restored orders with a change that the shop sent while they were in the trash. */
export const listOrdersToCatchUp = (sql: Queryable): Promise<{ id: string }[]> =>
  sql<{ id: string }[]>`select id from orders where source_waiting is not null and deleted_at is null`

/** Returns the change that the shop sent while the order was in the trash, or null if none is waiting. */
export async function findWaitingChange(sql: Queryable, orderId: string): Promise<object | null> {
  const [row] = await sql<{ source_waiting: object | null }[]>`
    select source_waiting from orders where id = ${orderId} and deleted_at is null`
  return row?.source_waiting ?? null
}

/**
 * Deletes a waiting change after it was applied. Does nothing if the shop has sent another change since, or if the
 * order was deleted again.
 */
export async function forgetWaitingChange(sql: Queryable, orderId: string, sent: object): Promise<void> {
  await sql`
    update orders set source_waiting = null
    where id = ${orderId} and deleted_at is null and source_waiting = ${sql.json(sent)}`
}
