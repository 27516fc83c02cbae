import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { StartupError } from '../startup-error.ts'
import { createFileOnce, hasErrorCode } from './durable-files.ts'
import { type StorageOptions, storageFolder } from './open-storage.ts'

/** Identifies the folder or bucket in which the files are stored. */
export interface StoreIdentity {
  /**
   * A random id for a folder, or an id made from the name of a bucket. It is the same on all servers that use this
   * place.
   */
  id: string
  /** For people: the folder with the name of its machine, or the address of the bucket. */
  place: string
}

/** The file with the id of a folder. It cannot have the path of an object, because objects are in subfolders. */
const FILE = '.store-id'
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
/** How often to read a file again that another server has created but not written yet. */
const MAX_READS = 20
const READ_PAUSE_MS = 100

/**
 * Returns the identity of the configured store, which must be open already. A folder has a file with a random id, so
 * that servers recognize a shared folder under any path. If the file exists it is only read, so a server also starts on
 * a full or read-only volume. A bucket is identified by its name, because it can have several addresses. Throws
 * StartupError if the file is missing and cannot be written.
 */
export async function identifyStore(options: StorageOptions): Promise<StoreIdentity> {
  if (options.s3) {
    const { endpoint, region, bucket } = options.s3
    return { id: `s3://${bucket}`, place: `s3://${bucket} at ${endpoint ?? `Amazon S3 in ${region}`}` }
  }
  const folder = storageFolder(options)
  return { id: await folderId(join(folder, FILE)), place: `${folder} on ${hostname()}` }
}

async function folderId(path: string): Promise<string> {
  try {
    for (let reads = 0; reads < MAX_READS; reads += 1) {
      const text = await readIfExists(path)
      if (text !== null && UUID.test(text)) return text
      if (text === null) await createFileOnce(path, randomUUID())
      // On a file system without hard links, another server may have created the file but not written it yet.
      else await wait(READ_PAUSE_MS)
    }
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new StartupError(`The file ${path} cannot be read or written: ${reason}.`, { cause })
  }
  throw new StartupError(
    `The file ${path} is damaged. It should hold a UUID: stop all servers, remove the file, and start them again.`,
  )
}

async function readIfExists(path: string): Promise<string | null> {
  try {
    return (await readFile(path, 'utf8')).trim()
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return null
    throw error
  }
}
