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

/** A key, or how it follows from the SHA-256 of the bytes themselves. */
export type ObjectKey = string | ((sha256: string) => string)

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
  /**
   * Does ahead of the commit what takes its time, and answers what was written, which is unseen as before: flushes it to
   * the disk, or, told the key that the commit will name, sends it to where it belongs. Only a commit makes it last: what
   * is sealed when the process dies is swept.
   */
  seal(key?: ObjectKey): Promise<StoredObject>
  /** Makes it durable and visible under the key. Committing the same bytes under the same key again is harmless. */
  commit(key: ObjectKey): Promise<StoredObject>
  /** Throws it away; after a commit or a second time it does nothing. */
  abort(): Promise<void>
}

/** There is no room left, or the quota is used up. */
export class StorageFullError extends Error {
  override name = 'StorageFullError'
  readonly code = 'STORAGE_FULL'
}

/** The storage cannot be reached, refuses, or did not keep what it was given; later it may well. */
export class StorageUnavailableError extends Error {
  override name = 'StorageUnavailableError'
  readonly code = 'STORAGE_UNAVAILABLE'
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

/** Stores the whole source by way of a pending object, or nothing. */
export async function putWhole(
  begin: () => Promise<PendingObject>,
  key: string,
  source: AsyncIterable<Uint8Array>,
): Promise<StoredObject> {
  assertKey(key)
  const pending = await begin()
  try {
    for await (const chunk of source) await pending.write(chunk)
    return await pending.commit(key)
  } finally {
    await pending.abort()
  }
}
