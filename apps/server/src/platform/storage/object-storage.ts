import type { Readable } from 'node:stream'

/** Storage for the bytes of files. Keys are paths of lower-case letters, digits, `.`, `_`, `-` and `/`. */
export interface ObjectStorage {
  /** Stores the whole source under the key, or nothing if it fails; replaces an existing object. */
  put(key: string, source: AsyncIterable<Uint8Array>): Promise<StoredObject>
  /** Begins an upload whose key or validity is only known at its end. */
  begin(): Promise<PendingObject>
  /**
   * Opens an object, or returns null if there is none. `sizeBytes` is the size of the whole object, also for a range.
   * The stream holds a file open until it is read to its end or destroyed. Throws RangeError for a range that starts
   * after the end.
   */
  open(key: string, range?: ByteRange): Promise<{ stream: Readable; sizeBytes: number } | null>
  stat(key: string): Promise<{ sizeBytes: number; modifiedAt: Date } | null>
  /** Removes an object; a missing one is no error. */
  delete(key: string): Promise<void>
  /** All objects whose key has this prefix, unordered; concurrent changes may be missing. */
  list(prefix: string): AsyncIterable<{ key: string; modifiedAt: Date }>
  /** Lends a path on the local disk, read-only, until `work` has ended. Throws ObjectNotFoundError. */
  withLocalFile<T>(key: string, work: (path: string) => Promise<T>): Promise<T>
  /** Throws if nothing can be stored right now: writes a probe and removes it. */
  check(): Promise<void>
  /**
   * Removes leftovers of uploads that were neither committed nor aborted: those of dead processes at once, others
   * after an hour without a byte. Returns how many.
   */
  sweep(): Promise<number>
}

/** Objects below this prefix are probes of the health check, which come and go. */
export const PROBES = 'probes/'

/** A key, or a function that derives it from the SHA-256 of the bytes. */
export type ObjectKey = string | ((sha256: string) => string)

export interface StoredObject {
  sizeBytes: number
  /** SHA-256 of the stored bytes, 64 hexadecimal digits. */
  sha256: string
}

/** Both ends are included, as in HTTP. Without an end: to the object's end. */
export interface ByteRange {
  start: number
  end?: number
}

/** An object that is invisible until it is committed. Calls must not overlap. */
export interface PendingObject {
  /** Throws StorageFullError if there is no room. Await it for back pressure. */
  write(chunk: Uint8Array): Promise<void>
  /** Lends a path on the local disk to the bytes written so far, read-only, until `work` has ended. */
  withLocalFile<T>(work: (path: string) => Promise<T>): Promise<T>
  /**
   * Does the slow part of the commit ahead of it and returns what was written, still invisible: flushes it to the
   * disk, or, given the final key, uploads it. Only a commit makes it permanent: a sealed object of a dead process is
   * swept.
   */
  seal(key?: ObjectKey): Promise<StoredObject>
  /** Makes it durable and visible under the key. Committing the same bytes under the same key again is harmless. */
  commit(key: ObjectKey): Promise<StoredObject>
  /** Discards it; does nothing after a commit or a second time. */
  abort(): Promise<void>
}

/** The disk is full, or the quota is used up. */
export class StorageFullError extends Error {
  override name = 'StorageFullError'
  readonly code = 'STORAGE_FULL'
}

/** The storage is unreachable, refuses, or did not keep what it was given; a later attempt may succeed. */
export class StorageUnavailableError extends Error {
  override name = 'StorageUnavailableError'
  readonly code = 'STORAGE_UNAVAILABLE'
}

export class ObjectNotFoundError extends Error {
  override name = 'ObjectNotFoundError'
  readonly code = 'OBJECT_NOT_FOUND'
}

/** A key that our code never makes; it would leave the root or clash with another. */
export class InvalidKeyError extends Error {
  override name = 'InvalidKeyError'
  readonly code = 'INVALID_KEY'
}

const SEGMENT = /^[a-z0-9_-][a-z0-9._-]*$/
const MAX_KEY_LENGTH = 200

/** Throws InvalidKeyError unless every kind of storage can hold the key. */
export function assertKey(key: string): void {
  const isValid =
    key.length <= MAX_KEY_LENGTH &&
    !key.includes('..') &&
    key.split('/').every((segment) => SEGMENT.test(segment))
  if (!isValid) throw new InvalidKeyError(`${JSON.stringify(key.slice(0, 250))} is not a storage key.`)
}

/** Stores the whole source through a pending object, or nothing. */
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
