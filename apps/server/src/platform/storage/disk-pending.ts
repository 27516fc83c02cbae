import { createHash, type Hash } from 'node:crypto'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { hasCode, makeFolder, renameDurably } from './durable-files.ts'
import { type PendingObject, StorageFullError, type StoredObject } from './object-storage.ts'

/** Begins a pending object in the file `path`; `placeOf` tells where a key's file belongs. */
export async function beginPending(path: string, placeOf: (key: string) => string): Promise<PendingObject> {
  const file = await asStorageError(() => open(path, 'wx', 0o600))
  return new DiskPendingObject(path, file, placeOf)
}

class DiskPendingObject implements PendingObject {
  readonly #path: string
  readonly #placeOf: (key: string) => string
  readonly #hash: Hash = createHash('sha256')
  #file: FileHandle | null
  #sizeBytes = 0

  constructor(path: string, file: FileHandle, placeOf: (key: string) => string) {
    this.#path = path
    this.#file = file
    this.#placeOf = placeOf
  }

  async write(chunk: Uint8Array): Promise<void> {
    const file = this.#openFile()
    this.#hash.update(chunk)
    await asStorageError(async () => {
      for (let written = 0; written < chunk.byteLength; ) {
        written += (await file.write(chunk, written, chunk.byteLength - written)).bytesWritten
      }
    })
    this.#sizeBytes += chunk.byteLength
  }

  async withLocalFile<T>(work: (path: string) => Promise<T>): Promise<T> {
    this.#openFile()
    return work(this.#path)
  }

  async seal(): Promise<StoredObject> {
    const file = this.#openFile()
    await asStorageError(() => file.sync())
    return { sizeBytes: this.#sizeBytes, sha256: this.#hash.copy().digest('hex') }
  }

  async commit(key: string | ((sha256: string) => string)): Promise<StoredObject> {
    const file = this.#openFile()
    const sha256 = this.#hash.copy().digest('hex')
    const place = this.#placeOf(typeof key === 'string' ? key : key(sha256))
    await asStorageError(async () => {
      // Before the rename: a name that is durable while its bytes are not is a corrupt file after a crash.
      await file.sync()
      await makeFolder(dirname(place))
      await renameDurably(this.#path, place)
    })
    this.#file = null
    await file.close()
    return { sizeBytes: this.#sizeBytes, sha256 }
  }

  async abort(): Promise<void> {
    const file = this.#file
    if (!file) return
    this.#file = null
    try {
      await file.close()
    } finally {
      await rm(this.#path, { force: true })
    }
  }

  #openFile(): FileHandle {
    if (!this.#file) throw new Error('This upload has already been committed or aborted.')
    return this.#file
  }
}

/** Runs work on files; a full disk or a used-up quota becomes a StorageFullError. */
export async function asStorageError<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (hasCode(error, 'ENOSPC', 'EDQUOT')) {
      throw new StorageFullError('There is no room left for files.', { cause: error })
    }
    throw error
  }
}
