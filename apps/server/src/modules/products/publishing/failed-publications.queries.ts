import type { Queryable } from '../../../platform/database/database.ts'

/** A product whose publication failed. */
export interface FailedPublication {
  product_id: string
  name: string
  /** The main site's message, up to 500 characters. */
  reason: string | null
  failed_at: string
}

/**
 * Claims new failures for alerts, oldest first. A product that fails several times is claimed only once, until one of
 * its publications succeeds. If the transaction fails, its failures can be claimed again.
 */
export const claimFailedPublications = (tx: Queryable, limit = 100): Promise<FailedPublication[]> =>
  tx<FailedPublication[]>`
    with taken as (
      update failed_publications set is_taken = true where product_id in (
        select product_id from failed_publications where not is_taken
        order by failed_at limit ${limit} for update skip locked
      ) returning product_id, reason, failed_at
    )
    select t.product_id, p.name, t.reason, t.failed_at from taken t join products p on p.id = t.product_id
    order by t.failed_at, t.product_id`
