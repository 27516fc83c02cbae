import { StorageFullError, StorageUnavailableError } from './object-storage.ts'

/**
 * Thrown if a store is unreachable, refuses a request, or has not stored what it was given. The message contains only
 * the operation, the status and the store's error code. It leaves out the rest of the response, because stores repeat
 * parts of the request, such as signatures.
 */
export class S3Error extends StorageUnavailableError {
  /** HTTP status; null if there was no response. */
  readonly status: number | null
  /** The error code, such as `NoSuchBucket` or `ECONNREFUSED`. */
  readonly reason: string

  constructor(doing: string, reason: string, status: number | null = null) {
    super(`${doing} failed: ${status === null ? reason : `${status} ${reason}`}.`)
    this.status = status
    this.reason = reason
  }
}

const FULL = new Set([
  'QuotaExceeded',
  'XMinioStorageFull',
  'XMinioAdminBucketQuotaExceeded',
  'InsufficientStorage',
  'StorageFull',
])
const MISSING = new Set(['NoSuchKey', 'NotFound'])
const WORD = /^[A-Za-z][\w.-]{0,80}$/

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && name in value
    ? (value as Record<string, unknown>)[name]
    : undefined

const wordOf = (value: unknown): string | null =>
  typeof value === 'string' && WORD.test(value) && value !== 'Error' ? value : null

const statusOf = (error: unknown): number | null => {
  const status = fieldOf(fieldOf(error, '$metadata'), 'httpStatusCode')
  return typeof status === 'number' ? status : null
}

/** Whether the error says that the object does not exist. Returns false if the whole bucket is missing. */
export const isMissing = (error: unknown): boolean =>
  error instanceof S3Error && error.status === 404 && MISSING.has(error.reason)

/** Converts the failure of a request to a storage error. */
export function toS3Error(doing: string, error: unknown): Error {
  if (error instanceof StorageUnavailableError || error instanceof StorageFullError) return error
  const status = statusOf(error)
  // If several addresses were tried, report the failure of the first one.
  const [first] = error instanceof AggregateError ? (error.errors as unknown[]) : []
  const network = wordOf(fieldOf(error, 'code')) ?? wordOf(fieldOf(first, 'code'))
  const name = wordOf(fieldOf(error, 'name'))
  const reason = (status === null ? (network ?? name) : (name ?? network)) ?? 'UnknownError'
  if (status === 507 || FULL.has(reason))
    return new StorageFullError(`There is no space left for files: ${status} ${reason}.`)
  return new S3Error(doing, reason === 'AbortError' ? 'TimeoutError' : reason, status)
}
