import type { Readable } from 'node:stream'
import type { Queryable } from '../database/sql.ts'
import { CodedError } from '../errors/coded-error.ts'

/** Storage for the bytes of files. Keys are paths of lower-case letters, digits, `.`, `_`, `-` and `/`. */
export interface ObjectStorage {
  /**
   * Stores all bytes of the source under the key, and replaces an existing object. If the source fails, stores nothing.
   * Use it only for bytes that the server has created itself, because they are not scanned for malware.
   */
  put(key: string, source: AsyncIterable<Uint8Array>): Promise<StoredObject>
  /**
   * Begins an object whose key or validity is known only at its end. `own` means that the server has created the bytes
   * itself or checks them later. All other bytes go to the malware scanner, if there is one.
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
   * Deletes an object to which no row refers. Does nothing if the object does not exist. During a backup, the object
   * stays until a later cleanup. Inside a transaction, pass the transaction as `tx`.
   */
  delete(key: string, tx?: Queryable): Promise<void>
  /** Yields all objects whose keys have this prefix, in any order. May miss objects that change in the meantime. */
  list(prefix: string): AsyncIterable<{ key: string; modifiedAt: Date }>
  /** Provides the object as a read-only file on the local disk while `work` runs. Throws ObjectNotFoundError. */
  withLocalFile<T>(key: string, work: (path: string) => Promise<T>): Promise<T>
  /** Writes a test object and removes it. Throws if nothing can be stored now. */
  check(): Promise<void>
  /**
   * Removes what remains of uploads that were neither committed nor aborted. Files of dead processes are removed at
   * once, others after an hour without a new byte. Returns the number of removed uploads.
   */
  sweep(): Promise<number>
}

/** The origin of an object's bytes: a client (`received`) or the server itself (`own`). */
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

/** A range of bytes. The first and the last byte are included, as in HTTP. Without `end`, it ends with the object. */
export interface ByteRange {
  start: number
  end?: number
}

/** An object that is invisible until it is committed. Calls must not overlap. */
export interface PendingObject {
  /** Throws StorageFullError if there is no space. Await this call to respect back pressure. */
  write(chunk: Uint8Array): Promise<void>
  /** Provides the bytes written so far as a read-only file on the local disk while `work` runs. */
  withLocalFile<T>(work: (path: string) => Promise<T>): Promise<T>
  /**
   * Does the slow part of a commit in advance, and returns what was written. Flushes the bytes to the disk. If the
   * storage is a bucket and the key is given, uploads them. The object stays invisible until it is committed. If the
   * process dies before that, the sweep removes the object.
   */
  seal(key?: ObjectKey): Promise<StoredObject>
  /**
   * Makes the object durable, and visible under the key. A second commit of the same bytes under the same key is
   * harmless.
   */
  commit(key: ObjectKey): Promise<StoredObject>
  /** Discards the object. Does nothing after a commit or when called again. */
  abort(): Promise<void>
}

/** The disk is full, or the quota is used up. */
export class StorageFullError extends CodedError {
  readonly code = 'STORAGE_FULL'
}

/** The storage is unreachable, refuses a request, or has not stored what it was given. A later attempt may succeed. */
export class StorageUnavailableError extends CodedError {
  readonly code = 'STORAGE_UNAVAILABLE'
}

export class ObjectNotFoundError extends CodedError {
  readonly code = 'OBJECT_NOT_FOUND'
}

/**
 * Thrown for a key that our code never creates. It could lead out of the root folder, or have the file name of another
 * key.
 */
export class InvalidKeyError extends CodedError {
  readonly code = 'INVALID_KEY'
}

const SEGMENT = /^[a-z0-9_-][a-z0-9._-]*$/
const MAX_KEY_LENGTH = 200

/** Throws InvalidKeyError if a storage could not use the key. */
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
