import type { PictureFormat } from '@pegasus/contracts/media/media-files'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { ObjectStorage } from '../../platform/storage/object-storage.ts'
import { type StoredFiles, listUnclaimedKeys } from '../../platform/storage/unclaimed-files.ts'
import { isMediaInUse, listNewestMediaKeys, lockMediaBytes } from './media.queries.ts'

/** Returns the storage key of a file. Equal bytes have the same key, whatever their names. */
export const mediaKeyOf = (sha256: string): string => `media/${sha256}`

export const variantKeyOf = (
  sha256: string,
  { width, format }: { width: number; format: PictureFormat },
): string => `media-variants/${sha256}-w${width}.${format}`

const KEY = /^media(?:-variants)?\/([0-9a-f]{64})/
/** The files of the shop's media in the storage. */
export const mediaFiles: StoredFiles = {
  prefixes: ['media/', 'media-variants/'],
  listNewestKeys: listNewestMediaKeys,
}

/**
 * Removes bytes that no object uses, because their object was replaced or removed, or a crash left them
 * behind. Returns the number of removed keys.
 */
export async function sweepMedia(deps: {
  database: Database
  storage: ObjectStorage
  clock: Clock
}): Promise<number> {
  const { database, storage } = deps
  let count = 0
  for (const prefix of mediaFiles.prefixes)
    for await (const key of listUnclaimedKeys(deps, prefix)) {
      const sha256 = KEY.exec(key)?.[1]
      if (sha256 === undefined || (await isMediaInUse(database.sql, sha256))) continue
      await database.transaction(async (tx) => {
        await lockMediaBytes(tx, sha256)
        if (await isMediaInUse(tx, sha256)) return
        await storage.delete(key, tx)
        count += 1
      })
    }
  return count
}
