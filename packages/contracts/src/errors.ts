import { ACCOUNT_ERRORS } from './errors/account-errors.ts'
import { type ErrorEntry, hosted } from './errors/error-entry.ts'
import { KEY_ERRORS } from './errors/api-key-errors.ts'
import { REST_ERRORS } from './errors/hosted-rest-errors.ts'
import { OPERATIONS_ERRORS } from './errors/operations-errors.ts'
import { STORAGE_ERRORS } from './errors/hosted-storage-errors.ts'

/** The one table of errors: what status a failure has and in which words people are told. */
const TABLE = {
  // What any call can answer
  MALFORMED_REQUEST: {
    status: 400,
    message: 'The request could not be read.',
    hosted: hosted(400, 'bad_json', 'Could not parse request body as JSON'),
  },
  INVALID_INPUT: {
    status: 422,
    message: 'Some fields need attention.',
    hosted: hosted(400, 'validation_failed', 'Some fields need attention'),
  },
  UNAUTHENTICATED: {
    status: 401,
    message: 'Sign in to continue.',
    hosted: hosted(401, 'no_authorization', 'This endpoint requires a valid Bearer token'),
  },
  FORBIDDEN: {
    status: 403,
    message: "You don't have permission to do this.",
    hosted: hosted(403, 'not_admin', 'User not allowed'),
  },
  PASSWORD_CHANGE_REQUIRED: {
    status: 403,
    message: 'Change the password you were given before you go on.',
    code: 'password_change_required',
  },
  NOT_FOUND: {
    status: 404,
    message: 'Not found.',
    hosted: hosted(404, 'validation_failed', 'The requested path does not exist'),
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    message: 'This address does not answer to that method.',
    hosted: hosted(405, 'feature_disabled', 'Method not allowed'),
  },
  CONFLICT: { status: 409, message: 'This conflicts with the present state.' },
  PRECONDITION_FAILED: {
    status: 412,
    message: 'Somebody else has changed this in the meantime.',
    code: 'precondition_failed',
  },
  PRECONDITION_REQUIRED: {
    status: 428,
    message: 'Send the ETag you last read as If-Match.',
    code: 'precondition_required',
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 409,
    message: 'This Idempotency-Key was used for a different request.',
    code: 'idempotency_key_reused',
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    message: 'The request is too large.',
    hosted: hosted(413, 'request_entity_too_large', 'Request body too large'),
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    message: 'This kind of content is not accepted here.',
    hosted: hosted(415, 'bad_json', 'Unsupported media type'),
  },
  RANGE_NOT_SATISFIABLE: { status: 416, message: 'The file does not hold that range.' },
  TOO_MANY_REQUESTS: {
    status: 429,
    message: 'Too many requests. Please wait a moment and try again.',
    hosted: hosted(429, 'over_request_rate_limit', 'Request rate limit reached'),
  },
  INTERNAL: {
    status: 500,
    message: 'Something went wrong on our side. Please try again.',
    hosted: hosted(
      500,
      'unexpected_failure',
      'Unexpected failure, please check server logs for more information',
    ),
  },
  UNAVAILABLE: {
    status: 503,
    message: 'The service is not available at the moment. Please try again shortly.',
    hosted: hosted(503, 'unexpected_failure', 'Service temporarily unavailable'),
  },
  STORAGE_FULL: { status: 507, message: 'There is no space left to store this. Nothing was saved.' },

  // Live events
  TOO_MANY_STREAMS: {
    status: 429,
    message: 'This session listens in too many places at once.',
    code: 'too_many_streams',
  },

  ...ACCOUNT_ERRORS,
  ...KEY_ERRORS,
  ...OPERATIONS_ERRORS,
  ...STORAGE_ERRORS,
  ...REST_ERRORS,
} as const satisfies Record<string, ErrorEntry>

export type ErrorCode = keyof typeof TABLE

/** Looks an error up; every code has an entry. */
export const errorEntry = (code: ErrorCode): ErrorEntry => TABLE[code]
