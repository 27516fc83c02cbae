import { createHash, randomUUID } from 'node:crypto'
import { constants, type FileHandle, open, readdir, rm, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { isRunning, ownIdentity, type ProcessIdentity } from '../process-identity.ts'
import type { ServiceLog } from '../service-log.ts'
import { asStorageError, beginPending } from './disk-pending.ts'
import { hasCode, makeFolder } from './durable-files.ts'
import { assertKey, type ByteRange, ObjectNotFoundError, type ObjectStorage } from './object-storage.ts'

const HOUR_MS = 60 * 60 * 1000
const HASH_FOLDER = /^[0-9a-f]{2}$/

/**
 * Objects as files under one folder, which several processes may share. A file is written under a
 * name in `.pending`, flushed, and renamed to its place, so that a crash never leaves half of one.
 * What dead processes left behind is removed before this answers.
 */
export async function openDiskStorage(options: { folder: string; log: ServiceLog }): Promise<ObjectStorage> {
  const root = resolve(options.folder)
  const pendingFolder = join(root, '.pending')
  await makeFolder(pendingFolder)
  const identity = await ownIdentity()

  const begin = () => beginPending(join(pendingFolder, pendingName(identity)), (key) => placeOf(root, key))
  const sweep = async () => {
    const count = await sweepPending(pendingFolder)
    if (count > 0) options.log.info({ count }, 'removed unfinished uploads')
    return count
  }
  await sweep()

  return {
    begin,
    sweep,
    async put(key, source) {
      assertKey(key)
      const pending = await begin()
      try {
        for await (const chunk of source) await pending.write(chunk)
        return await pending.commit(key)
      } finally {
        await pending.abort()
      }
    },
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
 * `ab/cd/<key>`, two levels by hash: no folder grows large, and since the key becomes one name, the
 * keys `a` and `a/b` can both exist.
 */
function placeOf(root: string, key: string): string {
  assertKey(key)
  const hash = createHash('sha256').update(key).digest('hex')
  return join(root, hash.slice(0, 2), hash.slice(2, 4), key.replaceAll('/', '+'))
}

// The owner is part of the name: a sweep can tell from it whether anybody may still be writing.
function pendingName(owner: ProcessIdentity): string {
  return [owner.pid, owner.startedAt, owner.namespace, randomUUID()].map(encodeURIComponent).join('~')
}

function ownerOf(name: string): ProcessIdentity | null {
  const [pid, startedAt, namespace, id] = name.split('~').map(decodeURIComponent)
  return pid && startedAt && namespace && id ? { pid: Number(pid), startedAt, namespace } : null
}

async function sweepPending(folder: string): Promise<number> {
  let count = 0
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    const owner = ownerOf(name)
    const isDead = owner !== null && (await isRunning(owner)) === false
    if (!isDead && !(await isOlderThan(path, HOUR_MS))) continue
    await rm(path, { force: true })
    count += 1
  }
  return count
}

async function isOlderThan(path: string, ageMs: number): Promise<boolean> {
  const found = await stat(path).catch(() => null)
  return found !== null && Date.now() - found.mtimeMs > ageMs
}

async function statObject(place: string): Promise<{ sizeBytes: number; modifiedAt: Date } | null> {
  try {
    const found = await stat(place)
    return found.isFile() ? { sizeBytes: found.size, modifiedAt: found.mtime } : null
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return null
    throw error
  }
}

async function* listObjects(root: string, prefix: string) {
  for (const first of await readdir(root, { withFileTypes: true })) {
    // A folder at a time: a shop has a hundred thousand objects.
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
      throw new RangeError('The range begins behind the end.')
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
    // No link is followed: whatever somebody puts beside our files, none is read from outside the root.
    return await asStorageError(() => open(place, constants.O_RDONLY | constants.O_NOFOLLOW))
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return null
    throw error
  }
}
