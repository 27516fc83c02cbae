import { createHash } from 'node:crypto'
import { constants, type FileHandle, open, readdir, rm, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { ServiceLog } from '../log/service-log.ts'
import { hasErrorCode, makeFolder, renameDurably } from './durable-files.ts'
import {
  assertKey,
  type ByteRange,
  ObjectNotFoundError,
  type ObjectStorage,
  putWhole,
} from './object-storage.ts'
import { asStorageError, type Destination } from './pending-file.ts'
import { openPendingFolder } from './pending-folder.ts'

const HASH_FOLDER = /^[0-9a-f]{2}$/

/**
 * Stores objects as files in one folder, which several processes may share. A file is written under a name in
 * `.pending`, flushed and then renamed, so that a crash never leaves an incomplete object. Leftovers of dead
 * processes are removed before this function returns.
 */
export async function openDiskStorage(options: { folder: string; log: ServiceLog }): Promise<ObjectStorage> {
  const root = resolve(options.folder)
  const pendingFiles = await openPendingFolder(join(root, '.pending'), options.log)
  const begin = () => pendingFiles.begin(diskDestination(root))

  return {
    begin,
    sweep: () => pendingFiles.sweep(),
    put: (key, source) => putWhole(begin, key, source),
    open: (key, range) => openObject(placeOf(root, key), range),
    stat: (key) => statObject(placeOf(root, key)),
    delete: (key) => rm(placeOf(root, key), { force: true }),
    list: (prefix) => listObjects(root, prefix),
    async withLocalFile(key, work) {
      const place = placeOf(root, key)
      if ((await statObject(place)) === null) throw new ObjectNotFoundError(`There is no object ${key}.`)
      return work(place)
    },
    async check() {
      const probe = await begin()
      try {
        await probe.write(Buffer.from('probe'))
      } finally {
        await probe.abort()
      }
    },
  }
}

/**
 * Returns the path `ab/cd/<key>`. Two levels of folders, named by hash, keep every folder small. The whole
 * key becomes one file name, so the keys `a` and `a/b` can both exist.
 */
function placeOf(root: string, key: string): string {
  assertKey(key)
  const hash = createHash('sha256').update(key).digest('hex')
  return join(root, hash.slice(0, 2), hash.slice(2, 4), key.replaceAll('/', '+'))
}

/** Creates the destination of a pending file, which flushes the file and renames it to its final name. */
function diskDestination(root: string): Destination {
  return {
    prepare: ({ handle }) => handle.sync(),
    async place({ path, handle }, key) {
      const place = placeOf(root, key)
      // Flush before the rename. After a crash, the final name could otherwise belong to an incomplete file.
      await handle.sync()
      await makeFolder(dirname(place))
      await renameDurably(path, place)
    },
    discard: async () => undefined,
  }
}

async function statObject(place: string): Promise<{ sizeBytes: number; modifiedAt: Date } | null> {
  try {
    const found = await stat(place)
    return found.isFile() ? { sizeBytes: found.size, modifiedAt: found.mtime } : null
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR')) return null
    throw error
  }
}

async function* listObjects(root: string, prefix: string) {
  for (const first of await readdir(root, { withFileTypes: true })) {
    // Read one folder at a time, because a shop can have a hundred thousand objects.
    if (!first.isDirectory() || !HASH_FOLDER.test(first.name)) continue
    const folder = join(root, first.name)
    for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
      const key = entry.name.replaceAll('+', '/')
      if (!entry.isFile() || !key.startsWith(prefix)) continue
      const found = await statObject(join(entry.parentPath, entry.name))
      if (found) yield { key, modifiedAt: found.modifiedAt }
    }
  }
}

async function openObject(place: string, range?: ByteRange) {
  const file = await openForReading(place)
  if (!file) return null
  try {
    const { size } = await file.stat()
    if (range && (range.start < 0 || range.start >= size))
      throw new RangeError('The range begins after the end.')
    const end = range?.end === undefined ? {} : { end: Math.min(range.end, size - 1) }
    const stream = file.createReadStream({ start: range?.start ?? 0, ...end, highWaterMark: 256 * 1024 })
    return { stream, sizeBytes: size }
  } catch (error) {
    await file.close()
    throw error
  }
}

async function openForReading(place: string): Promise<FileHandle | null> {
  try {
    // Do not follow links, so that nothing outside the root is ever read.
    return await asStorageError(() => open(place, constants.O_RDONLY | constants.O_NOFOLLOW))
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR')) return null
    throw error
  }
}
