import * as z from 'zod/mini'
import { nullable, timestamp } from '../fields.ts'
import { declareEndpoints } from '../endpoint.ts'

const { get, post, put } = declareEndpoints('hosted auth', { dialect: 'hosted-auth' })

/**
 * The part of the hosted auth service's protocol that we serve. The official client calls it, so names,
 * optional fields and responses follow that service, not our own conventions.
 */

const hostedIdentity = z.object({
  identity_id: z.uuid(),
  id: z.string(),
  user_id: z.uuid(),
  identity_data: z.record(z.string(), z.unknown()),
  provider: z.string(),
  last_sign_in_at: z.optional(timestamp),
  created_at: timestamp,
  updated_at: timestamp,
  email: z.optional(z.string()),
})

/** A second factor, in the form that `mfa.listFactors()` of the official client expects. */
export const hostedFactor = z.object({
  id: z.uuid(),
  friendly_name: z.optional(z.string()),
  factor_type: z.enum(['totp', 'webauthn', 'phone', 'recovery_code']),
  status: z.enum(['unverified', 'verified']),
  /** The digits of the phone number. Empty for other factors. */
  phone: z.string(),
  last_challenged_at: nullable.timestamp,
  created_at: timestamp,
  updated_at: timestamp,
})
export type HostedFactor = z.output<typeof hostedFactor>

export const hostedUser = z.object({
  id: z.uuid(),
  aud: z.literal('authenticated'),
  /** Empty in the response to a sign-up with an address that already has an account. */
  role: z.enum(['authenticated', '']),
  email: z.string(),
  /** The digits of the number in E.164 form, without the plus. Empty if there is none. */
  phone: z.string(),
  email_confirmed_at: z.optional(timestamp),
  phone_confirmed_at: z.optional(timestamp),
  /** The earlier of `email_confirmed_at` and `phone_confirmed_at`. */
  confirmed_at: z.optional(timestamp),
  confirmation_sent_at: z.optional(timestamp),
  recovery_sent_at: z.optional(timestamp),
  invited_at: z.optional(timestamp),
  email_change_sent_at: z.optional(timestamp),
  new_email: z.optional(z.string()),
  phone_change_sent_at: z.optional(timestamp),
  /** The new phone number of the account, which is not confirmed yet. */
  new_phone: z.optional(z.string()),
  last_sign_in_at: z.optional(timestamp),
  /** The end of a deactivation. It is far in the future if the deactivation lasts until somebody lifts it. */
  banned_until: z.optional(timestamp),
  app_metadata: z.record(z.string(), z.unknown()),
  user_metadata: z.record(z.string(), z.unknown()),
  factors: z.optional(z.array(hostedFactor)),
  identities: z.array(hostedIdentity),
  created_at: timestamp,
  updated_at: timestamp,
  is_anonymous: z.boolean(),
})
export type HostedUser = z.output<typeof hostedUser>

export const hostedSession = z.object({
  access_token: z.string(),
  token_type: z.literal('bearer'),
  expires_in: z.number(),
  expires_at: z.number(),
  refresh_token: z.string(),
  /** The tokens of the provider. They are present only right after a sign-in through a provider. */
  provider_token: z.optional(z.string()),
  provider_refresh_token: z.optional(z.string()),
  user: hostedUser,
})
export type HostedSession = z.output<typeof hostedSession>

/**
 * A string in a request body of the protocol. It may be null or missing, because each handler checks the
 * strings that it needs.
 */
export const grantText = z.optional(z.nullable(z.string().check(z.maxLength(4096, 'value is too long'))))

/** Maximum length of a provider's token. The tokens of all known providers are shorter. */
const ID_TOKEN_MAX_LENGTH = 16 * 1024

const idTokenFields = {
  /** The provider's name. If it is missing, `client_id` and `issuer` identify the provider. */
  provider: grantText,
  client_id: grantText,
  issuer: grantText,
  id_token: z.optional(z.nullable(z.string().check(z.maxLength(ID_TOKEN_MAX_LENGTH, 'value is too long')))),
  access_token: z.optional(
    z.nullable(z.string().check(z.maxLength(ID_TOKEN_MAX_LENGTH, 'value is too long'))),
  ),
  nonce: grantText,
  /** Links the identity to the account in the `Authorization` header. */
  link_identity: z.optional(z.nullable(z.boolean('link_identity is true or false'))),
}

/** Length limits, in characters, of the message that a crypto wallet signs for a sign-in (grant type `web3`). */
export const WEB3_MESSAGE_MIN_LENGTH = 64
const WEB3_MESSAGE_MAX_LENGTH = 20 * 1024

/**
 * The body of a token request. It has the fields of all grant types, and the handler checks those that its type needs.
 */
const hostedTokenBody = z.optional(
  z.object({
    email: grantText,
    phone: grantText,
    password: grantText,
    refresh_token: grantText,
    auth_code: grantText,
    code_verifier: grantText,
    ...idTokenFields,
    /** `chain`, `message` and `signature` are the fields of the grant type `web3`, the sign-in with a crypto wallet. */
    chain: grantText,
    message: z.optional(
      z.nullable(z.string().check(z.maxLength(WEB3_MESSAGE_MAX_LENGTH, 'message is too long'))),
    ),
    /** The signature as text, or its bytes as an object, because the official client sends either. */
    signature: z.optional(
      z.nullable(
        z.union([z.string().check(z.maxLength(4096, 'value is too long')), z.record(z.string(), z.number())]),
      ),
    ),
  }),
)

export const hostedToken = post('/auth/v1/token', 'public', {
  summary:
    'Get a session with a password, a refresh token, the code from an email link or a provider, an ID token, or a message that a wallet has signed',
  query: z.object({ grant_type: z.optional(z.string()) }),
  body: hostedTokenBody,
  returns: hostedSession,
  errors: [
    'INVALID_CREDENTIALS',
    'EMAIL_NOT_CONFIRMED',
    'PHONE_NOT_CONFIRMED',
    'PHONE_DISABLED',
    'ACCOUNT_NOT_APPROVED',
    'TOO_MANY_SIGN_INS',
    'UNSUPPORTED_GRANT',
    'WEB3_DISABLED',
    'WEB3_CHAIN_UNKNOWN',
    'WEB3_REFUSED',
    'SIGNUP_DISABLED',
    'TOO_MANY_REQUESTS',
    'ID_TOKEN_DISABLED',
    'ID_TOKEN_INVALID',
    'NONCE_MISMATCH',
    'PROVIDER_FAILED',
    'PROVIDER_EMAIL_MISSING',
    'PROVIDER_EMAIL_UNVERIFIED',
    'EMAIL_TAKEN',
    'MANUAL_LINKING_DISABLED',
    'REAUTHENTICATION_REQUIRED',
    'SECOND_FACTOR_REQUIRED',
    'SECOND_FACTOR_SETUP_REQUIRED',
    'IDENTITY_TAKEN',
    'FLOW_STATE_NOT_FOUND',
    'FLOW_STATE_EXPIRED',
    'BAD_CODE_VERIFIER',
    'REFRESH_TOKEN_MALFORMED',
    'REFRESH_TOKEN_NOT_FOUND',
    'REFRESH_TOKEN_REUSED',
    'SESSION_EXPIRED',
  ],
})

export const hostedLogout = post('/auth/v1/logout', 'signed-in', {
  summary: 'End sessions: all (global), this one (local) or all but this one (others)',
  isForAnonymous: true,
  worksBeforePasswordChange: true,
  worksBeforeSecondFactor: true,
  worksBeforeFactorSetup: true,
  query: z.object({ scope: z.optional(z.string()) }),
  errors: ['UNKNOWN_LOGOUT_SCOPE'],
})

export const hostedGetUser = get('/auth/v1/user', 'signed-in', {
  summary: 'The signed-in account',
  isForAnonymous: true,
  worksBeforePasswordChange: true,
  worksBeforeSecondFactor: true,
  worksBeforeFactorSetup: true,
  returns: hostedUser,
})

/**
 * Size limit for the metadata of an account. Every access token contains the metadata, and tokens are sent in headers,
 * whose size is limited.
 */
export const METADATA_MAX_BYTES = 4096

export const isMetadataTooLarge = (value: unknown): boolean =>
  new TextEncoder().encode(JSON.stringify(value)).length > METADATA_MAX_BYTES

/**
 * Matches characters that JSON can express and the database cannot store: NUL and halves of a surrogate pair.
 */
const UNSTORABLE = /\\u0000|\\ud[89a-f]/i
export const metadata = z.record(z.string().check(z.maxLength(100)), z.unknown()).check(
  z.refine((value: unknown) => !isMetadataTooLarge(value), 'data is too large'),
  z.refine(
    (value: unknown) => !UNSTORABLE.test(JSON.stringify(value)),
    'data contains characters that cannot be stored',
  ),
)
export const codeChallenge = { code_challenge: grantText, code_challenge_method: grantText }
/** `redirect_to` is the page to which the link in the email leads in the end. Pages on other origins are ignored. */
export const redirectQuery = z.object({ redirect_to: z.optional(z.string().check(z.maxLength(2048))) })

export const hostedSignUp = post('/auth/v1/signup', 'public', {
  summary: 'Sign up: returns a session if sign-ups are open, otherwise an account that must be approved',
  query: redirectQuery,
  body: z.optional(
    z.object({
      email: grantText,
      phone: grantText,
      password: grantText,
      data: z.optional(z.nullable(metadata)),
      channel: grantText,
      ...codeChallenge,
    }),
  ),
  returns: z.union([hostedSession, hostedUser]),
  errors: [
    'SIGNUP_DISABLED',
    'ANONYMOUS_SIGNUP_DISABLED',
    'USER_ALREADY_EXISTS',
    'EMAIL_INVALID',
    'PHONE_INVALID',
    'PHONE_DISABLED',
    'TOO_MANY_SMS',
    'WEAK_PASSWORD',
    'REQUEST_INCOMPLETE',
    'TOO_MANY_MAILS',
    'TOO_MANY_REQUESTS',
  ],
})

export const MAIL_TOKEN_TYPES = [
  'signup',
  'invite',
  'recovery',
  'email_change',
  'magiclink',
  /** The email of this type contains only a code, with which a signed-in person confirms their identity. */
  'reauthentication',
] as const
export type MailTokenType = (typeof MAIL_TOKEN_TYPES)[number]

/**
 * Types of messages with a code. `sms` signs in, and confirms the number of a new account. `phone_change`
 * confirms another number.
 */
export type PhoneCodeType = 'sms' | 'phone_change' | 'reauthentication'

export const hostedVerify = post('/auth/v1/verify', 'public', {
  summary:
    'Use the link (token_hash) or the code (email and token) from an email, or the code from a text message (phone and token); each works once',
  body: z.optional(
    z.object({
      type: grantText,
      token: grantText,
      token_hash: grantText,
      email: grantText,
      phone: grantText,
    }),
  ),
  returns: z.union([hostedSession, hostedUser]),
  errors: [
    'LINK_EXPIRED',
    'CODE_EXPIRED',
    'PHONE_INVALID',
    'PHONE_TAKEN',
    'ACCOUNT_DEACTIVATED',
    'REQUEST_INCOMPLETE',
    'TOO_MANY_SIGN_INS',
  ],
})

export const hostedVerifyLink = get('/auth/v1/verify', 'public', {
  summary:
    'Target of links in emails: uses the link and redirects to redirect_to, with tokens or an error in the fragment',
  query: z.extend(redirectQuery, {
    type: z.optional(z.string().check(z.maxLength(50))),
    token: z.optional(z.string().check(z.maxLength(200))),
    token_hash: z.optional(z.string().check(z.maxLength(200))),
  }),
  success: { status: 303, body: null },
  errors: ['TOO_MANY_SIGN_INS'],
})

export const hostedResend = post('/auth/v1/resend', 'public', {
  summary: 'Resend the email or text message for a sign-up, or for a change of email or phone',
  query: redirectQuery,
  body: z.optional(z.object({ type: grantText, email: grantText, phone: grantText, ...codeChallenge })),
  returns: z.object({}),
  errors: [
    'REQUEST_INCOMPLETE',
    'EMAIL_INVALID',
    'PHONE_INVALID',
    'PHONE_DISABLED',
    'TOO_MANY_MAILS',
    'TOO_MANY_SMS',
    'TOO_MANY_REQUESTS',
  ],
})

export const hostedRecover = post('/auth/v1/recover', 'public', {
  summary: 'Send a link for choosing a new password by email; the response is the same for every address',
  query: redirectQuery,
  body: z.optional(z.object({ email: grantText, ...codeChallenge })),
  returns: z.object({}),
  errors: ['EMAIL_INVALID', 'REQUEST_INCOMPLETE', 'TOO_MANY_MAILS', 'TOO_MANY_REQUESTS'],
})

export const hostedUpdateUser = put('/auth/v1/user', 'signed-in', {
  summary: "Change the caller's password, email, phone or metadata",
  isForAnonymous: true,
  worksBeforePasswordChange: true,
  refusalBeforeSecondFactor: 'SECOND_FACTOR_REQUIRED_TO_CHANGE',
  query: redirectQuery,
  body: z.optional(
    z.object({
      email: grantText,
      /**
       * A new phone number. The account gets it when the person confirms the code that is sent to it (`verify` with the
       * type `phone_change`).
       */
      phone: grantText,
      password: grantText,
      current_password: grantText,
      /** The code from the email that `GET /reauthenticate` sends. */
      nonce: grantText,
      data: z.optional(z.nullable(metadata)),
      channel: grantText,
      ...codeChallenge,
    }),
  ),
  returns: hostedUser,
  errors: [
    'SECOND_FACTOR_REQUIRED_TO_CHANGE',
    'ANONYMOUS_PASSWORD',
    'SSO_MANAGED',
    'REAUTHENTICATION_REQUIRED',
    'REAUTHENTICATION_NEEDED',
    'REAUTHENTICATION_CODE_WRONG',
    'CURRENT_PASSWORD_WRONG',
    'WEAK_PASSWORD',
    'SAME_PASSWORD',
    'EMAIL_INVALID',
    'EMAIL_TAKEN',
    'PHONE_DISABLED',
    'PHONE_INVALID',
    'PHONE_TAKEN',
    'TOO_MANY_MAILS',
    'TOO_MANY_SMS',
    'TOO_MANY_SIGN_INS',
  ],
})

export const hostedJwks = get('/auth/v1/.well-known/jwks.json', 'public', {
  summary: 'Public keys that verify access tokens',
  returns: z.object({
    keys: z.array(
      z.object({
        kty: z.string(),
        kid: z.string(),
        alg: z.string(),
        use: z.literal('sig'),
        key_ops: z.array(z.string()),
        crv: z.string(),
        x: z.string(),
        y: z.string(),
      }),
    ),
  }),
})
