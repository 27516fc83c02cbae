import type { Queryable } from '../../../platform/database/database.ts'

/** A product that did not get to the main site. */
export interface FailedPublication {
  product_id: string
  name: string
  /** The other side's words, 500 characters at most. */
  reason: string | null
  failed_at: string
}

/**
 * Takes what has failed since the last time, the oldest first, for whoever tells people of it: each product is taken
 * once until a publication of it succeeds, however often it is tried in vain, and comes back if the transaction fails.
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
