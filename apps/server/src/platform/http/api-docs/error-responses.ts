import type { Endpoint, Schema } from '@pegasus/contracts/endpoint'
import type { ErrorCode } from '@pegasus/contracts/errors'
import { errorBody } from '@pegasus/contracts/fields'
import * as z from 'zod/mini'
import { AppError } from '../../errors/app-error.ts'
import { type ErrorRenderer, renderTusError } from '../../errors/render-error.ts'
import { errorRendererOf } from '../error-handler.ts'

/** The schema of an error of our own API. Some errors have further fields, such as the id of a conflicting object. */
const productError = z.looseObject(errorBody.shape)
const hostedAuthError = z.union([
  z.looseObject({
    code: z.union([z.string(), z.number()]),
    error_code: z.string(),
    message: z.string(),
    msg: z.string(),
  }),
  z.object({ error: z.string(), error_description: z.string() }),
])
const hostedStorageError = z.object({
  statusCode: z.string(),
  error: z.string(),
  code: z.string(),
  message: z.string(),
})
const hostedRestError = z.looseObject({
  code: z.string(),
  message: z.string(),
  details: z.nullable(z.string()),
  hint: z.nullable(z.string()),
})

/**
 * Returns the errors that every endpoint with this method, path, access and body can have, whatever its handler does.
 */
function commonErrors({ method, path, access, query, body, fileField, isRawBody }: Endpoint): ErrorCode[] {
  const codes: ErrorCode[] = ['TOO_MANY_REQUESTS', 'UNAVAILABLE']
  if (access !== 'public') codes.push('UNAUTHENTICATED', 'FORBIDDEN')
  if (/[:*]/.test(path)) codes.push('NOT_FOUND')
  if (query ?? body) codes.push('INVALID_INPUT')
  if (method !== 'GET') codes.push('MALFORMED_REQUEST', 'UNSUPPORTED_MEDIA_TYPE')
  if (body ?? fileField ?? isRawBody) codes.push('PAYLOAD_TOO_LARGE')
  return codes
}

/**
 * Returns the schema of an error with this status. An error about an outdated revision (412) also has the current
 * object.
 */
function schemaOf(endpoint: Endpoint, status: number): Schema {
  if (endpoint.dialect === 'hosted-auth') return hostedAuthError
  if (endpoint.dialect === 'hosted-storage') return hostedStorageError
  if (endpoint.dialect === 'hosted-rest') return hostedRestError
  const current = endpoint.current ?? endpoint.success.body
  return status === 412 && current ? z.extend(productError, { current: z.optional(current) }) : productError
}

/**
 * The HTTP status of each error in each dialect. It is cached, because finding it creates an error with a stack trace,
 * and hundreds of endpoints have the same errors.
 */
const knownStatuses = new Map<ErrorRenderer, Map<ErrorCode, number>>()

function statusOf(code: ErrorCode, renderer: ErrorRenderer): number {
  const known = knownStatuses.get(renderer) ?? new Map<ErrorCode, number>()
  knownStatuses.set(renderer, known)
  const status = known.get(code) ?? renderer(new AppError(code), {}).status
  known.set(code, status)
  return status
}

const statusesOf = (endpoint: Endpoint, renderer: ErrorRenderer): number[] => {
  const codes = [...commonErrors(endpoint), ...endpoint.errors]
  return [...new Set(codes.map((code) => statusOf(code, renderer)))]
}

/**
 * Returns the errors of an endpoint by status, as its dialect sends them. OpenAPI lists each status once, so errors
 * with the same status share an entry. Errors in plain text have no schema (`textErrorsOf`).
 */
export function errorResponsesOf(endpoint: Endpoint): Record<string, Schema> {
  const renderer = errorRendererOf(endpoint)
  if (renderer === renderTusError) return {}
  return Object.fromEntries(
    statusesOf(endpoint, renderer).map((status) => [String(status), schemaOf(endpoint, status)]),
  )
}

/** Returns the OpenAPI descriptions of the errors of resumable uploads, which are plain text. */
export function textErrorsOf(endpoint: Endpoint): Record<string, object> {
  const renderer = errorRendererOf(endpoint)
  if (renderer !== renderTusError) return {}
  const description = {
    description: 'What is wrong',
    content: { 'text/plain': { schema: { type: 'string' } } },
  }
  return Object.fromEntries(statusesOf(endpoint, renderer).map((status) => [String(status), description]))
}
