import type { PictureFormat } from '@pegasus/contracts/media/media-files'
import { type Clock, HOUR_MS } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { ObjectStorage } from '../../platform/storage/object-storage.ts'
import { isMediaInUse, lockMediaBytes } from './media.queries.ts'

/** Returns the storage key of a file. Equal bytes have the same key, whatever their names. */
export const mediaKeyOf = (sha256: string): string => `media/${sha256}`

export const variantKeyOf = (
  sha256: string,
  { width, format }: { width: number; format: PictureFormat },
): string => `media-variants/${sha256}-w${width}.${format}`

const KEY = /^media(?:-variants)?\/([0-9a-f]{64})/
const PREFIXES = ['media/', 'media-variants/']
/** Younger bytes might belong to an upload whose row is not written yet, or might still be arriving. */
const MIN_AGE_MS = HOUR_MS

/**
 * Removes bytes that no object uses, because their object was replaced or removed, or a crash left them
 * behind. Returns the number of removed keys.
 */
export async function sweepMedia(deps: {
  database: Database
  storage: ObjectStorage
  clock: Clock
}): Promise<number> {
  const { database, storage, clock } = deps
  const before = clock.now().getTime() - MIN_AGE_MS
  let count = 0
  for (const prefix of PREFIXES)
    for await (const { key, modifiedAt } of storage.list(prefix)) {
      const sha256 = KEY.exec(key)?.[1]
      if (sha256 === undefined || modifiedAt.getTime() > before) continue
      if (await isMediaInUse(database.sql, sha256)) continue
      await database.transaction(async (tx) => {
        await lockMediaBytes(tx, sha256)
        if (await isMediaInUse(tx, sha256)) return
        await storage.delete(key, tx)
        count += 1
      })
    }
  return count
}
