import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { StartupError } from '../startup-error.ts'
import { createFileOnce, hasErrorCode } from './durable-files.ts'
import { type StorageOptions, storageFolder } from './open-storage.ts'

/** Tells which folder or bucket holds the files. */
export interface StoreIdentity {
  /** Servers that use the same folder or bucket have the same id. */
  id: string
  /** The folder with the name of its machine, or the address of the bucket, for people. */
  place: string
}

/** The file that identifies a folder. Objects are in folders of their own, so their names never clash with it. */
const FILE = '.store-id'
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
/** How often a file that another server is writing is read again. */
const MAX_READS = 20
const READ_PAUSE_MS = 100

/**
 * Returns the identity of the configured store, which must be open already. A folder gets a random identity in a file,
 * so that a folder that several machines share is recognized under any path. The file is only read if it exists, so a
 * server also starts on a full or read-only volume. A bucket is identified by its name, because one bucket can have
 * several addresses. Throws StartupError if the file is missing and cannot be written.
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
      // Without hard links, another server may have created the file and not written it yet.
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
