import * as z from 'zod/mini'
import { currentUser } from './sign-in.ts'
import { nullable, timestamp } from '../fields.ts'
import { declareEndpoints } from '../endpoint.ts'
import { emailField, fullNameField } from '../users/users.ts'

const { list, put, del } = declareEndpoints('auth', { notFound: 'OWN_SESSION_NOT_FOUND' })

/** Fields of their own profile that people may change. Username, role and all other fields in the body are ignored. */
const updateProfileBody = z.object({
  full_name: z.optional(fullNameField),
  email: z.optional(emailField),
})
export type UpdateProfileBody = z.output<typeof updateProfileBody>

/**
 * Changes either all given fields or none. A new email address requires a recent sign-in, and is kept as
 * `new_email` until it is confirmed. Without a mail server, it takes effect immediately. `If-Match` is
 * optional.
 */
export const updateProfile = put('/api/auth/profile', 'signed-in', {
  summary: "Change the caller's name and email; missing fields stay unchanged",
  body: updateProfileBody,
  returns: currentUser,
  errors: [
    'REAUTHENTICATION_REQUIRED',
    'SSO_MANAGED',
    'EMAIL_TAKEN',
    'TOO_MANY_MAILS',
    'PRECONDITION_FAILED',
  ],
})

/** One session of the caller. */
const ownSession = z.object({
  id: z.uuid(),
  /** Browser and system, such as `Chrome on Windows`, or `Unknown device`. */
  device: z.string(),
  user_agent: nullable.text,
  /** IP address from which the session was last used. */
  ip: nullable.text,
  /** Sign-in methods that were used in the session: `password`, `recovery`, `invite`, `otp`, `totp` and so on. */
  methods: z.array(z.string()),
  created_at: timestamp,
  last_used_at: timestamp,
  is_current: z.boolean(),
})
export type OwnSession = z.output<typeof ownSession>

export const listOwnSessions = list('/api/auth/sessions', 'signed-in', {
  summary: "The caller's sessions, newest first; to end all others, call the hosted protocol's logout",
  of: ownSession,
})

export const endOwnSession = del('/api/auth/sessions/:id', 'signed-in', {
  summary: 'End one session',
})
