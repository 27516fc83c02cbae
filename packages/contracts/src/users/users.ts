import * as z from 'zod/mini'
import { pageQuery, searchText, timestamp } from '../fields.ts'
import { declareEndpoints } from '../endpoint.ts'
import { ROLES } from '../roles.ts'

const { get, post, patch } = declareEndpoints('users')

export const USERNAME_MAX_LENGTH = 64
export const FULL_NAME_MAX_LENGTH = 200
const EMAIL_MAX_LENGTH = 320

/**
 * Names are compared and stored in one form: compatible characters are one character, and case does not count.
 * So full-width or capital letters make no second account.
 */
export const normalizeName = (name: string): string => name.normalize('NFKC').trim().toLowerCase()

/** Small letters, digits, dot, hyphen, underscore: nothing that another character could be taken for. */
const USERNAME = /^[a-z0-9][a-z0-9._-]*$/
const EMAIL = z.email()

export const isUsername = (name: string): boolean => name.length <= USERNAME_MAX_LENGTH && USERNAME.test(name)

/** Whether a normalized name is an email address: of plain ASCII, since look-alike letters are other people. */
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
      'Usernames have at most 64 small letters, digits, dots, hyphens and underscores, and begin with a letter or digit',
    ),
  )
/** Control characters, other ends of lines, and what turns the direction of the text that follows a name. */
const UNREADABLE = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu

/** A name that was taken from elsewhere, as one readable line. */
export const readableName = (text: string): string =>
  [...text.replace(UNREADABLE, ' ').trim()].slice(0, FULL_NAME_MAX_LENGTH).join('')

export const fullNameField = z.string().check(
  z.trim(),
  z.refine((name) => [...name].length <= FULL_NAME_MAX_LENGTH, 'The full name is too long'),
  z.refine((name) => name.search(UNREADABLE) === -1, 'The full name holds control characters'),
)
const role = z.enum(ROLES, 'This is not a role')

/**
 * What an account is to those who keep it. `waiting`: for approval, or for the address to be proved; `invited`: the
 * person has not chosen a password yet; `deactivated` wins over both.
 */
export const ACCOUNT_STATUSES = ['active', 'waiting', 'invited', 'deactivated'] as const
export type AccountStatus = (typeof ACCOUNT_STATUSES)[number]

/** An account as admins and owners see it. `revision` is what `If-Match` wants, in quotes. */
export const user = z.object({
  id: z.uuid(),
  username: z.string(),
  full_name: z.string(),
  email: z.string(),
  role: z.string(),
  system_access: z.boolean(),
  is_active: z.boolean(),
  approved: z.boolean(),
  approved_at: z.nullable(timestamp),
  email_confirmed: z.boolean(),
  has_second_factor: z.boolean(),
  status: z.enum(ACCOUNT_STATUSES),
  /** When the last invitation was sent; null for who needed none. */
  invited_at: z.nullable(timestamp),
  last_login: z.nullable(timestamp),
  created_at: timestamp,
  revision: z.number(),
})
export type User = z.output<typeof user>

export const listUsers = get('/api/auth/users', 'admin', {
  summary: 'Accounts, newest first',
  query: z.object({
    ...pageQuery,
    search: searchText,
    /** `false`: who waits for approval. Whoever was declined waits for nothing. */
    approved: z.optional(z.enum(['true', 'false'], 'approved is true or false')),
    role: z.optional(role),
    status: z.optional(z.enum(ACCOUNT_STATUSES, `status is one of ${ACCOUNT_STATUSES.join(', ')}`)),
  }),
  returns: z.array(user),
})

export const getUser = get('/api/auth/users/:id', 'admin', {
  summary: 'One account, with its ETag',
  returns: user,
  errors: ['ACCOUNT_NOT_FOUND'],
})

export const createUserBody = z.object({
  email: emailField,
  username,
  full_name: z._default(fullNameField, ''),
  role: z._default(role, 'viewer'),
  /** May own API keys; from staff up unless told otherwise. */
  system_access: z.optional(z.boolean()),
  /** Without one the person is invited by mail and chooses it. */
  password: z.optional(z.string().check(z.maxLength(1024, 'Password is too long'))),
})
export type CreateUserBody = z.output<typeof createUserBody>

export const createUser = post('/api/auth/users', 'admin', {
  summary: 'Make an account, with a password or by invitation',
  needsRecentSignIn: true,
  body: createUserBody,
  creates: user,
  errors: ['OWNERS_ONLY', 'EMAIL_TAKEN', 'USERNAME_TAKEN', 'IDEMPOTENCY_KEY_REUSED', 'WEAK_PASSWORD'],
})

export const updateUserBody = z.object({
  role: z.optional(role),
  system_access: z.optional(z.boolean()),
  is_active: z.optional(z.boolean()),
  approved: z.optional(z.boolean()),
})
export type UpdateUserBody = z.output<typeof updateUserBody>

export const updateUser = patch('/api/auth/users/:id', 'admin', {
  summary: 'Change what an account may do; deactivating it ends its sessions at once',
  needsRecentSignIn: true,
  body: updateUserBody,
  returns: user,
  errors: [
    'OWNERS_ONLY',
    'OWN_ROLE',
    'ACCOUNT_NOT_FOUND',
    'LAST_OWNER',
    'PRECONDITION_FAILED',
    'PRECONDITION_REQUIRED',
  ],
})

export const sendInvitation = post('/api/auth/users/:id/invitation', 'admin', {
  summary: 'Send the invitation again; the link of an earlier one ends',
  needsRecentSignIn: true,
  returns: user,
  errors: ['OWNERS_ONLY', 'ACCOUNT_NOT_FOUND', 'INVITATION_CLOSED', 'TOO_MANY_MAILS'],
})

/** A mail that has not been sent: no mail server is set, or the mail server would not take it. */
export const outboxMail = z.object({
  id: z.uuid(),
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  links: z.array(z.string()),
  /** Whether its link opens nothing any more: it was used, has expired, or a later one took its place. */
  link_ended: z.boolean(),
  created_at: timestamp,
  /** When the last try to send it failed, and why; null where no mail server is set. */
  failed_at: z.nullable(timestamp),
  failure: z.nullable(z.string()),
})
export type OutboxMail = z.output<typeof outboxMail>

export const listOutboxMails = get('/api/outbox-mails', 'admin', {
  summary:
    'Mails to be passed on by hand, since none are sent or they could not be: to accounts below admin; for the owner all',
  query: z.object(pageQuery),
  returns: z.array(outboxMail),
})
