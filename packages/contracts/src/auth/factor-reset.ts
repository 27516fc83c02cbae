import { declareEndpoints } from '../endpoint.ts'

const { del } = declareEndpoints('users')

/** For somebody who has lost phone and recovery codes. Their password stays what it is. */
export const resetUserFactors = del('/api/auth/users/:id/factors', 'admin', {
  summary: "Remove a colleague's second factor and recovery codes, and end their sessions",
  needsRecentSignIn: true,
  errors: ['OWNERS_ONLY', 'OWN_FACTORS', 'ACCOUNT_NOT_FOUND'],
})
