import type { Readable } from 'node:stream'
import type { Queryable } from '../database/sql.ts'
import { CodedError } from '../errors/coded-error.ts'

/** Storage for the bytes of files. Keys are paths of lower-case letters, digits, `.`, `_`, `-` and `/`. */
export interface ObjectStorage {
  /**
   * Stores the whole source under the key and replaces an existing object. Stores nothing if the source fails.
   * Only for bytes that the server made itself, because no malware scanner checks them.
   */
  put(key: string, source: AsyncIterable<Uint8Array>): Promise<StoredObject>
  /**
   * Begins an upload whose key or validity is known only at its end. `own` marks bytes that the server made
   * itself, or that are checked later. All other bytes are passed to the malware scanner, if there is one.
   */
  begin(origin?: ByteOrigin): Promise<PendingObject>
  /**
   * Opens an object, or returns null if there is none. `sizeBytes` is the size of the whole object, even for
   * a range. The stream holds a file open until it is read to its end or destroyed. Throws RangeError for a
   * range that starts after the end.
   */
  open(key: string, range?: ByteRange): Promise<{ stream: Readable; sizeBytes: number } | null>
  /** Returns the size of an object and when it was stored, or null if there is none. */
  stat(key: string): Promise<{ sizeBytes: number; modifiedAt: Date } | null>
  /**
   * Removes an object to which no row refers. Does nothing if the object is missing. While a backup reads the
   * database, the object stays until a later cleanup. Inside a transaction, pass it as `tx`.
   */
  delete(key: string, tx?: Queryable): Promise<void>
  /**
   * Yields all objects whose keys have this prefix, in no particular order. Concurrent changes may be
   * missing.
   */
  list(prefix: string): AsyncIterable<{ key: string; modifiedAt: Date }>
  /** Provides a read-only path on the local disk until `work` has ended. Throws ObjectNotFoundError. */
  withLocalFile<T>(key: string, work: (path: string) => Promise<T>): Promise<T>
  /** Writes a test object and removes it. Throws if nothing can be stored now. */
  check(): Promise<void>
  /**
   * Removes leftovers of uploads that were neither committed nor aborted: leftovers of dead processes at once, others
   * after an hour without a new byte. Returns the number of removed uploads.
   */
  sweep(): Promise<number>
}

/** Where the bytes of an object come from. */
export type ByteOrigin = 'received' | 'own'

/** The prefix of the health check's test objects, which exist only for a moment. */
export const PROBES = 'probes/'

/** The prefix of the files of demos. They belong neither to the shop nor to its backups. */
export const DEMOS = 'demos/'

/** A key, or a function that derives it from the SHA-256 of the bytes. */
export type ObjectKey = string | ((sha256: string) => string)

export interface StoredObject {
  sizeBytes: number
  /** SHA-256 of the stored bytes, as 64 hexadecimal digits. */
  sha256: string
}

/** A range of bytes, including both ends, as in HTTP. Without `end`, the range ends with the object. */
export interface ByteRange {
  start: number
  end?: number
}

/** An object that is invisible until it is committed. Calls must not overlap. */
export interface PendingObject {
  /** Throws StorageFullError if there is no space. Await this call to respect back pressure. */
  write(chunk: Uint8Array): Promise<void>
  /** Provides a read-only path on the local disk to the bytes written so far, until `work` has ended. */
  withLocalFile<T>(work: (path: string) => Promise<T>): Promise<T>
  /**
   * Does the slow part of the commit ahead of time and returns what was written. Flushes the bytes to the
   * disk or, if the final key is given and the storage is a bucket, uploads them. The object stays invisible.
   * Only a commit makes it permanent, so the sealed object of a dead process is swept.
   */
  seal(key?: ObjectKey): Promise<StoredObject>
  /**
   * Makes the object durable and visible under the key. Committing the same bytes under the same key again is harmless.
   */
  commit(key: ObjectKey): Promise<StoredObject>
  /** Discards the object. Does nothing after a commit or when called again. */
  abort(): Promise<void>
}

/** The disk is full, or the quota is used up. */
export class StorageFullError extends CodedError {
  readonly code = 'STORAGE_FULL'
}

/**
 * The storage is unreachable, refuses the request, or did not store what it was given. A later attempt may
 * succeed.
 */
export class StorageUnavailableError extends CodedError {
  readonly code = 'STORAGE_UNAVAILABLE'
}

export class ObjectNotFoundError extends CodedError {
  readonly code = 'OBJECT_NOT_FOUND'
}

/** A key that our code never creates. It would lead outside the root or clash with another key. */
export class InvalidKeyError extends CodedError {
  readonly code = 'INVALID_KEY'
}

const SEGMENT = /^[a-z0-9_-][a-z0-9._-]*$/
const MAX_KEY_LENGTH = 200

/** Throws InvalidKeyError unless every kind of storage can use the key. */
export function assertKey(key: string): void {
  const isValid =
    key.length <= MAX_KEY_LENGTH &&
    !key.includes('..') &&
    key.split('/').every((segment) => SEGMENT.test(segment))
  if (!isValid) throw new InvalidKeyError(`${JSON.stringify(key.slice(0, 250))} is not a storage key.`)
}

/** Stores the whole source through a pending object. Stores nothing if the source fails. */
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
