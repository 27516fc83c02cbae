import type { Queryable } from '../../../platform/database/database.ts'

/** Maximum number of orders that one hourly run changes. The next run changes further ones. */
const MAX_AT_ONCE = 5_000

/**
 * Removes the customer's data from orders that were deleted before a time and can no longer be restored. The number and
 * the shop's id stay: if the shop sends the order again, they show that it was deleted.
 */
export async function forgetDeletedCustomers(sql: Queryable, before: Date): Promise<void> {
  await sql`
    update orders
    set customer_name = '', customer_email = null, shipping_address = null, notes = null, received = null,
        source_told = null, source_waiting = null
    where id in (
      select id from orders
      where deleted_at is not null and deleted_at <= ${before} and (
        customer_name <> '' or num_nonnulls(customer_email, shipping_address, notes, received, source_told, source_waiting) > 0
      )
      limit ${MAX_AT_ONCE}
    )`
}
