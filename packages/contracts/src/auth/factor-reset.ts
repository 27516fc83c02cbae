import { idParams } from '../fields.ts'
import { defineEndpoint } from '../endpoint.ts'

/** For somebody who has lost phone and recovery codes. Their password stays what it is. */
export const resetUserFactors = defineEndpoint({
  method: 'DELETE',
  path: '/api/auth/users/:id/factors',
  summary: "Remove a colleague's second factor and recovery codes, and end their sessions",
  tag: 'users',
  access: 'admin',
  needsRecentSignIn: true,
  params: idParams,
  success: { status: 204, body: null },
  errors: [
    'UNAUTHENTICATED',
    'FORBIDDEN',
    'OWNERS_ONLY',
    'OWN_FACTORS',
    'REAUTHENTICATION_REQUIRED',
    'ACCOUNT_NOT_FOUND',
  ],
})
