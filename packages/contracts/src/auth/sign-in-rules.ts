import * as z from 'zod/mini'
import { declareEndpoints } from '../endpoint.ts'
import { ROLES } from '../roles.ts'

const { get, put } = declareEndpoints('auth')

const roles = z
  .array(z.enum(ROLES, 'This is not a role'))
  .check(z.refine((list) => new Set(list).size === list.length, 'Name each role only once'))

/** The rules for all sign-ins of this installation. Clients send `revision` in quotes as `If-Match`. */
const signInRules = z.object({
  /** The roles whose people need a second factor, lowest first. */
  second_factor_roles: z.array(z.enum(ROLES)),
  /** The number of active people without a second factor, by role. Roles without such people are missing. */
  without_second_factor: z.record(z.string(), z.number()),
  revision: z.number(),
})
export type SignInRules = z.output<typeof signInRules>

export const getSignInRules = get('/api/auth/sign-in-rules', 'admin', {
  summary: 'The roles that need a second factor, and how many people do not have one',
  returns: signInRules,
})

export const updateSignInRules = put('/api/auth/sign-in-rules', 'owner', {
  summary: 'Set the roles that need a second factor; people without one must set it up before anything else',
  needsRecentSignIn: true,
  body: z.object({ second_factor_roles: roles }),
  returns: signInRules,
  errors: ['OWN_FACTOR_FIRST', 'PRECONDITION_FAILED', 'PRECONDITION_REQUIRED'],
})
