import { errorEntry } from '@pegasus/contracts/errors'
import { TUS_HEADERS } from '../resumable/tus-headers.ts'
import { AppError } from './app-error.ts'

export interface RenderedError {
  status: number
  headers: Record<string, string>
  /** A JSON value, or a string if `isText`. */
  body: unknown
  isText?: boolean
}

/** Returns the response for an error, in the format that the clients of the endpoint expect. */
export type ErrorRenderer = (error: AppError, requestHeaders: Record<string, unknown>) => RenderedError

const retryAfter = (error: AppError): Record<string, string> =>
  error.retryAfterSeconds === undefined ? {} : { 'retry-after': String(error.retryAfterSeconds) }

/**
 * Renders an error of our own API: a message, the invalid fields, and a code if a program must distinguish the failure
 * from others.
 */
export const renderProductError: ErrorRenderer = (error) => {
  const { status, code } = errorEntry(error.code)
  return {
    status,
    headers: retryAfter(error),
    body: {
      ...error.body,
      detail: error.text,
      ...(error.errors && { errors: error.errors }),
      ...(code && { code }),
    },
  }
}

const API_VERSION_HEADER = 'x-supabase-api-version'
const API_VERSION = '2024-01-01'

/**
 * Returns the status, code and message with which the hosted service reports an error. A more specific message of the
 * error replaces the usual one.
 */
const hostedEntry = ({ code, text }: AppError) => {
  const { status, message, hosted } = errorEntry(code)
  const entry = hosted ?? { status, code: code.toLowerCase(), message, isOauth: false }
  return text === message ? entry : { ...entry, message: text }
}

/**
 * Renders an error of the hosted auth service. Since API version 2024-01-01, `code` is a string, and the
 * client checks the echoed version header before it trusts the code. In earlier versions, `code` is the HTTP
 * status and `error_code` is the string.
 */
export const renderHostedAuthError: ErrorRenderer = (error, requestHeaders) => {
  const { status, code, message, isOauth } = hostedEntry(error)
  if (isOauth) return { status, headers: {}, body: { error: code, error_description: message } }
  const version = requestHeaders[API_VERSION_HEADER]
  const speaksCodes =
    typeof version === 'string' && version >= API_VERSION && !Number.isNaN(Date.parse(version))
  return {
    status,
    headers: {
      ...retryAfter(error),
      'x-sb-error-code': code,
      ...(speaksCodes && { [API_VERSION_HEADER]: API_VERSION }),
    },
    body: { ...error.body, code: speaksCodes ? code : status, error_code: code, message, msg: message },
  }
}

/** The names that the hosted storage service gives to general failures, by HTTP status. */
const STORAGE_WORDS: Readonly<
  Record<number, { statusCode: string; error: string; code: string; message?: string }>
> = {
  401: { statusCode: '401', error: 'Unauthorized', code: 'AccessDenied' },
  403: { statusCode: '403', error: 'Unauthorized', code: 'AccessDenied' },
  404: { statusCode: '404', error: 'not_found', code: 'NoSuchKey' },
  413: {
    statusCode: '413',
    error: 'Payload too large',
    code: 'EntityTooLarge',
    message: 'The object exceeded the maximum allowed size',
  },
  416: { statusCode: '416', error: 'InvalidRange', code: 'InvalidRange' },
  429: { statusCode: '429', error: 'SlowDown', code: 'SlowDown' },
}

/**
 * The hosted storage service sends most failures with status 400. These statuses are sent unchanged, because the client
 * reacts to them: it signs in, waits or frees space.
 */
const STORAGE_STATUSES = new Set([401, 403, 416, 429, 500, 503, 507])

/** Renders an error of the hosted storage service. The status is nearly always 400, and the body names the failure. */
export const renderHostedStorageError: ErrorRenderer = (error) => {
  const { status, message, storage } = errorEntry(error.code)
  const words = storage ?? {
    status: STORAGE_STATUSES.has(status) ? status : 400,
    message,
    ...(STORAGE_WORDS[status] ?? { statusCode: String(status), error: 'Error', code: 'InvalidRequest' }),
  }
  const { status: httpStatus, ...body } = words
  return {
    status: httpStatus,
    headers: retryAfter(error),
    body: error.text === message ? body : { ...body, message: error.text },
  }
}

/** Renders an error for calls to the hosted service's functions. This product has no functions. */
export const renderHostedFunctionsError: ErrorRenderer = (error) => {
  const { status } = errorEntry(error.code)
  const isAbsent = error.code === 'NOT_FOUND'
  return {
    status,
    headers: retryAfter(error),
    body: {
      code: isAbsent ? 'NOT_FOUND' : error.code,
      message: isAbsent ? 'Requested function was not found' : error.text,
    },
  }
}

/** Renders an error for calls to the hosted service's realtime channels, which the server does not offer. */
export const renderHostedRealtimeError: ErrorRenderer = (error) => ({
  status: errorEntry(error.code).status,
  headers: retryAfter(error),
  body: { message: error.code === 'NOT_FOUND' ? 'Realtime is not offered by this instance' : error.text },
})

/**
 * Renders an error of resumable uploads. The body is a sentence in plain text, and a header names the version of the
 * protocol.
 */
export const renderTusError: ErrorRenderer = (error) => ({
  status: errorEntry(error.code).status,
  headers: {
    ...retryAfter(error),
    ...TUS_HEADERS,
    ...(error.code === 'TUS_VERSION' && { 'tus-version': '1.0.0' }),
  },
  body: error.text,
  isText: true,
})

/** The codes that the hosted database service gives to general failures, by HTTP status. */
const REST_WORDS: Readonly<Record<number, { code: string; message?: string }>> = {
  // A caller without a token has no read permission.
  401: { code: '42501', message: 'permission denied for table user_roles' },
  403: { code: '42501' },
  404: { code: 'PGRST125', message: 'Invalid path specified in request URL' },
  405: { code: 'PGRST117' },
  429: { code: 'over_request_rate_limit' },
  500: { code: 'PGRSTX00' },
  503: { code: 'PGRST000' },
}
const REST_UNREADABLE = { code: 'PGRST100' }

/** Returns the `WWW-Authenticate` header. For an invalid token, it describes the error. */
const challengeOf = (code: string, message: string): string =>
  code.startsWith('PGRST') ? `Bearer error="invalid_token", error_description="${message}"` : 'Bearer'

/** The project's public key, which the official client sends as its token while nobody is signed in. */
const PUBLIC_KEY = /^bearer +sb_publishable_/i

/** Renders an error of the hosted database service. The code is a code of PostgreSQL or of the service. */
export const renderHostedRestError: ErrorRenderer = (thrown, { authorization }) => {
  const isNobody = thrown.code === 'BAD_JWT' && PUBLIC_KEY.test(String(authorization))
  const error = isNobody ? new AppError('UNAUTHENTICATED') : thrown
  const { status, message, rest } = errorEntry(error.code)
  const words = rest ?? { status, message, ...(REST_WORDS[status] ?? REST_UNREADABLE) }
  const body = {
    code: words.code,
    message: error.text === message ? words.message : error.text,
    details: null,
    hint: words.hint ?? null,
    ...error.body,
  }
  return {
    status: words.status,
    headers: {
      ...retryAfter(error),
      'proxy-status': `PostgREST; error=${body.code}`,
      ...(words.status === 401 && { 'www-authenticate': challengeOf(body.code, body.message) }),
    },
    body,
  }
}
