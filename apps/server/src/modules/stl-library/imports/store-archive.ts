import { type Clock, DAY_MS, addMs } from '../../../platform/clock.ts'
import type { Database, Queryable } from '../../../platform/database/database.ts'
import type { ObjectStorage, StoredObject } from '../../../platform/storage/object-storage.ts'
import { lockBytes } from '../upload/upload.queries.ts'
import type { ReceivedArchive } from '../upload/receive-bytes.ts'
import { archiveKeyOf, removeUnlessUsed } from '../upload/stored-bytes.ts'
import { offerArchive } from './imports.queries.ts'
import type { Recognize } from './match-archive-entries.ts'

/** Time for which an archive waits for a choice. */
export const ARCHIVE_KEPT_MS = DAY_MS

/** Moves the bytes into place and makes the import wait for a choice, within the transaction. */
type OfferArchive = () => Promise<void>

/**
 * Runs `work` in a transaction and returns its result. `work` may offer the archive. If it does not, or if the
 * transaction fails, no bytes remain. The transaction may run more than once.
 */
export async function storeArchive<T>(
  deps: { database: Database; storage: ObjectStorage; clock: Clock; recognize: Recognize },
  { archive, id, fetchedAt }: { archive: ReceivedArchive; id: string; fetchedAt: Date | null },
  work: (tx: Queryable, offer: OfferArchive, stored: StoredObject) => Promise<T>,
): Promise<T> {
  const { pending, fileName, entries } = archive
  let unclaimed: string | null = null
  try {
    const digests = await deps.recognize(archive)
    // Seal before the transaction, so that no locks are held while the storage works.
    const stored = await pending.seal((hash) => archiveKeyOf(hash, id))
    const { sha256, sizeBytes } = stored
    const objectKey = archiveKeyOf(sha256, id)
    const answer = await deps.database.transaction((tx) => {
      const offer = async (): Promise<void> => {
        await lockBytes(tx, sha256)
        // An earlier attempt of this transaction may already have committed the archive.
        if (unclaimed === null) {
          unclaimed = objectKey
          await pending.commit(objectKey)
        }
        const now = deps.clock.now()
        const expiresAt = addMs(now, ARCHIVE_KEPT_MS)
        const kept = { objectKey, fileName, sizeBytes, entries, digests, expiresAt, fetchedAt, now }
        await offerArchive(tx, id, kept)
      }
      return work(tx, offer, stored)
    })
    unclaimed = null
    return answer
  } finally {
    await pending.abort()
    // The commit may have succeeded although its confirmation was lost. So bytes that a row uses are kept. The error of
    // the transaction is reported, and the hourly cleanup removes what remains.
    if (unclaimed !== null) await removeUnlessUsed(deps, unclaimed).catch(() => false)
  }
}
