import type { ErrorBody } from '@pegasus/contracts/fields'

interface ApiErrorInit {
  /** HTTP status; 0 if no answer came. */
  status: number
  /** The server's own sentence for people; null where it gave none. */
  detail: string | null
  /** What to say where there is no such sentence. */
  otherwise: string
  code?: string | undefined
  errors?: ErrorBody['errors'] | undefined
  requestId?: string | null | undefined
  /** Seconds after which a try may succeed. */
  retryAfterSeconds?: number | null | undefined
  /** All that the answer says besides, such as the id of what it is about. */
  body?: Readonly<Record<string, unknown>> | undefined
  cause?: unknown
}

export const NETWORK_FAILURE = 'The server cannot be reached. Check the connection and try again.'

/** A page in place of data, such as a proxy or the sign-in of a guest network sends. */
export const STRANGE_ANSWER =
  'What came back is not from this server. Check that nothing stands between, such as a network to sign in to, and try again.'

/**
 * A call that did not succeed. `message` is always fit to be shown; `detail` is the server's own sentence alone,
 * since the specification has words of its own for when there is none.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly detail: string | null
  readonly code: string | undefined
  readonly errors: NonNullable<ErrorBody['errors']>
  readonly requestId: string | null
  readonly retryAfterSeconds: number | null
  readonly body: Readonly<Record<string, unknown>>

  constructor(init: ApiErrorInit) {
    super(init.detail ?? init.otherwise, { cause: init.cause })
    this.status = init.status
    this.detail = init.detail
    this.code = init.code
    this.errors = init.errors ?? []
    this.requestId = init.requestId ?? null
    this.retryAfterSeconds = init.retryAfterSeconds ?? null
    this.body = init.body ?? {}
  }
}

/** The server's sentence if it gave one, else the specification's own for this failure. */
export const errorDetail = (error: unknown, otherwise: string): string =>
  (error instanceof ApiError ? error.detail : null) || otherwise

/** What to show where the specification has no words: any sentence about the failed call, else `otherwise`. */
export const errorMessage = (error: unknown, otherwise: string): string =>
  error instanceof ApiError ? error.message : otherwise

/** Reads a failed answer, whoever gave it: ours in JSON, a proxy's in HTML, an empty one. */
export function readApiError(
  status: number,
  bodyText: string,
  header: (name: string) => string | null,
): ApiError {
  const body = parseErrorBody(bodyText)
  const retryAfter = Number(header('Retry-After') ?? Number.NaN)
  return new ApiError({
    status,
    detail: body?.detail || null,
    otherwise: `The server answered ${status}. Please try again.`,
    code: body?.code,
    errors: body?.errors,
    body: body?.body,
    requestId: header('X-Request-Id'),
    retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : null,
  })
}

function parseErrorBody(text: string): (Partial<ErrorBody> & Pick<ApiErrorInit, 'body'>) | null {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    return null
  }
  if (typeof body !== 'object' || body === null) return null
  const { detail, code, errors } = body as Record<string, unknown>
  return {
    body: body as Record<string, unknown>,
    ...(typeof detail === 'string' && { detail }),
    ...(typeof code === 'string' && { code }),
    ...(Array.isArray(errors) && { errors: errors.filter(isFieldError) }),
  }
}

const isFieldError = (value: unknown): value is { path: string; message: string } =>
  typeof value === 'object' &&
  value !== null &&
  'path' in value &&
  typeof value.path === 'string' &&
  'message' in value &&
  typeof value.message === 'string'
