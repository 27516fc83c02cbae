import { createHash, type Hash } from 'node:crypto'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { hasErrorCode } from './durable-files.ts'
import { type ObjectKey, type PendingObject, StorageFullError, type StoredObject } from './object-storage.ts'

/** A file that contains all bytes of an object, but is not in its place yet. */
export interface CompleteFile extends StoredObject {
  path: string
  handle: FileHandle
}

/** The place to which one pending file goes. It may remember which steps are done. */
export interface Destination {
  /**
   * Does the slow work before `place`. The bytes stay invisible. The key is null if the caller does not know it yet.
   */
  prepare(file: CompleteFile, key: string | null): Promise<void>
  /** Makes the bytes durable and visible under the key. The file at `path` is gone afterwards. */
  place(file: CompleteFile, key: string): Promise<void>
  /** Discards bytes that were prepared but not placed. */
  discard(): Promise<void>
}

/** Begins a pending object. `path` is a new file. */
export async function beginPendingFile(path: string, destination: Destination): Promise<PendingObject> {
  const handle = await asStorageError(() => open(path, 'wx+', 0o600))
  return new PendingFile(path, handle, destination)
}

class PendingFile implements PendingObject {
  readonly #path: string
  readonly #destination: Destination
  readonly #hash: Hash = createHash('sha256')
  #handle: FileHandle | null
  #sizeBytes = 0

  constructor(path: string, handle: FileHandle, destination: Destination) {
    this.#path = path
    this.#handle = handle
    this.#destination = destination
  }

  async write(chunk: Uint8Array): Promise<void> {
    const handle = this.#openHandle()
    this.#hash.update(chunk)
    await asStorageError(async () => {
      for (let written = 0; written < chunk.byteLength; ) {
        written += (await handle.write(chunk, written, chunk.byteLength - written)).bytesWritten
      }
    })
    this.#sizeBytes += chunk.byteLength
  }

  async withLocalFile<T>(work: (path: string) => Promise<T>): Promise<T> {
    this.#openHandle()
    return work(this.#path)
  }

  async seal(key?: ObjectKey): Promise<StoredObject> {
    const file = this.#complete()
    await asStorageError(() =>
      this.#destination.prepare(file, key === undefined ? null : keyOf(key, file.sha256)),
    )
    return { sizeBytes: file.sizeBytes, sha256: file.sha256 }
  }

  async commit(key: ObjectKey): Promise<StoredObject> {
    const file = this.#complete()
    await asStorageError(() => this.#destination.place(file, keyOf(key, file.sha256)))
    this.#handle = null
    await file.handle.close()
    return { sizeBytes: file.sizeBytes, sha256: file.sha256 }
  }

  async abort(): Promise<void> {
    const handle = this.#handle
    if (!handle) return
    this.#handle = null
    try {
      await handle.close()
    } finally {
      await rm(this.#path, { force: true })
      await this.#destination.discard()
    }
  }

  #complete(): CompleteFile {
    const sha256 = this.#hash.copy().digest('hex')
    return { path: this.#path, handle: this.#openHandle(), sizeBytes: this.#sizeBytes, sha256 }
  }

  #openHandle(): FileHandle {
    if (!this.#handle) throw new Error('This upload has already been committed or aborted.')
    return this.#handle
  }
}

const keyOf = (key: ObjectKey, sha256: string): string => (typeof key === 'string' ? key : key(sha256))

/** Runs work on files. Throws StorageFullError if it fails because the disk is full or the quota is used up. */
export async function asStorageError<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (hasErrorCode(error, 'ENOSPC', 'EDQUOT')) {
      throw new StorageFullError('There is no space left for files.', { cause: error })
    }
    throw error
  }
}
