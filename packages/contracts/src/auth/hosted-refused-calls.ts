import * as z from 'zod/mini'
import { type Endpoint, defineEndpoint } from '../endpoint.ts'

/**
 * Calls of the hosted auth protocol that its client knows and we refuse, each in the protocol's words: a client then
 * says what is not offered, and not that something is broken.
 */

const refused = {
  tag: 'hosted auth',
  dialect: 'hosted-auth',
  success: { status: 204, body: null },
} as const satisfies Partial<Endpoint>

export const hostedSso = defineEndpoint({
  ...refused,
  method: 'POST',
  path: '/auth/v1/sso',
  summary: 'Refused: SAML is not offered',
  access: 'public',
  // Whatever is in it: it is not looked at.
  isRawBody: true,
  errors: ['SAML_DISABLED'],
})

export const hostedAuthorize = defineEndpoint({
  ...refused,
  method: 'GET',
  path: '/auth/v1/authorize',
  summary: 'Refused: no other provider signs people in',
  access: 'public',
  errors: ['OAUTH_DISABLED'],
})

export const hostedLinkIdentity = defineEndpoint({
  ...refused,
  method: 'GET',
  path: '/auth/v1/user/identities/authorize',
  summary: 'Refused: identities are not linked by hand',
  access: 'signed-in',
  errors: ['UNAUTHENTICATED', 'BAD_JWT', 'SESSION_NOT_FOUND', 'MANUAL_LINKING_DISABLED'],
})

export const hostedUnlinkIdentity = defineEndpoint({
  ...refused,
  method: 'DELETE',
  path: '/auth/v1/user/identities/:id',
  summary: 'Refused: identities are not unlinked by hand',
  access: 'signed-in',
  params: z.object({ id: z.string() }),
  errors: ['UNAUTHENTICATED', 'BAD_JWT', 'SESSION_NOT_FOUND', 'MANUAL_LINKING_DISABLED'],
})

/** What the service role alone may do; nobody here has it: accounts are kept under `/api/auth/users`. */
export const HOSTED_ADMIN_CALLS = (
  [
    ['GET', '/auth/v1/admin/users'],
    ['POST', '/auth/v1/admin/users'],
    ['GET', '/auth/v1/admin/users/:id'],
    ['PUT', '/auth/v1/admin/users/:id'],
    ['DELETE', '/auth/v1/admin/users/:id'],
    ['GET', '/auth/v1/admin/users/:id/factors'],
    ['POST', '/auth/v1/admin/generate_link'],
    ['POST', '/auth/v1/invite'],
  ] as const
).map(([method, path]) =>
  defineEndpoint({
    ...refused,
    method,
    path,
    summary: 'Refused: accounts are kept under /api/auth/users',
    access: 'nobody',
    errors: ['UNAUTHENTICATED', 'BAD_JWT', 'SESSION_NOT_FOUND', 'FORBIDDEN'],
  }),
)
