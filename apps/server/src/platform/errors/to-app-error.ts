import type { FastifyError } from 'fastify'
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod'
import { DatabaseError } from 'pg'
import { constraintOf } from '../database/database.ts'
import { StorageFullError, StorageUnavailableError } from '../storage/object-storage.ts'
import { PoolBusyError } from '../workers/bounded-queue.ts'
import { AppError } from './app-error.ts'
import { CONSTRAINT_CODES } from './constraint-codes.ts'

const RETRY_SOON_SECONDS = 2

/** PostgreSQL's error codes that concern the state of the server rather than the statement. */
const UNAVAILABLE_SQLSTATES = /^(08|53|57P0|57014|55P03|25P03)/
/**
 * Error codes for a zero character or an impossible timestamp. The input was invalid, and validation should
 * have rejected it.
 */
const INPUT_SQLSTATES = new Set(['22021', '22P05', '22007', '22008'])

const FASTIFY_CODES: Readonly<Record<string, ConstructorParameters<typeof AppError>[0]>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'UNSUPPORTED_MEDIA_TYPE',
  FST_INVALID_MULTIPART_CONTENT_TYPE: 'UNSUPPORTED_MEDIA_TYPE',
  FST_ERR_CTP_BODY_TOO_LARGE: 'PAYLOAD_TOO_LARGE',
  FST_REQ_FILE_TOO_LARGE: 'PAYLOAD_TOO_LARGE',
  FST_FILES_LIMIT: 'PAYLOAD_TOO_LARGE',
  FST_FIELDS_LIMIT: 'PAYLOAD_TOO_LARGE',
  FST_PARTS_LIMIT: 'PAYLOAD_TOO_LARGE',
  FST_PROTO_VIOLATION: 'MALFORMED_REQUEST',
  FST_ERR_NOT_FOUND: 'NOT_FOUND',
  FST_ERR_BAD_URL: 'MALFORMED_REQUEST',
  FST_ERR_ASYNC_CONSTRAINT: 'INTERNAL',
}

const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : ''

const isPostgresError = (error: unknown): boolean => error instanceof DatabaseError

const isUnavailable = (error: unknown): boolean =>
  (isPostgresError(error) && UNAVAILABLE_SQLSTATES.test(codeOf(error))) ||
  (error instanceof Error && 'isDatabase' in error && error.isDatabase === true)

/**
 * Returns the error for fields that schema validation rejected. An invalid path parameter means that the
 * object does not exist.
 */
function fromValidation(error: FastifyError): AppError {
  if (!hasZodFastifySchemaValidationErrors(error)) return new AppError('INVALID_INPUT', { cause: error })
  if (error.validationContext === 'params') return new AppError('NOT_FOUND', { cause: error })
  const errors = error.validation.map((issue) => ({
    path: issue.instancePath.replace(/^\//, '').replaceAll('/', '.'),
    message: issue.message ?? 'not acceptable',
  }))
  return new AppError('INVALID_INPUT', {
    errors,
    text: errors[0]?.message ?? 'Not acceptable.',
    cause: error,
  })
}

/** Converts any error thrown during a request to an AppError. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  if (error instanceof PoolBusyError || error instanceof StorageUnavailableError || isUnavailable(error))
    return new AppError('UNAVAILABLE', { cause: error, retryAfterSeconds: RETRY_SOON_SECONDS })
  if (isPostgresError(error) && INPUT_SQLSTATES.has(codeOf(error)))
    return new AppError('INVALID_INPUT', { cause: error })
  if (error instanceof StorageFullError) return new AppError('STORAGE_FULL', { cause: error })
  const refusal = CONSTRAINT_CODES[constraintOf(error) ?? '']
  if (refusal) return new AppError(refusal, { cause: error })
  const fault = error as FastifyError
  if (fault.validation) return fromValidation(fault)
  const known = FASTIFY_CODES[codeOf(error)]
  if (known) return new AppError(known, { cause: error })
  // Fastify reports the caller's mistakes, such as unparsable JSON, with a 4xx status.
  if (fault.statusCode === 429)
    return new AppError('TOO_MANY_REQUESTS', { cause: error, retryAfterSeconds: 1 })
  if (fault.statusCode !== undefined && fault.statusCode >= 400 && fault.statusCode < 500)
    return new AppError('MALFORMED_REQUEST', { cause: error })
  return new AppError('INTERNAL', { detail: fault.message, cause: error })
}
