import * as z from 'zod/mini'
import { nullable, searchText, timestamp } from '../fields.ts'
import { declareEndpoints } from '../endpoint.ts'
import { ROLES } from '../roles.ts'

const { get, list, post, patch, del } = declareEndpoints('users', { notFound: 'ACCOUNT_NOT_FOUND' })

export const USERNAME_MAX_LENGTH = 64
export const FULL_NAME_MAX_LENGTH = 200
export const EMAIL_MAX_LENGTH = 320

/**
 * Converts a name to the form in which names are stored and compared: lower case, with variants of a character such as
 * full-width letters replaced by the plain one. Two spellings of one name therefore cannot become two accounts.
 */
export const normalizeName = (name: string): string => name.normalize('NFKC').trim().toLowerCase()

/**
 * Matches lower-case letters, digits, dot, hyphen and underscore. Other characters are not allowed, because
 * they can look alike.
 */
const USERNAME = /^[a-z0-9][a-z0-9._-]*$/
const EMAIL = z.email()

export const isUsername = (name: string): boolean => name.length <= USERNAME_MAX_LENGTH && USERNAME.test(name)

/**
 * Returns whether a normalized name is an email address. Only ASCII is allowed, because other letters can
 * look alike.
 */
export const isEmail = (name: string): boolean =>
  name.length <= EMAIL_MAX_LENGTH && EMAIL.safeParse(name).success

export const emailField = z
  .string('Email is required')
  .check(
    z.overwrite(normalizeName),
    z.minLength(1, 'Email is required'),
    z.refine(isEmail, 'This is not an email address'),
  )
const username = z
  .string('Username is required')
  .check(
    z.overwrite(normalizeName),
    z.minLength(1, 'Username is required'),
    z.refine(
      isUsername,
      'A username can have at most 64 lowercase letters, digits, dots, hyphens and underscores, and must begin with a letter or digit',
    ),
  )
/**
 * Matches control characters, line separators, and marks that would change the direction of the text after
 * the name.
 */
const UNREADABLE = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu

/** Converts a name from another system to one readable line. */
export const readableName = (text: string): string =>
  [...text.replace(UNREADABLE, ' ').trim()].slice(0, FULL_NAME_MAX_LENGTH).join('')

export const fullNameField = z.string().check(
  z.trim(),
  z.refine((name) => [...name].length <= FULL_NAME_MAX_LENGTH, 'The full name is too long'),
  z.refine((name) => name.search(UNREADABLE) === -1, 'The full name contains control characters'),
)
const role = z.enum(ROLES, 'This is not a role')

/**
 * Status of an account. `waiting` means that the account must be approved or its email address confirmed.
 * `invited` means that the person has not chosen a password yet. `deactivated` takes precedence over both.
 */
export const ACCOUNT_STATUSES = ['active', 'waiting', 'invited', 'deactivated'] as const
export type AccountStatus = (typeof ACCOUNT_STATUSES)[number]

/** An account, as admins and owners see it. Clients send `revision` in quotes as `If-Match`. */
export const user = z.object({
  id: z.uuid(),
  username: z.string(),
  full_name: z.string(),
  email: z.string(),
  /** The digits of the phone number, with the country code. Null if there is none. */
  phone: nullable.text,
  role: z.string(),
  system_access: z.boolean(),
  is_active: z.boolean(),
  approved: z.boolean(),
  approved_at: nullable.timestamp,
  email_confirmed: z.boolean(),
  has_second_factor: z.boolean(),
  status: z.enum(ACCOUNT_STATUSES),
  /** The time when the last invitation was sent. Null if there was none. */
  invited_at: nullable.timestamp,
  last_login: nullable.timestamp,
  created_at: timestamp,
  /** Whether this is the account of the first start. It is always an active owner. */
  is_first_owner: z.boolean(),
  revision: z.number(),
})
export type User = z.output<typeof user>

export const listUsers = list('/api/auth/users', 'admin', {
  summary: 'Accounts, newest first',
  filter: {
    search: searchText,
    /** `false` lists accounts that wait for approval, without the declined ones. */
    approved: z.optional(z.enum(['true', 'false'], 'approved is true or false')),
    role: z.optional(role),
    status: z.optional(z.enum(ACCOUNT_STATUSES, `status must be one of ${ACCOUNT_STATUSES.join(', ')}`)),
  },
  of: user,
})

export const getUser = get('/api/auth/users/:id', 'admin', {
  summary: 'One account, with its ETag',
  returns: user,
})

export const createUserBody = z.object({
  email: emailField,
  username,
  full_name: z._default(fullNameField, ''),
  role: z._default(role, 'viewer'),
  /** Whether the account may own API keys. The default is true for staff and higher roles. */
  system_access: z.optional(z.boolean()),
  /** The password. Without it, the person is invited by email and chooses a password. */
  password: z.optional(z.string().check(z.maxLength(1024, 'Password is too long'))),
})
export type CreateUserBody = z.output<typeof createUserBody>

export const createUser = post('/api/auth/users', 'admin', {
  summary: 'Create an account, with a password or by invitation',
  needsRecentSignIn: true,
  body: createUserBody,
  creates: user,
  errors: [
    'OWNERS_ONLY',
    'EMAIL_TAKEN',
    'USERNAME_TAKEN',
    'WEAK_PASSWORD',
    'MALFORMED_REQUEST',
    'IDEMPOTENCY_KEY_REUSED',
  ],
})

export const updateUser = patch('/api/auth/users/:id', 'admin', {
  summary: 'Change role, access or state of an account; deactivating it ends its sessions at once',
  needsRecentSignIn: true,
  body: z.object({
    role: z.optional(role),
    system_access: z.optional(z.boolean()),
    is_active: z.optional(z.boolean()),
    approved: z.optional(z.boolean()),
  }),
  returns: user,
  errors: [
    'OWNERS_ONLY',
    'OWN_ROLE',
    'LAST_OWNER',
    'FIRST_OWNER',
    'PRECONDITION_FAILED',
    'PRECONDITION_REQUIRED',
  ],
})
export type UpdateUserBody = z.output<typeof updateUser.body>

export const sendInvitation = post('/api/auth/users/:id/invitation', 'admin', {
  summary: 'Send the invitation again; earlier links become invalid',
  needsRecentSignIn: true,
  returns: user,
  errors: ['OWNERS_ONLY', 'INVITATION_CLOSED', 'TOO_MANY_MAILS'],
})

/** Removes the second factors of a person who has lost both phone and recovery codes. The password stays the same. */
export const resetUserFactors = del('/api/auth/users/:id/factors', 'admin', {
  summary: 'Remove the second factor and recovery codes of another person, and end their sessions',
  needsRecentSignIn: true,
  errors: ['OWNERS_ONLY', 'OWN_FACTORS'],
})
