import type { ErrorBody } from '@pegasus/contracts/fields'
import { t } from '@/lib/i18n/messages.ts'
import { serverText } from '@/lib/i18n/server-texts.ts'

interface ApiErrorInit {
  /** HTTP status; 0 if there was no response. */
  status: number
  /** The server's own message in the person's language; null if the server sent none. */
  detail: string | null
  /** The message to use if the server sent none. */
  otherwise: string
  code?: string | undefined
  errors?: ErrorBody['errors'] | undefined
  requestId?: string | null | undefined
  /** Seconds after which a retry may succeed. */
  retryAfterSeconds?: number | null | undefined
  /** Other fields of the error response, such as the id of the object concerned. */
  body?: Readonly<Record<string, unknown>> | undefined
  cause?: unknown
}

export const NETWORK_FAILURE = t('The server cannot be reached. Check the connection and try again.')

/** Shown if the response is a web page instead of data. Proxies and the sign-in of guest networks send such pages. */
export const STRANGE_ANSWER = t(
  'The response did not come from this server. Check whether your network requires a sign-in, and try again.',
)

/**
 * The error of a failed call. `message` can always be shown. `detail` is null if the server sent no message of its own,
 * because the specification has fixed texts for that case.
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

/** Returns the server's message, or the specified text `otherwise` if the server sent none. */
export const errorDetail = (error: unknown, otherwise: string): string =>
  (error instanceof ApiError ? error.detail : null) || otherwise

/**
 * Returns the message of a failed call, or `otherwise` for any other error. Use it for failures for which the
 * specification has no text.
 */
export const errorMessage = (error: unknown, otherwise: string): string =>
  error instanceof ApiError ? error.message : otherwise

/** Parses an error response from any sender. The body may be our JSON, the HTML of a proxy, or empty. */
export function readApiError(
  status: number,
  bodyText: string,
  header: (name: string) => string | null,
): ApiError {
  const body = parseErrorBody(bodyText)
  const retryAfter = Number(header('Retry-After') ?? Number.NaN)
  return new ApiError({
    status,
    detail: body?.detail ? serverText(body.detail) : null,
    otherwise: t('The server responded with {status}. Please try again.', { status }),
    code: body?.code,
    errors: body?.errors?.map(({ path, message }) => ({ path, message: serverText(message) })),
    body: body?.body,
    requestId: header('X-Request-Id'),
    retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : null,
  })
}

/**
 * Returns a response for the storage client, which shows whatever a refusal contains: a parser's error for a proxy's
 * page, or `{}`. A refusal without a message of its own gets the message that the app shows for it elsewhere.
 */
export async function withReadableMessage(response: Response): Promise<Response> {
  if (response.ok) return response
  const { status, headers } = response
  const text = await response.text()
  const { body, message } = readApiError(status, text, (name) => headers.get(name))
  const own = MESSAGE_FIELDS.map((name) => body[name]).find((value) => typeof value === 'string')
  return new Response(own ? text : JSON.stringify({ message }), { status })
}

/** The fields in which the storage client looks for a message, in its order. */
const MESSAGE_FIELDS = ['msg', 'message', 'error_description', 'error'] as const

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
