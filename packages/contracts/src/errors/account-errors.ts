import { type ErrorEntry, hosted, hostedRest } from './error-entry.ts'

/** What goes wrong with sign-in, mails, accounts, passwords and keys. */
export const ACCOUNT_ERRORS = {
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
    rest: hostedRest(401, 'PGRST301', 'JWT could not be decoded or verified'),
  },
  JWT_EXPIRED: {
    status: 401,
    message: 'Sign in to continue.',
    hosted: hosted(403, 'bad_jwt', 'invalid JWT: unable to parse or verify signature, token is expired'),
    rest: hostedRest(401, 'PGRST303', 'JWT expired'),
  },
  SESSION_NOT_FOUND: {
    status: 401,
    message: 'Your session has ended. Please sign in again.',
    hosted: hosted(403, 'session_not_found', 'Session from session_id claim in JWT does not exist'),
    rest: hostedRest(401, 'PGRST303', 'Session from session_id claim in JWT does not exist'),
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
  // Ways of signing in that the hosted protocol knows and we do not offer
  OAUTH_DISABLED: {
    status: 400,
    message: 'This way of signing in is not offered.',
    hosted: hosted(400, 'validation_failed', 'Unsupported provider: provider is not enabled'),
  },
  ID_TOKEN_DISABLED: {
    status: 400,
    message: 'This way of signing in is not offered.',
    hosted: hosted(400, 'provider_disabled', 'Provider is not enabled'),
  },
  WEB3_DISABLED: {
    status: 422,
    message: 'This way of signing in is not offered.',
    hosted: hosted(422, 'web3_provider_disabled', 'Web3 provider is disabled'),
  },
  SAML_DISABLED: {
    status: 404,
    message: 'This way of signing in is not offered.',
    hosted: hosted(404, 'saml_provider_disabled', 'SAML 2.0 is disabled'),
  },
  PHONE_DISABLED: {
    status: 400,
    message: 'This way of signing in is not offered.',
    hosted: hosted(400, 'phone_provider_disabled', 'Unsupported phone provider'),
  },
  MANUAL_LINKING_DISABLED: {
    status: 404,
    message: 'An account has one way of signing in, which cannot be changed here.',
    hosted: hosted(404, 'manual_linking_disabled', 'Manual linking is disabled'),
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

  REAUTHENTICATION_CODE_WRONG: {
    status: 422,
    message: 'This code is invalid or has expired.',
    hosted: hosted(422, 'reauthentication_not_valid', 'Nonce has expired or is invalid'),
  },

  // Sign-up and what is sent by mail
  OTP_SIGNUP_DISABLED: {
    status: 422,
    message: 'There is no account with this address.',
    hosted: hosted(422, 'otp_disabled', 'Signups not allowed for otp'),
  },
  SIGNUP_DISABLED: {
    status: 422,
    message: 'Signups not allowed for this instance. Ask an administrator for an account.',
    hosted: hosted(422, 'signup_disabled', 'Signups not allowed for this instance'),
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
    message: 'Please wait a while before you ask for another mail.',
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
  ADMIN_REQUIRED: { status: 403, message: 'Access denied. Admin privileges required.' },
  OWN_SESSION_NOT_FOUND: { status: 404, message: 'This session has ended already.' },
  INVITATION_CLOSED: {
    status: 409,
    message: 'This person has a password already and needs no invitation.',
    code: 'invitation_closed',
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
  RESET_USER_REQUIRED: { status: 400, message: 'Please select a user' },
  RESET_PASSWORD_TOO_SHORT: { status: 400, message: 'Password must be at least 6 characters long' },
  RESET_PASSWORD_TOO_LONG: { status: 400, message: 'Password must be at most 128 characters long' },
  RESET_PASSWORD_MISMATCH: { status: 400, message: 'Passwords do not match' },
  RESET_OWN_PASSWORD: {
    status: 400,
    message: 'Change your own password on the Password tab, with your current one.',
  },
  CURRENT_PASSWORD_WRONG: {
    status: 401,
    message: 'Current password is incorrect. Please check your current password and try again.',
    code: 'current_password_wrong',
    hosted: hosted(400, 'current_password_invalid', 'Current password is incorrect'),
  },

  // The second factor. The hosted protocol has one word for its being due, and a status for each kind of call.
  SECOND_FACTOR_REQUIRED: {
    status: 403,
    message: 'Enter a code of your authenticator app to go on.',
    code: 'insufficient_aal',
    hosted: hosted(403, 'insufficient_aal', 'AAL2 session is required: verify a second factor first'),
  },
  SECOND_FACTOR_REQUIRED_TO_CHANGE: {
    status: 403,
    message: 'Enter a code of your authenticator app to go on.',
    code: 'insufficient_aal',
    hosted: hosted(401, 'insufficient_aal', 'AAL2 session is required to change the account'),
  },
  SECOND_FACTOR_REQUIRED_TO_REMOVE: {
    status: 403,
    message: 'Enter a code of your authenticator app to go on.',
    code: 'insufficient_aal',
    hosted: hosted(422, 'insufficient_aal', 'AAL2 session is required to remove a factor'),
  },
  FACTOR_CODE_WRONG: {
    status: 422,
    message: 'This code is wrong or was used already. Please enter the next one.',
    code: 'factor_code_wrong',
    hosted: hosted(422, 'mfa_verification_failed', 'Invalid TOTP code entered'),
  },
  TOO_MANY_CODES: {
    status: 429,
    message: 'Too many wrong codes. Please wait and try again.',
    hosted: hosted(429, 'over_request_rate_limit', 'Too many wrong codes. Please wait and try again.'),
  },
  FACTOR_NOT_FOUND: {
    status: 404,
    message: 'This factor does not exist any more.',
    hosted: hosted(404, 'mfa_factor_not_found', 'Factor not found'),
  },
  FACTOR_NAME_TAKEN: {
    status: 422,
    message: 'Another of your factors has this name.',
    hosted: hosted(422, 'mfa_factor_name_conflict', 'Another factor of this account has this name'),
  },
  TOO_MANY_FACTORS: {
    status: 422,
    message: 'There can be at most 10 factors. Remove one first.',
    hosted: hosted(
      422,
      'too_many_enrolled_mfa_factors',
      'Maximum number of factors reached, unenroll to continue',
    ),
  },
  PHONE_FACTORS_DISABLED: {
    status: 422,
    message: 'Codes are not sent to phones. Use an authenticator app.',
    hosted: hosted(422, 'mfa_phone_enroll_not_enabled', 'MFA enroll is disabled for Phone'),
  },
  WEBAUTHN_FACTORS_DISABLED: {
    status: 422,
    message: 'Security keys cannot be used yet. Use an authenticator app.',
    hosted: hosted(422, 'mfa_webauthn_enroll_not_enabled', 'MFA enroll is disabled for WebAuthn'),
  },
  CHALLENGE_NOT_FOUND: {
    status: 422,
    message: 'Please try again.',
    hosted: hosted(422, 'mfa_factor_not_found', 'MFA factor with the provided challenge ID not found'),
  },
  CHALLENGE_EXPIRED: {
    status: 422,
    message: 'This took too long. Please try again.',
    hosted: hosted(422, 'mfa_challenge_expired', 'MFA challenge has expired, create a new challenge'),
  },
  CHALLENGE_USED_OR_ELSEWHERE: {
    status: 422,
    message: 'Please try again.',
    hosted: hosted(422, 'mfa_ip_address_mismatch', 'Challenge and verify IP addresses mismatch'),
  },
  RECOVERY_CODE_WRONG: {
    status: 422,
    message: 'This recovery code is wrong or was used already.',
    hosted: hosted(422, 'mfa_verification_failed', 'Invalid recovery code entered'),
  },
  RECOVERY_CODES_LOCKED: {
    status: 429,
    message: 'Too many wrong recovery codes. Please wait and try again.',
    hosted: hosted(
      429,
      'mfa_recovery_codes_locked',
      'Too many wrong recovery codes. Please wait and try again.',
    ),
  },
  RECOVERY_CODES_NOT_FOUND: {
    status: 404,
    message: 'There are no recovery codes.',
    hosted: hosted(404, 'mfa_factor_not_found', 'The account has no recovery codes'),
  },
  RECOVERY_CODES_EXIST: {
    status: 422,
    message: 'There are recovery codes already. Replace them instead.',
    hosted: hosted(
      422,
      'mfa_verified_factor_exists',
      'The account has recovery codes already, use regenerate to replace them',
    ),
  },
  RECOVERY_CODES_ALONE: {
    status: 422,
    message: 'Set up an authenticator app first.',
    hosted: hosted(
      422,
      'mfa_recovery_codes_sole_factor',
      'Recovery codes need another verified factor beside them',
    ),
  },
  OWN_FACTORS: {
    status: 403,
    message: 'Change your own two-factor sign-in in your profile.',
  },
} as const satisfies Record<string, ErrorEntry>
