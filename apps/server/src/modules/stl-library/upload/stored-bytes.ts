import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/database.ts'
import type { ObjectStorage } from '../../../platform/storage/object-storage.ts'
import { type StoredFiles, listUnclaimedKeys } from '../../../platform/storage/unclaimed-files.ts'
import { findKeysInUse, listNewestKeys, lockBytes } from './upload.queries.ts'

/** Returns the key of a model's bytes. Equal bytes have equal keys, so they are stored only once. */
export const objectKeyOf = (sha256: string): string => `models/${sha256}`

/**
 * Returns the key of an import's archive. The key contains the import's id, because an archive belongs to one
 * import, which deletes the archive when it is no longer needed.
 */
export const archiveKeyOf = (sha256: string, importId: string): string => `imports/${sha256}-${importId}`

/** Matches our objects. Each key contains the SHA-256 of the model it belongs to. */
const KEY = /^(?:models|thumbnails|previews|turntables|imports)\/([0-9a-f]{64})/
/** The files of the library in the storage. */
export const libraryFiles: StoredFiles = {
  prefixes: ['models/', 'thumbnails/', 'previews/', 'turntables/', 'imports/'],
  listNewestKeys,
}
/**
 * Number of keys that are checked in one query. A library has half a million objects, and a query for each
 * one would keep the database busy for minutes every hour.
 */
const BATCH = 500

/** Removes an object unless a version refers to it. Takes the same lock as an upload of the same bytes. */
export async function removeUnlessUsed(
  deps: { database: Database; storage: ObjectStorage },
  key: string,
): Promise<boolean> {
  const sha256 = KEY.exec(key)?.[1]
  if (sha256 === undefined) return false
  return deps.database.transaction(async (tx) => {
    await lockBytes(tx, sha256)
    if ((await findKeysInUse(tx, [key])).has(key)) return false
    await deps.storage.delete(key, tx)
    return true
  })
}

/**
 * Removes objects left by a crash between writing the bytes and writing the row. Returns the number of
 * removed objects.
 */
export async function sweepOrphans(deps: {
  database: Database
  storage: ObjectStorage
  clock: Clock
}): Promise<number> {
  let count = 0
  for (const prefix of libraryFiles.prefixes)
    for await (const keys of inBatches(listUnclaimedKeys(deps, prefix))) {
      const used = await findKeysInUse(deps.database.sql, keys)
      for (const key of keys) if (!used.has(key) && (await removeUnlessUsed(deps, key))) count += 1
    }
  return count
}

async function* inBatches(keys: AsyncIterable<string>): AsyncGenerator<string[]> {
  let batch: string[] = []
  for await (const key of keys) {
    batch.push(key)
    if (batch.length < BATCH) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
