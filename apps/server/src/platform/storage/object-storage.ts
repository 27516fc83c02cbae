import type { Readable } from 'node:stream'

/** Where the bytes of files live. Keys are paths of lower-case letters, digits, `.`, `_`, `-` and `/`. */
export interface ObjectStorage {
  /** Stores the whole source under the key, or nothing if it fails; replaces what was there. */
  put(key: string, source: AsyncIterable<Uint8Array>): Promise<StoredObject>
  /** Begins an upload whose key or verdict is only known at its end. */
  begin(): Promise<PendingObject>
  /**
   * Opens an object, or answers null if there is none. `sizeBytes` is that of the whole object, with a
   * range too. The stream holds a file open until it was read to its end or destroyed.
   * Throws RangeError for a range that begins behind the end.
   */
  open(key: string, range?: ByteRange): Promise<{ stream: Readable; sizeBytes: number } | null>
  stat(key: string): Promise<{ sizeBytes: number; modifiedAt: Date } | null>
  /** Removes an object; one that is not there is no error. */
  delete(key: string): Promise<void>
  /** All objects whose key begins so, in no order; what comes or goes meanwhile may be missing. */
  list(prefix: string): AsyncIterable<{ key: string; modifiedAt: Date }>
  /** Lends a path on the local disk, to read only, until `work` has ended. Throws ObjectNotFoundError. */
  withLocalFile<T>(key: string, work: (path: string) => Promise<T>): Promise<T>
  /** Throws if nothing can be stored right now: writes a probe and removes it. */
  check(): Promise<void>
  /**
   * Removes what uploads left behind that ended without a verdict: those of dead processes at once,
   * others after an hour without a byte. Answers how many.
   */
  sweep(): Promise<number>
}

export interface StoredObject {
  sizeBytes: number
  /** Of the stored bytes, 64 hexadecimal digits. */
  sha256: string
}

/** Both ends are included, as in HTTP. Without an end: to the object's end. */
export interface ByteRange {
  start: number
  end?: number
}

/** An object that nobody sees until it is committed. Calls come one after the other. */
export interface PendingObject {
  /** Throws StorageFullError when there is no room. Await it: that is the back pressure. */
  write(chunk: Uint8Array): Promise<void>
  /** Lends a path on the local disk to what was written so far, to read only, until `work` has ended. */
  withLocalFile<T>(work: (path: string) => Promise<T>): Promise<T>
  /** Makes what was written durable, unseen as before, and answers what it is. */
  seal(): Promise<StoredObject>
  /**
   * Makes it durable and visible under the key, which may follow from the bytes themselves. Committing the
   * same bytes under the same key again is harmless.
   */
  commit(key: string | ((sha256: string) => string)): Promise<StoredObject>
  /** Throws it away; after a commit or a second time it does nothing. */
  abort(): Promise<void>
}

/** There is no room left, or the quota is used up. */
export class StorageFullError extends Error {
  override name = 'StorageFullError'
  readonly code = 'STORAGE_FULL'
}

export class ObjectNotFoundError extends Error {
  override name = 'ObjectNotFoundError'
  readonly code = 'OBJECT_NOT_FOUND'
}

/** A key that no program of ours makes; it would leave the root or clash with another. */
export class InvalidKeyError extends Error {
  override name = 'InvalidKeyError'
  readonly code = 'INVALID_KEY'
}

const SEGMENT = /^[a-z0-9_-][a-z0-9._-]*$/
const MAX_KEY_LENGTH = 200

/** Throws InvalidKeyError unless the key is one that every kind of storage can hold. */
export function assertKey(key: string): void {
  const isValid =
    key.length <= MAX_KEY_LENGTH &&
    !key.includes('..') &&
    key.split('/').every((segment) => SEGMENT.test(segment))
  if (!isValid) throw new InvalidKeyError(`${JSON.stringify(key.slice(0, 250))} is not a storage key.`)
}
