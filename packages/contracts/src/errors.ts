import { HOSTED_AUTH_ERRORS } from './errors/hosted-auth-errors.ts'
import { HOSTED_REST_ERRORS } from './errors/hosted-rest-errors.ts'
import { HOSTED_STORAGE_ERRORS } from './errors/hosted-storage-errors.ts'
import { type ErrorCode, OWN_API_ERRORS } from './errors/own-api-errors.ts'

export type { ErrorCode }

/** One error in our own API, and in the dialects of the hosted services that have such an error. */
interface ErrorEntry {
  status: number
  message: string
  /** The code in the response. It is present if programs have to distinguish errors with the same status. */
  code?: string
  /** The same error in the hosted auth service's dialect. */
  hosted?: { status: number; code: string; message: string; isOauth: boolean }
  /** The same error in the hosted storage service's dialect. */
  storage?: { status: number; statusCode: string; error: string; code: string; message: string }
  /** The same error in the hosted database service's dialect. */
  rest?: { status: number; code: string; message: string; hint?: string }
}

/** Returns the status and texts of an error. Every code has an entry. */
export function errorEntry(errorCode: ErrorCode): ErrorEntry {
  const [status, message, code]: readonly [number, string, string?] = OWN_API_ERRORS[errorCode]
  const entry: ErrorEntry = { status, message, ...(code !== undefined && { code }) }
  const auth = HOSTED_AUTH_ERRORS[errorCode]
  if (auth) {
    const [httpStatus, hostedCode, text, form] = auth
    entry.hosted = { status: httpStatus, code: hostedCode, message: text, isOauth: form === 'oauth' }
  }
  const storage = HOSTED_STORAGE_ERRORS[errorCode]
  if (storage) {
    const [httpStatus, statusCode, error, storageCode, text] = storage
    entry.storage = { status: httpStatus, statusCode, error, code: storageCode, message: text }
  }
  const rest = HOSTED_REST_ERRORS[errorCode]
  if (rest) {
    const [httpStatus, restCode, text, hint] = rest
    entry.rest = { status: httpStatus, code: restCode, message: text, ...(hint !== undefined && { hint }) }
  }
  return entry
}
