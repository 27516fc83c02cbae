/**
 * The one table of errors: what status a failure has and in which words people are told.
 * `code` stands on the wire where a program must tell failures apart. `hosted` is the same failure in the
 * dialect of the hosted auth service, whose client compares these strings.
 */
interface ErrorEntry {
  status: number
  message: string
  code?: string
  hosted?: { status: number; code: string; message: string }
}

const hosted = (status: number, code: string, message: string) => ({ status, code, message })

const TABLE = {
  // What any call can answer
  MALFORMED_REQUEST: {
    status: 400,
    message: 'The request could not be read.',
    hosted: hosted(400, 'bad_json', 'Could not parse request body as JSON'),
  },
  INVALID_INPUT: {
    status: 422,
    message: 'Some of the values are not acceptable.',
    hosted: hosted(400, 'validation_failed', 'Some of the values are not acceptable'),
  },
  UNAUTHENTICATED: {
    status: 401,
    message: 'Sign in to continue.',
    hosted: hosted(401, 'no_authorization', 'This endpoint requires a valid Bearer token'),
  },
  FORBIDDEN: { status: 403, message: "You don't have permission to do this." },
  PASSWORD_CHANGE_REQUIRED: {
    status: 403,
    message: 'Change the password you were given before you go on.',
    code: 'password_change_required',
  },
  NOT_FOUND: {
    status: 404,
    message: 'Not found.',
    hosted: hosted(404, 'not_found', 'The requested path does not exist'),
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    message: 'This address does not answer to that method.',
    hosted: hosted(405, 'method_not_allowed', 'Method not allowed'),
  },
  CONFLICT: { status: 409, message: 'This conflicts with the present state.' },
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
    hosted: hosted(415, 'unsupported_media_type', 'Unsupported media type'),
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
    hosted: hosted(503, 'service_unavailable', 'Service temporarily unavailable'),
  },
  STORAGE_FULL: { status: 507, message: 'There is no space left to store this. Nothing was saved.' },

  // Sign-in and sessions
  INVALID_CREDENTIALS: {
    status: 401,
    message: 'Incorrect username or password.',
    hosted: hosted(400, 'invalid_credentials', 'Invalid login credentials'),
  },
  TOO_MANY_SIGN_INS: {
    status: 429,
    message: 'Too many failed sign-ins. Please wait and try again.',
    hosted: hosted(429, 'over_request_rate_limit', 'Too many failed sign-ins. Please wait and try again.'),
  },
  BAD_JWT: {
    status: 401,
    message: 'Sign in to continue.',
    hosted: hosted(403, 'bad_jwt', 'invalid JWT: unable to parse or verify signature, token is unusable'),
  },
  SESSION_NOT_FOUND: {
    status: 401,
    message: 'Your session has ended. Please sign in again.',
    hosted: hosted(403, 'session_not_found', 'Session from session_id claim in JWT does not exist'),
  },
  REFRESH_TOKEN_MALFORMED: {
    status: 400,
    message: 'Please sign in again.',
    hosted: hosted(400, 'validation_failed', 'Refresh token is not valid'),
  },
  REFRESH_TOKEN_NOT_FOUND: {
    status: 400,
    message: 'Please sign in again.',
    hosted: hosted(400, 'refresh_token_not_found', 'Invalid Refresh Token: Refresh Token Not Found'),
  },
  REFRESH_TOKEN_REUSED: {
    status: 400,
    message: 'Please sign in again.',
    hosted: hosted(400, 'refresh_token_already_used', 'Invalid Refresh Token: Already Used'),
  },
  SESSION_EXPIRED: {
    status: 400,
    message: 'Your session has expired. Please sign in again.',
    hosted: hosted(400, 'session_expired', 'Invalid Refresh Token: Session Expired'),
  },
  UNSUPPORTED_GRANT: {
    status: 400,
    message: 'This way of signing in is not offered.',
    hosted: hosted(400, 'invalid_credentials', 'unsupported_grant_type'),
  },
  UNKNOWN_LOGOUT_SCOPE: {
    status: 400,
    message: 'Sign-out knows the scopes global, local and others.',
    hosted: hosted(400, 'validation_failed', 'Unsupported logout scope'),
  },

  // Passwords; 400 for each rule, since the specified client shows the detail of a 400 only
  CURRENT_PASSWORD_REQUIRED: { status: 400, message: 'Current password is required' },
  NEW_PASSWORD_REQUIRED: { status: 400, message: 'New password is required' },
  NEW_PASSWORD_TOO_SHORT: { status: 400, message: 'New password must be at least 6 characters long' },
  NEW_PASSWORD_TOO_LONG: { status: 400, message: 'New password must be at most 128 characters long' },
  NEW_PASSWORD_COMMON: {
    status: 400,
    message: 'This password is one of the most common ones. Please choose another.',
  },
  NEW_PASSWORD_MISMATCH: { status: 400, message: 'New password and confirmation do not match' },
  NEW_PASSWORD_SAME: { status: 400, message: 'New password must be different from current password' },
  CURRENT_PASSWORD_WRONG: {
    status: 401,
    message: 'Current password is incorrect. Please check your current password and try again.',
    code: 'current_password_wrong',
  },

  // STL library
  MODEL_NOT_FOUND: { status: 404, message: 'This model is not in the library.' },
  MODEL_FILE_MISSING: { status: 422, message: 'Please select a file to upload.' },
  MODEL_REJECTED: { status: 422, message: 'This file is not a printable model.' },
  MODEL_URL_MISSING: { status: 422, message: 'Please enter a URL.' },
  MODEL_URL_UNSUPPORTED: {
    status: 422,
    message: 'Models are uploaded as files for now. Please download the model and choose the file.',
  },
  THUMBNAIL_NOT_READY: { status: 404, message: 'This model has no picture yet.' },
} as const satisfies Record<string, ErrorEntry>

export type ErrorCode = keyof typeof TABLE

/** Looks an error up; every code has an entry. */
export const errorEntry = (code: ErrorCode): ErrorEntry => TABLE[code]
