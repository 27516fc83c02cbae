import { mediaFiles } from './modules/media/index.ts'
import { photoFiles } from './modules/print-queue/index.ts'
import { sliceFiles } from './modules/slices/index.ts'
import { libraryFiles } from './modules/stl-library/index.ts'
import type { Queryable } from './platform/database/database.ts'
import { resumableFiles } from './platform/resumable/resumable-uploads.ts'
import { StartupError } from './platform/startup-error.ts'
import type { ObjectStorage } from './platform/storage/object-storage.ts'
import type { StoreIdentity } from './platform/storage/store-identity.ts'
import { isKnownStore } from './platform/storage/store-uses.queries.ts'

const OWNERS = [libraryFiles, sliceFiles, photoFiles, mediaFiles, resumableFiles]
/** How many of the newest files of each part are looked up. One that exists is enough, because some may be lost. */
const LOOKED_FOR = 20

/**
 * Throws StartupError if the folder or bucket contains files of another database, because the hourly cleanup would
 * delete them. Does nothing if this database has used the store before. Otherwise, the store must contain a file of
 * this database, or no files. Files that were stored before `acceptedBefore` are ignored.
 */
export async function refuseForeignFiles(options: {
  database: { sql: Queryable }
  storage: ObjectStorage
  store: StoreIdentity
  acceptedBefore: Date | null
}): Promise<void> {
  const { database, storage, store, acceptedBefore } = options
  const { sql } = database
  if (await isKnownStore(sql, store.id)) return
  const lists = await Promise.all(OWNERS.map((owner) => owner.listNewestKeys(sql, LOOKED_FOR)))
  const own = lists.flat()
  for (const key of own) if ((await storage.stat(key)) !== null) return
  const foreign = await findFile(storage, acceptedBefore)
  if (foreign !== null) throw foreignFiles(store, foreign, own.length === 0)
}

/** Returns the key of a file that was stored at or after this time, or null if there is none. */
async function findFile(storage: ObjectStorage, acceptedBefore: Date | null): Promise<string | null> {
  const prefixes = OWNERS.flatMap((owner) => owner.prefixes)
  for await (const { key, modifiedAt } of storage.list('')) {
    const isAccepted = acceptedBefore !== null && modifiedAt < acceptedBefore
    if (!isAccepted && prefixes.some((prefix) => key.startsWith(prefix))) return key
  }
  return null
}

const foreignFiles = ({ place }: StoreIdentity, key: string, isNew: boolean): StartupError =>
  new StartupError(
    [
      `${place} already holds files of Pegasus Ops, such as ${key}, but ` +
        `${isNew ? 'the database is new and refers to no file' : 'the database refers to other files, of which none is there'}. ` +
        'The hourly cleanup would delete them. The server does not start, and no file was changed.',
      '- If the database was lost: restore your backup into an empty database and an empty folder or bucket, with npm run restore -- <folder of the backups>. If you have only a dump of the database, restore it beside these files.',
      '- If DATABASE_URL, STORAGE_URL or DATA_DIR is wrong: correct it.',
      '- For a new installation: set STORAGE_URL (or DATA_DIR) to an empty folder or bucket.',
      `- Only if nobody needs these files: set DELETE_UNKNOWN_FILES_BEFORE=${new Date().toISOString()} for one start. The cleanup then deletes the files that were stored before this time.`,
    ].join('\n'),
  )
