import { declareEndpoints } from '../endpoint.ts'

const { del } = declareEndpoints('users')

/** For a person who has lost phone and recovery codes. The password stays the same. */
export const resetUserFactors = del('/api/auth/users/:id/factors', 'admin', {
  summary: "Remove a colleague's second factor and recovery codes, and end their sessions",
  needsRecentSignIn: true,
  errors: ['OWNERS_ONLY', 'OWN_FACTORS', 'ACCOUNT_NOT_FOUND'],
})
