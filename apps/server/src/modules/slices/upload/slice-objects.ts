import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/database.ts'
import type { ObjectStorage } from '../../../platform/storage/object-storage.ts'
import { type StoredFiles, listUnclaimedKeys } from '../../../platform/storage/unclaimed-files.ts'
import { findSlicesInUse, listNewestSliceKeys, lockSliceBytes } from './slice-objects.queries.ts'

/** Returns the key of a file's bytes. Equal bytes have equal keys, so they are stored only once. */
export const sliceKeyOf = (sha256: string): string => `slices/${sha256}`

export const slicePictureKeyOf = (sha256: string, plate: number): string =>
  `slice-pictures/${sha256}-p${plate}.webp`

const KEY = /^slice(?:s|-pictures)\/([0-9a-f]{64})/
/** The sliced files and their pictures in the storage. */
export const sliceFiles: StoredFiles = {
  prefixes: ['slices/', 'slice-pictures/'],
  listNewestKeys: listNewestSliceKeys,
}
const BATCH = 500

interface ObjectDeps {
  database: Database
  storage: ObjectStorage
}

/** Removes an object unless a row refers to its file. Takes the same lock as an upload of the same bytes. */
export async function removeSliceObject({ database, storage }: ObjectDeps, key: string): Promise<boolean> {
  const sha256 = KEY.exec(key)?.[1]
  if (sha256 === undefined) return false
  return database.transaction(async (tx) => {
    await lockSliceBytes(tx, sha256)
    if ((await findSlicesInUse(tx, [sliceKeyOf(sha256)])).size > 0) return false
    await storage.delete(key, tx)
    return true
  })
}

/**
 * Removes objects that no sliced file uses: those of purged rows, and leftovers of a crash. Returns the number of
 * removed objects.
 */
export async function sweepSliceObjects(deps: ObjectDeps & { clock: Clock }): Promise<number> {
  let count = 0
  for (const prefix of sliceFiles.prefixes)
    for await (const keys of inBatches(listUnclaimedKeys(deps, prefix))) {
      const used = await findSlicesInUse(
        deps.database.sql,
        keys.map((key) => sliceKeyOf(KEY.exec(key)?.[1] ?? '')),
      )
      for (const key of keys)
        if (!used.has(sliceKeyOf(KEY.exec(key)?.[1] ?? '')) && (await removeSliceObject(deps, key)))
          count += 1
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
