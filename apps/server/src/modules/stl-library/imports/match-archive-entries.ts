import type { Database } from '../../../platform/database/database.ts'
import type { WorkerPool } from '../../../platform/workers/worker-pool.ts'
import type { DigestRequest, FileDigest, FoundEntry } from '../upload/inspection/inspection.protocol.ts'
import type { ReceivedArchive } from '../upload/receive-bytes.ts'
import { findKnownSizes } from './imports.queries.ts'

/** Unpacked, of one archive: a second or two of a thread's time. */
const MAX_DIGESTED_BYTES = 256 * 1024 * 1024
const DEADLINE_MS = 10_000

/**
 * SHA-256 of those files of an archive, by their places in it, that the library may have already. Which they are the sizes
 * of its models tell; only they are unpacked before anybody chose, the smallest first, 256 MiB at most. Whatever is not
 * looked at here is recognised when it becomes a model.
 */
export type Recognise = (
  archive: Pick<ReceivedArchive, 'entries' | 'pending'>,
) => Promise<Map<number, string>>

export function createRecognise(deps: { database: Database; inspectors: WorkerPool }): Recognise {
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
      // A hint that takes too long, or that nobody has a thread for, is none; no upload fails for it.
      return new Map()
    }
  }
}

/** The places of as many files as may be unpacked for a hint. */
export function withinReason(files: readonly Pick<FoundEntry, 'index' | 'sizeBytes'>[]): number[] {
  let left = MAX_DIGESTED_BYTES
  return files
    .toSorted((a, b) => a.sizeBytes - b.sizeBytes)
    .filter(({ sizeBytes }) => (left -= sizeBytes) >= 0)
    .map(({ index }) => index)
}
