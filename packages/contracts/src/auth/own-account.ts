import * as z from 'zod/mini'
import { currentUser } from './sign-in.ts'
import { pageQuery, timestamp } from '../fields.ts'
import { declareEndpoints } from '../endpoint.ts'
import { emailField, fullNameField } from '../users/users.ts'

const { get, put, del } = declareEndpoints('auth')

/** What people may change of themselves; username, role and everything else in a body is passed over. */
export const updateProfileBody = z.object({
  full_name: z.optional(fullNameField),
  email: z.optional(emailField),
})
export type UpdateProfileBody = z.output<typeof updateProfileBody>

/**
 * All or nothing. A new email holds at once where no mails are sent, and otherwise waits as `new_email` until it is
 * confirmed; it wants a recent sign-in, and the name alone does not. `If-Match` is optional.
 */
export const updateProfile = put('/api/auth/profile', 'signed-in', {
  summary: 'Change the own name and email; absent fields stay',
  body: updateProfileBody,
  returns: currentUser,
  errors: ['REAUTHENTICATION_REQUIRED', 'EMAIL_TAKEN', 'TOO_MANY_MAILS', 'PRECONDITION_FAILED'],
})

/** One sign-in of the person who asks. */
export const ownSession = z.object({
  id: z.uuid(),
  /** Such as `Chrome on Windows`; `Unknown device` where nothing is known. */
  device: z.string(),
  user_agent: z.nullable(z.string()),
  /** Where it was last used from. */
  ip: z.nullable(z.string()),
  /** How it was opened and what was proved in it since: `password`, `recovery`, `invite`, `otp`, `totp` and so on. */
  methods: z.array(z.string()),
  created_at: timestamp,
  last_used_at: timestamp,
  is_current: z.boolean(),
})
export type OwnSession = z.output<typeof ownSession>

export const listOwnSessions = get('/api/auth/sessions', 'signed-in', {
  summary:
    "Where the signed-in person is signed in, newest first; to end all others see the hosted protocol's logout",
  query: z.object(pageQuery),
  returns: z.array(ownSession),
})

export const endOwnSession = del('/api/auth/sessions/:id', 'signed-in', {
  summary: 'Sign out in one place',
  errors: ['OWN_SESSION_NOT_FOUND'],
})
