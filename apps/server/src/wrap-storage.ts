import type { Config } from './config.ts'
import { ADVISORY_LOCKS } from './platform/database/advisory-lock.ts'
import type { Queryable } from './platform/database/database.ts'
import { type MalwareScanner, type ScannerLimits, createClamdScanner } from './platform/malware-scan/clamd.ts'
import { scannedStorage } from './platform/malware-scan/scanned-storage.ts'
import { measuredStorage } from './platform/measurements.ts'
import type { ObjectStorage } from './platform/storage/object-storage.ts'
import { usedByOtherDatabase } from './platform/storage/store-uses.queries.ts'

interface Deps {
  config: Pick<Config, 'clamd'>
  database: { sql: Queryable }
  storage: ObjectStorage
  scannerLimits?: Partial<ScannerLimits> | undefined
}

/**
 * Adds to the storage what all modules need: measurements, deletions that respect backups, and the malware scanner. The
 * scanner is null if none is configured.
 */
export function wrapStorage({ config, database, storage, scannerLimits }: Deps): {
  storage: ObjectStorage
  scanner: MalwareScanner | null
} {
  const unscanned = holdDeletions(measuredStorage(storage), database.sql)
  if (config.clamd === null) return { storage: unscanned, scanner: null }
  const scanner = createClamdScanner(config.clamd, scannerLimits)
  return { storage: scannedStorage(unscanned, scanner), scanner }
}

/**
 * A storage that deletes no object while a backup holds the lock `objectDeletions`, because the rows that the
 * backup reads may still refer to the object. The hourly cleanup removes the skipped objects later, since no
 * row refers to them anymore. The storage also deletes nothing for an hour after a server found that another
 * database uses the same folder or bucket (`store-claim.ts`).
 */
const holdDeletions = (storage: ObjectStorage, sql: Queryable): ObjectStorage => ({
  ...storage,
  async delete(key, tx) {
    // The lock ends with the statement, or with the transaction. Until then, a new backup does not take its snapshot.
    const [row] = await (tx ?? sql)<{ held: boolean }[]>`
      select pg_try_advisory_xact_lock_shared(${ADVISORY_LOCKS.objectDeletions}::bigint)
        and not ${usedByOtherDatabase(sql)} as held`
    if (row?.held === true) await storage.delete(key)
  },
})
