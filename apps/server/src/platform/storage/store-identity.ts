import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { StartupError } from '../startup-error.ts'
import { createFileOnce } from './durable-files.ts'
import { type StorageOptions, storageFolder } from './open-storage.ts'

/** Tells which folder or bucket holds the files. */
export interface StoreIdentity {
  /** Equal for two servers if and only if they use the same folder or bucket. */
  id: string
  /** The folder with the name of its machine, or the address of the bucket, for people. */
  place: string
}

/** The file that identifies a folder. Objects are in folders of their own, so their names never clash with it. */
const FILE = '.store-id'

/**
 * Returns the identity of the configured store, which must be open already. A folder gets a random identity in a file,
 * so that a folder that several machines share is recognized under any path. Throws StartupError if the file cannot be
 * written.
 */
export async function identifyStore(options: StorageOptions): Promise<StoreIdentity> {
  if (options.s3) {
    const { endpoint, region, bucket } = options.s3
    const place = `s3://${bucket} at ${endpoint ?? `Amazon S3 in ${region}`}`
    return { id: place, place }
  }
  const folder = storageFolder(options)
  const path = join(folder, FILE)
  try {
    await createFileOnce(path, randomUUID())
    return { id: (await readFile(path, 'utf8')).trim(), place: `${folder} on ${hostname()}` }
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new StartupError(`The file ${path} cannot be written or read: ${reason}.`, { cause })
  }
}
