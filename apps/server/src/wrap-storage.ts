import type { Config } from './config.ts'
import type { Queryable } from './platform/database/database.ts'
import { type MalwareScanner, type ScannerLimits, createClamdScanner } from './platform/malware-scan/clamd.ts'
import { scannedStorage } from './platform/malware-scan/scanned-storage.ts'
import { measuredStorage } from './platform/measurements.ts'
import { holdDeletions } from './platform/storage/hold-deletions.ts'
import type { ObjectStorage } from './platform/storage/object-storage.ts'

interface Deps {
  config: Pick<Config, 'clamd'>
  database: { sql: Queryable }
  storage: ObjectStorage
  scannerLimits?: Partial<ScannerLimits> | undefined
}

/**
 * Returns the storage as the modules use it: measured, with deletions that wait for backups, and with a malware
 * scanner if one is configured. Otherwise, the scanner is null.
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
