import { errorEntry } from '@pegasus/contracts/errors'
import type { AppError } from './app-error.ts'

export interface RenderedError {
  status: number
  headers: Record<string, string>
  body: unknown
}

/** Tells an error in the words of the dialect that its caller speaks. */
export type ErrorRenderer = (error: AppError, requestHeaders: Record<string, unknown>) => RenderedError

const retryAfter = (error: AppError): Record<string, string> =>
  error.retryAfterSeconds === undefined ? {} : { 'retry-after': String(error.retryAfterSeconds) }

/** The product API: a sentence, the fields at fault, and a code where a program must tell failures apart. */
export const renderProductError: ErrorRenderer = (error) => {
  const { status, code } = errorEntry(error.code)
  return {
    status,
    headers: retryAfter(error),
    body: {
      ...error.body,
      detail: error.say,
      ...(error.errors && { errors: error.errors }),
      ...(code && { code }),
    },
  }
}

const API_VERSION_HEADER = 'x-supabase-api-version'
const API_VERSION = '2024-01-01'

/** The table's words, unless whoever threw has said it more exactly. */
const hostedEntry = ({ code, say }: AppError) => {
  const { status, message, hosted } = errorEntry(code)
  const entry = hosted ?? { status, code: code.toLowerCase(), message }
  return say === message ? entry : { ...entry, message: say }
}

/**
 * The hosted auth service: since API version 2024-01-01 `code` is a string and the client looks at the echoed
 * header before it trusts it; before, `code` is the HTTP status and the string stands in `error_code`.
 */
export const renderHostedAuthError: ErrorRenderer = (error, requestHeaders) => {
  const { status, code, message } = hostedEntry(error)
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
