import * as z from 'zod/mini'
import { nullable, timestamp } from '../fields.ts'
import { declareEndpoints } from '../endpoint.ts'

const { get, post } = declareEndpoints('auth')

/** The signed-in person, as returned by sign-in and `me`. */
export const currentUser = z.object({
  id: z.uuid(),
  email: z.string(),
  username: z.string(),
  full_name: z.string(),
  role: z.string(),
  permissions: z.record(z.string(), z.boolean()),
  metadata: z.record(z.string(), z.unknown()),
  isActive: z.boolean(),
  system_access: z.boolean(),
  last_login: nullable.timestamp,
  password_change_required: z.boolean(),
  /**
   * Whether the account needs a second factor. Until a code is entered, other calls are refused with 403
   * `insufficient_aal`.
   */
  second_factor: z.boolean(),
  /**
   * Whether the rules of the installation demand a second factor from the role, and the account has none. Until
   * it is set up, other calls are refused with 403 `second_factor_setup_required`.
   */
  second_factor_setup_required: z.boolean(),
  /**
   * Whether the account has a password. An account without one confirms its identity by another sign-in, or by
   * its second factor.
   */
  has_password: z.boolean(),
  /**
   * Whether a SAML provider manages the account. Such an account gets its email address from the provider,
   * and has no password.
   */
  sso_managed: z.boolean(),
  /** The new address of a pending change of email, until it is confirmed. */
  new_email: nullable.text,
  /** Clients send it in quotes as `If-Match` when they change the profile. */
  revision: z.number(),
})
export type CurrentUser = z.output<typeof currentUser>

export const loginBody = z.object(
  {
    username: z
      .string('Username is required')
      .check(z.minLength(1, 'Username is required'), z.maxLength(320, 'Username is too long')),
    password: z
      .string('Password is required')
      .check(z.minLength(1, 'Password is required'), z.maxLength(1024, 'Password is too long')),
  },
  'Username and password are required',
)

export const login = post('/auth/login', 'public', {
  aliases: ['/api/auth/login'],
  summary: 'Sign in with a username or an email address',
  body: loginBody,
  returns: z.object({
    access_token: z.string(),
    refresh_token: z.string(),
    token_type: z.literal('bearer'),
    expires_in: z.number(),
    expires_at: z.number(),
    user: currentUser,
  }),
  errors: [
    'INVALID_CREDENTIALS',
    'EMAIL_NOT_CONFIRMED',
    'ACCOUNT_NOT_APPROVED',
    'TOO_MANY_SIGN_INS',
    'UNAVAILABLE',
  ],
})

export const getMe = get('/api/auth/me', 'signed-in', {
  summary: 'The signed-in person, with role and permissions',
  worksBeforePasswordChange: true,
  worksBeforeFactorSetup: true,
  returns: currentUser,
})

/** Proof of identity: the password, or a code for the second factor. */
const reauthenticateBody = z
  .object({
    password: z.optional(z.string('Password is required').check(z.maxLength(1024, 'Password is too long'))),
    code: z.optional(z.string('The code is required').check(z.maxLength(64, 'The code is too long'))),
  })
  .check(
    z.refine(({ password, code }) => Boolean(password) || Boolean(code), {
      error: 'Password is required',
      path: ['password'],
    }),
    z.refine(({ password, code }) => !(password && code), {
      error: 'Send the password or a code, not both',
      path: ['code'],
    }),
  )

export const reauthenticate = post('/api/auth/reauthenticate', 'signed-in', {
  summary: 'Confirm your identity; sensitive changes then work for 15 minutes',
  worksBeforeFactorSetup: true,
  body: reauthenticateBody,
  returns: z.object({ authenticated_at: timestamp, valid_until: timestamp }),
  errors: ['CURRENT_PASSWORD_WRONG', 'FACTOR_CODE_WRONG', 'TOO_MANY_SIGN_INS', 'TOO_MANY_CODES'],
})
