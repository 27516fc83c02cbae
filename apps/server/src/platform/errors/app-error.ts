import { type ErrorCode, errorEntry } from '@pegasus/contracts/errors'

export interface FieldError {
  path: string
  message: string
}

export interface AppErrorOptions {
  /** The cause in plain words, for the log only. */
  detail?: string
  /** The reason recorded in the audit, if the code alone is not specific enough. */
  reason?: string
  /** Replaces the message from the table of errors, if a more specific one helps the person. */
  text?: string
  /** The invalid fields. */
  errors?: readonly FieldError[]
  /** The number of seconds after which to try again, sent as `Retry-After`. */
  retryAfterSeconds?: number
  /** Additional fields of the response body, such as the current object. */
  body?: Readonly<Record<string, unknown>>
  cause?: unknown
}

/**
 * A failure that is listed in the table of errors. Any other thrown error counts as a bug, and is sent with status 500.
 */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly text: string
  readonly reason: string | undefined
  readonly errors: readonly FieldError[] | undefined
  readonly retryAfterSeconds: number | undefined
  readonly body: Readonly<Record<string, unknown>> | undefined

  constructor(code: ErrorCode, options: AppErrorOptions = {}) {
    super(options.detail ?? errorEntry(code).message, { cause: options.cause })
    this.name = 'AppError'
    this.code = code
    this.text = options.text ?? errorEntry(code).message
    this.reason = options.reason
    this.errors = options.errors
    this.retryAfterSeconds = options.retryAfterSeconds
    this.body = options.body
  }

  /** Returns the same failure with other additional body fields. */
  withBody(body: Readonly<Record<string, unknown>>): AppError {
    const { code, text, reason, errors, retryAfterSeconds, message: detail, cause } = this
    return new AppError(code, {
      detail,
      text,
      body,
      cause,
      ...(reason !== undefined && { reason }),
      ...(errors && { errors }),
      ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    })
  }
}

/** Returns the value. Throws an AppError with this code if the value is null or undefined. */
export function orThrow<T>(value: T, code: ErrorCode): NonNullable<T> {
  if (value == null) throw new AppError(code)
  return value
}
