import type { Database } from '../../../platform/database/database.ts'
import type { WorkerPool } from '../../../platform/workers/worker-pool.ts'
import type { DigestRequest, FileDigest, FoundEntry } from '../upload/inspection/inspection.protocol.ts'
import type { ReceivedArchive } from '../upload/receive-bytes.ts'
import { findKnownSizes } from './imports.queries.ts'

/** Maximum unpacked size that is hashed per archive. Hashing this much takes a thread one or two seconds. */
const MAX_DIGESTED_BYTES = 256 * 1024 * 1024
const DEADLINE_MS = 10_000

/**
 * Hashes the files of an archive that may be duplicates. Returns their SHA-256 by index. Before anybody has chosen
 * files, only those whose size matches a model are unpacked, smallest first, up to 256 MiB in total. All other
 * duplicates are found when the files become models.
 */
export type Recognize = (
  archive: Pick<ReceivedArchive, 'entries' | 'pending'>,
) => Promise<Map<number, string>>

export function createRecognize(deps: { database: Database; inspectors: WorkerPool }): Recognize {
  const { database, inspectors } = deps
  return async ({ entries, pending }) => {
    const models = entries.filter((entry) => entry.format !== null)
    const sizes = await findKnownSizes(
      database.sql,
      models.map((entry) => entry.sizeBytes),
    )
    const indexes = withinReason(models.filter((entry) => sizes.has(entry.sizeBytes)))
    if (indexes.length === 0) return new Map()
    try {
      const digests = await pending.withLocalFile((path) => {
        const request: DigestRequest = { work: 'digest', path, indexes }
        return inspectors.run<FileDigest[]>(request, { deadlineMs: DEADLINE_MS })
      })
      return new Map(digests.map(({ index, sha256 }) => [index, sha256]))
    } catch {
      // The marks of duplicates are only a hint. An upload must not fail because hashing took too long or no thread was
      // free.
      return new Map()
    }
  }
}

/** Returns the indexes of the smallest files that together fit the limit, smallest first. */
export function withinReason(files: readonly Pick<FoundEntry, 'index' | 'sizeBytes'>[]): number[] {
  let left = MAX_DIGESTED_BYTES
  return files
    .toSorted((a, b) => a.sizeBytes - b.sizeBytes)
    .filter(({ sizeBytes }) => (left -= sizeBytes) >= 0)
    .map(({ index }) => index)
}
