import type { Database, Queryable, TransactionSql } from './database.ts'

/**
 * Plans each query of the transaction for its own values: whether an index helps a search depends on how rare the
 * words are, and a generic plan would scan the whole table for a rare one.
 */
export const forceCustomPlan = (tx: Queryable) => tx`set local plan_cache_mode = force_custom_plan`

/** Runs one query planned for its own values, in a transaction of its own. */
export const queryWithCustomPlan = <T>(
  database: Database,
  query: (tx: TransactionSql) => Promise<T>,
): Promise<T> =>
  database.transaction(async (tx) => {
    await forceCustomPlan(tx)
    return query(tx)
  })
