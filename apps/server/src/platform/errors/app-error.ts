import { type ErrorCode, errorEntry } from '@pegasus/contracts/errors'

export interface FieldError {
  path: string
  message: string
}

export interface AppErrorOptions {
  /** The cause in words, for the log only. */
  detail?: string
  /** Replaces the table's message if the reason helps the person. */
  say?: string
  /** Fields at fault. */
  errors?: readonly FieldError[]
  /** When to try again; sent as `Retry-After`. */
  retryAfterSeconds?: number
  /** Further fields of the response, such as the current object. */
  body?: Readonly<Record<string, unknown>>
  cause?: unknown
}

/** A failure listed in the table of errors. Anything else that is thrown is a fault of ours (500). */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly say: string
  readonly errors: readonly FieldError[] | undefined
  readonly retryAfterSeconds: number | undefined
  readonly body: Readonly<Record<string, unknown>> | undefined

  constructor(code: ErrorCode, options: AppErrorOptions = {}) {
    super(options.detail ?? errorEntry(code).message, { cause: options.cause })
    this.name = 'AppError'
    this.code = code
    this.say = options.say ?? errorEntry(code).message
    this.errors = options.errors
    this.retryAfterSeconds = options.retryAfterSeconds
    this.body = options.body
  }

  /** The same failure with different further fields. */
  withBody(body: Readonly<Record<string, unknown>>): AppError {
    const { code, say, errors, retryAfterSeconds, message: detail, cause } = this
    return new AppError(code, {
      detail,
      say,
      body,
      cause,
      ...(errors && { errors }),
      ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    })
  }
}

/** The value, if there is one. Otherwise throws the error with this code. */
export function orThrow<T>(value: T, code: ErrorCode): NonNullable<T> {
  if (value == null) throw new AppError(code)
  return value
}
