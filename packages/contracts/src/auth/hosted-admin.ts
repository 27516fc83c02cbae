import * as z from 'zod/mini'
import { declareEndpoints } from '../endpoint.ts'
import { grantText, hostedFactor, hostedUser, metadata, redirectQuery } from './hosted-auth.ts'
import { hostedPasskey } from './hosted-passkeys.ts'

const { get, post, put, del } = declareEndpoints('hosted auth', {
  dialect: 'hosted-auth',
  notFound: 'ACCOUNT_NOT_FOUND',
})

/**
 * The admin part of the hosted auth protocol, for programs with a secret key. Such a key has fewer rights
 * than an owner: it creates and changes accounts with a role below admin, and can only read the others.
 */

const DEFAULT_PER_PAGE = 50
const MAX_PER_PAGE = 1000

/** A number in the query string. The client sends an empty string for a missing number. */
const pageNumber = (name: string, ifEmpty: number, max: number) =>
  z.pipe(
    z.optional(z.string()),
    z.transform((text, context): number => {
      if (text === undefined || text === '') return ifEmpty
      const value = /^[1-9]\d{0,6}$/.test(text) ? Number(text) : Number.NaN
      if (value <= max) return value
      context.issues.push({
        code: 'custom',
        message: `${name} must be a number from 1 to ${max}`,
        input: text,
      })
      return z.NEVER
    }),
  )

/** Selects a page of a list in the admin API. */
export const listPageQuery = z.object({
  page: pageNumber('page', 1, 1_000_000),
  per_page: pageNumber('per_page', DEFAULT_PER_PAGE, MAX_PER_PAGE),
})

export const hostedListUsers = get('/auth/v1/admin/users', 'service-role', {
  summary:
    'Accounts, newest first; headers contain the total (X-Total-Count) and the next and last page (Link)',
  query: listPageQuery,
  returns: z.object({ users: z.array(hostedUser), aud: z.literal('authenticated') }),
})

export const hostedAdminGetUser = get('/auth/v1/admin/users/:id', 'service-role', {
  summary: 'One account',
  returns: hostedUser,
})

/**
 * Size limit in bytes. It is low, because each access token contains this metadata, and tokens are sent in headers,
 * whose size is limited.
 */
const APP_METADATA_MAX_BYTES = 512
const appMetadata = metadata.check(
  z.refine(
    (value: unknown) => new TextEncoder().encode(JSON.stringify(value)).length <= APP_METADATA_MAX_BYTES,
    'app_metadata is too large',
  ),
)

const flag = (name: string) => z.optional(z.nullable(z.boolean(`${name} must be true or false`)))

const adminUserFields = {
  email: grantText,
  /**
   * A phone number with its country code. It can be used for sign-in after `phone_confirm` or a code has
   * confirmed it.
   */
  phone: grantText,
  password: grantText,
  /** An argon2id hash in PHC form, instead of a password. */
  password_hash: grantText,
  email_confirm: flag('email_confirm'),
  phone_confirm: flag('phone_confirm'),
  user_metadata: z.optional(z.nullable(metadata)),
  /** The field `role` in this metadata is the role: viewer, employee or staff. Only owners can assign higher roles. */
  app_metadata: z.optional(z.nullable(appMetadata)),
  /**
   * The account's role in the hosted protocol, which is always `authenticated`. Our own roles are in `app_metadata`.
   */
  role: grantText,
  /** A duration such as `24h`, or `none`. */
  ban_duration: grantText,
}
const adminUserBody = z.optional(z.object({ ...adminUserFields, id: grantText }))
export type AdminUserBody = NonNullable<z.output<typeof adminUserBody>>

const CHANGE_ERRORS = [
  'OWNERS_ONLY',
  'EMAIL_INVALID',
  'EMAIL_TAKEN',
  'PHONE_INVALID',
  'PHONE_TAKEN',
  'WEAK_PASSWORD',
  'REQUEST_INCOMPLETE',
] as const

export const hostedAdminCreateUser = post('/auth/v1/admin/users', 'service-role', {
  summary: 'Create an approved account; its role is viewer unless app_metadata.role names employee or staff',
  body: adminUserBody,
  returns: hostedUser,
  errors: [...CHANGE_ERRORS, 'ACCOUNT_ID_TAKEN'],
})

export const hostedAdminUpdateUser = put('/auth/v1/admin/users/:id', 'service-role', {
  summary: 'Change an account whose role is below admin; a new password or a ban ends its sessions',
  body: z.optional(z.object(adminUserFields)),
  returns: hostedUser,
  errors: [...CHANGE_ERRORS, 'SSO_MANAGED'],
})

export const hostedAdminDeleteUser = del('/auth/v1/admin/users/:id', 'service-role', {
  summary:
    'Delete an account whose role is below admin: its sign-in methods are erased, and its name stays in histories',
  body: z.optional(z.nullable(z.object({ should_soft_delete: flag('should_soft_delete') }))),
  success: { status: 200, body: z.object({}) },
  errors: ['OWNERS_ONLY'],
})

export const hostedAdminListFactors = get('/auth/v1/admin/users/:id/factors', 'service-role', {
  summary: 'The second factors of an account',
  returns: z.array(hostedFactor),
})

export const hostedAdminDeleteFactor = del('/auth/v1/admin/users/:id/factors/:factorId', 'service-role', {
  summary: 'Remove a second factor of an account whose role is below admin',
  params: z.object({ id: z.uuid(), factorId: z.uuid() }),
  success: { status: 200, body: hostedFactor },
  errors: ['OWNERS_ONLY', 'FACTOR_NOT_FOUND'],
})

export const hostedAdminListPasskeys = get('/auth/v1/admin/users/:id/passkeys', 'service-role', {
  summary: 'The passkeys of an account, oldest first',
  returns: z.array(hostedPasskey),
})

export const hostedAdminDeletePasskey = del('/auth/v1/admin/users/:id/passkeys/:passkeyId', 'service-role', {
  summary: 'Remove a passkey of an account whose role is below admin',
  params: z.object({ id: z.uuid(), passkeyId: z.uuid() }),
  errors: ['OWNERS_ONLY', 'PASSKEY_NOT_FOUND'],
})

export const hostedGenerateLink = post('/auth/v1/admin/generate_link', 'service-role', {
  summary:
    'Create the link and the code of an email without sending the email: signup, invite, magiclink, recovery, email_change_…',
  query: redirectQuery,
  body: z.optional(
    z.object({
      type: grantText,
      email: grantText,
      password: grantText,
      new_email: grantText,
      data: z.optional(z.nullable(metadata)),
      redirect_to: grantText,
    }),
  ),
  returns: z.extend(hostedUser, {
    action_link: z.string(),
    email_otp: z.string(),
    hashed_token: z.string(),
    verification_type: z.string(),
    redirect_to: z.string(),
  }),
  errors: [
    'REQUEST_INCOMPLETE',
    'OWNERS_ONLY',
    'ACCOUNT_NOT_FOUND',
    'ACCOUNT_DEACTIVATED',
    'EMAIL_INVALID',
    'EMAIL_TAKEN',
    'WEAK_PASSWORD',
  ],
})

export const hostedInvite = post('/auth/v1/invite', 'service-role', {
  summary: 'Create an approved account and send an invitation by email, or invite an account again',
  query: redirectQuery,
  body: z.optional(z.object({ email: grantText, data: z.optional(z.nullable(metadata)) })),
  returns: hostedUser,
  errors: ['REQUEST_INCOMPLETE', 'OWNERS_ONLY', 'EMAIL_INVALID', 'EMAIL_TAKEN', 'TOO_MANY_MAILS'],
})
