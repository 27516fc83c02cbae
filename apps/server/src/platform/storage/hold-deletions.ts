import { ADVISORY_LOCKS } from '../database/advisory-lock.ts'
import type { Queryable } from '../database/database.ts'
import type { ObjectStorage } from './object-storage.ts'

/**
 * A storage that deletes no object while a backup holds the lock `objectDeletions`, because the rows that the
 * backup reads may still refer to the object. The hourly cleanup removes the skipped objects later, since no
 * row refers to them anymore.
 */
export const holdDeletions = (storage: ObjectStorage, sql: Queryable): ObjectStorage => ({
  ...storage,
  async delete(key, tx) {
    // The lock ends with the statement, or with the transaction. Until then, a backup waits with its snapshot.
    const [row] = await (tx ?? sql)<{ held: boolean }[]>`
      select pg_try_advisory_xact_lock_shared(${ADVISORY_LOCKS.objectDeletions}::bigint) as held`
    if (row?.held === true) await storage.delete(key)
  },
})
