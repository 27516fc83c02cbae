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

  EMAIL_NOT_CONFIRMED: {
    status: 403,
    message: 'Confirm your email address first: open the link in the mail that we sent you.',
    code: 'email_not_confirmed',
    hosted: hosted(400, 'email_not_confirmed', 'Email not confirmed'),
  },
  ACCOUNT_NOT_APPROVED: {
    status: 403,
    message: 'An administrator must approve your account before you can sign in.',
    code: 'account_not_approved',
    hosted: hosted(400, 'user_banned', 'An administrator must approve your account before you can sign in.'),
  },
  ACCOUNT_DEACTIVATED: {
    status: 403,
    message: 'This account has been deactivated.',
    hosted: hosted(403, 'user_banned', 'User is banned'),
  },
  REAUTHENTICATION_REQUIRED: {
    status: 403,
    message: 'Confirm your password to go on.',
    code: 'reauthentication_required',
    hosted: hosted(403, 'reauthentication_required', 'Confirm your password to go on.'),
  },

  // Sign-up and what is sent by mail
  SIGNUP_DISABLED: {
    status: 422,
    message: 'Signups not allowed for this instance. Ask an administrator for an account.',
    hosted: hosted(
      422,
      'signup_disabled',
      'Signups not allowed for this instance. Ask an administrator for an account.',
    ),
  },
  ANONYMOUS_SIGNUP_DISABLED: {
    status: 422,
    message: 'Anonymous sign-ins are disabled',
    hosted: hosted(422, 'anonymous_provider_disabled', 'Anonymous sign-ins are disabled'),
  },
  USER_ALREADY_EXISTS: {
    status: 422,
    message: 'User already registered',
    hosted: hosted(422, 'user_already_exists', 'User already registered'),
  },
  EMAIL_INVALID: {
    status: 422,
    message: 'This is not an email address.',
    hosted: hosted(400, 'validation_failed', 'Unable to validate email address: invalid format'),
  },
  REQUEST_INCOMPLETE: {
    status: 422,
    message: 'Something is missing in this request.',
    hosted: hosted(400, 'validation_failed', 'Something is missing in this request'),
  },
  WEAK_PASSWORD: {
    status: 422,
    message: 'Password should be at least 6 characters.',
    code: 'weak_password',
    hosted: hosted(422, 'weak_password', 'Password should be at least 6 characters.'),
  },
  SAME_PASSWORD: {
    status: 422,
    message: 'New password should be different from the old password.',
    hosted: hosted(422, 'same_password', 'New password should be different from the old password.'),
  },
  TOO_MANY_MAILS: {
    status: 429,
    message: 'A mail is on its way already. Please wait a minute before you ask for another one.',
    hosted: hosted(
      429,
      'over_email_send_rate_limit',
      'For security purposes, you can only request this after 60 seconds.',
    ),
  },
  LINK_EXPIRED: {
    status: 403,
    message: 'This link is invalid or has expired.',
    hosted: hosted(403, 'otp_expired', 'Email link is invalid or has expired'),
  },
  CODE_EXPIRED: {
    status: 403,
    message: 'This code is invalid or has expired.',
    hosted: hosted(403, 'otp_expired', 'Token has expired or is invalid'),
  },
  FLOW_STATE_NOT_FOUND: {
    status: 404,
    message: 'Please sign in again.',
    hosted: hosted(404, 'flow_state_not_found', 'invalid flow state, no valid flow state found'),
  },
  FLOW_STATE_EXPIRED: {
    status: 422,
    message: 'Please sign in again.',
    hosted: hosted(422, 'flow_state_expired', 'invalid flow state, flow state has expired'),
  },
  BAD_CODE_VERIFIER: {
    status: 400,
    message: 'Please sign in again.',
    hosted: hosted(400, 'bad_code_verifier', 'code challenge does not match previously saved code verifier'),
  },

  // Accounts, as admins and owners keep them
  ACCOUNT_NOT_FOUND: { status: 404, message: 'User not found' },
  EMAIL_TAKEN: {
    status: 409,
    message: 'Another account has this email address.',
    code: 'email_taken',
    hosted: hosted(422, 'email_exists', 'A user with this email address has already been registered'),
  },
  USERNAME_TAKEN: { status: 409, message: 'Another account has this username.', code: 'username_taken' },
  LAST_OWNER: {
    status: 409,
    message: 'There must always be at least one active owner.',
    code: 'last_owner',
  },
  OWNERS_ONLY: { status: 403, message: 'Only an owner can make or change owners and admins.' },
  OWN_ROLE: { status: 403, message: 'You cannot change your own role.' },

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
    hosted: hosted(400, 'current_password_invalid', 'Current password is incorrect'),
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

  // Stock
  ITEM_NOT_FOUND: { status: 404, message: 'This item is not in the inventory.' },
  ITEM_INVALID: { status: 422, message: 'Some of the values of this item are not acceptable.' },
  SKU_TAKEN: { status: 409, message: 'Another item has this SKU.', code: 'sku_taken' },
  STOCK_LIMIT: {
    status: 409,
    message: 'Stock cannot go below 0 or above 1,000,000,000 pieces.',
    code: 'stock_limit',
  },
  STOCK_NOT_RESERVED: {
    status: 409,
    message: 'Not that many pieces are reserved.',
    code: 'stock_not_reserved',
  },
  STOCK_NOT_FREE: { status: 409, message: 'Not that many pieces are free.', code: 'stock_not_free' },
  MOVEMENT_INVALID: { status: 422, message: 'This kind of movement does not go in that direction.' },
  MOVEMENT_ALREADY_UNDONE: { status: 409, message: 'This movement has been undone already.' },
  LOCATION_TAKEN: { status: 409, message: 'There is a location of this name already.' },

  // Filament
  SPOOL_NOT_FOUND: { status: 404, message: 'This spool is not there.' },
  SPOOL_INVALID: { status: 422, message: 'Some of the values of this spool are not acceptable.' },
  SPOOL_WEIGHT_LIMIT: {
    status: 409,
    message: 'A spool cannot hold less than nothing, or more than 1,000 kg.',
    code: 'spool_weight_limit',
  },
  SPOOL_ENTRY_UNDONE: { status: 409, message: 'This entry has been undone already.' },
  SPOOL_TAG_TAKEN: { status: 409, message: 'Another spool has this tag.' },

  // Orders and print jobs
  ORDER_NOT_FOUND: { status: 404, message: 'This order is not here.' },
  ORDER_INVALID: { status: 422, message: 'Some of the values of this order are not acceptable.' },
  ORDER_NUMBER_TAKEN: {
    status: 409,
    message: 'There is an order with this number.',
    code: 'order_number_taken',
  },
  PRINT_JOB_NOT_FOUND: { status: 404, message: 'This print job is not in the queue.' },
  PRINT_JOB_INVALID: { status: 422, message: 'Some of the values of this print job are not acceptable.' },
  PRINT_JOB_STATE: {
    status: 409,
    message: 'The state of this print job does not allow that.',
    code: 'print_job_state',
  },
  PRINT_JOB_REPEATED: { status: 409, message: 'This print job has been queued again already.' },

  // Products
  PRODUCT_NOT_FOUND: { status: 404, message: 'This product is not in the catalogue.' },
  PRODUCT_INVALID: { status: 422, message: 'Some of the values of this product are not acceptable.' },
  PRODUCT_SLUG_TAKEN: { status: 409, message: 'Another product has this slug.', code: 'slug_taken' },

  // Live events
  TOO_MANY_STREAMS: {
    status: 429,
    message: 'This session listens in too many places at once.',
    code: 'too_many_streams',
  },
} as const satisfies Record<string, ErrorEntry>

export type ErrorCode = keyof typeof TABLE

/** Looks an error up; every code has an entry. */
export const errorEntry = (code: ErrorCode): ErrorEntry => TABLE[code]
