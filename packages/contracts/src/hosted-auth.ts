import * as z from 'zod/mini'
import { timestamp } from './common.ts'
import { defineEndpoint } from './endpoint.ts'

/**
 * The part of the hosted auth service's protocol that we serve ourselves. Its client is the official one,
 * so names, optional fields and answers are that service's, not ours.
 */

export const hostedIdentity = z.object({
  identity_id: z.uuid(),
  id: z.string(),
  user_id: z.uuid(),
  identity_data: z.record(z.string(), z.unknown()),
  provider: z.string(),
  last_sign_in_at: z.optional(timestamp),
  created_at: timestamp,
  updated_at: timestamp,
  email: z.optional(z.string()),
})

export const hostedUser = z.object({
  id: z.uuid(),
  aud: z.literal('authenticated'),
  role: z.literal('authenticated'),
  email: z.string(),
  phone: z.string(),
  email_confirmed_at: z.optional(timestamp),
  confirmed_at: z.optional(timestamp),
  last_sign_in_at: z.optional(timestamp),
  app_metadata: z.record(z.string(), z.unknown()),
  user_metadata: z.record(z.string(), z.unknown()),
  identities: z.array(hostedIdentity),
  created_at: timestamp,
  updated_at: timestamp,
  is_anonymous: z.boolean(),
})
export type HostedUser = z.output<typeof hostedUser>

export const hostedSession = z.object({
  access_token: z.string(),
  token_type: z.literal('bearer'),
  expires_in: z.number(),
  expires_at: z.number(),
  refresh_token: z.string(),
  user: hostedUser,
})
export type HostedSession = z.output<typeof hostedSession>

const grantText = z.optional(z.nullable(z.string().check(z.maxLength(4096, 'value is too long'))))

/** Union of the bodies of all grants; which fields a grant needs, its handler says. */
export const hostedTokenBody = z.optional(
  z.object({ email: grantText, phone: grantText, password: grantText, refresh_token: grantText }),
)

export const hostedToken = defineEndpoint({
  method: 'POST',
  path: '/auth/v1/token',
  summary: 'Obtain a session by password or refresh token',
  tag: 'hosted auth',
  access: 'public',
  dialect: 'hosted-auth',
  query: z.object({ grant_type: z.optional(z.string()) }),
  body: hostedTokenBody,
  success: { status: 200, body: hostedSession },
  errors: [
    'INVALID_CREDENTIALS',
    'TOO_MANY_SIGN_INS',
    'UNSUPPORTED_GRANT',
    'REFRESH_TOKEN_MALFORMED',
    'REFRESH_TOKEN_NOT_FOUND',
    'REFRESH_TOKEN_REUSED',
    'SESSION_EXPIRED',
    'INVALID_INPUT',
  ],
})

export const hostedLogout = defineEndpoint({
  method: 'POST',
  path: '/auth/v1/logout',
  summary: 'End sessions: all (global), this one (local) or all but this one (others)',
  tag: 'hosted auth',
  access: 'signed-in',
  worksBeforePasswordChange: true,
  dialect: 'hosted-auth',
  query: z.object({ scope: z.optional(z.string()) }),
  success: { status: 204, body: null },
  errors: ['UNAUTHENTICATED', 'BAD_JWT', 'SESSION_NOT_FOUND', 'UNKNOWN_LOGOUT_SCOPE'],
})

export const hostedGetUser = defineEndpoint({
  method: 'GET',
  path: '/auth/v1/user',
  summary: 'The signed-in account',
  tag: 'hosted auth',
  access: 'signed-in',
  worksBeforePasswordChange: true,
  dialect: 'hosted-auth',
  success: { status: 200, body: hostedUser },
  errors: ['UNAUTHENTICATED', 'BAD_JWT', 'SESSION_NOT_FOUND'],
})

export const hostedJwks = defineEndpoint({
  method: 'GET',
  path: '/auth/v1/.well-known/jwks.json',
  summary: 'Public keys that verify access tokens',
  tag: 'hosted auth',
  access: 'public',
  dialect: 'hosted-auth',
  success: {
    status: 200,
    body: z.object({
      keys: z.array(
        z.object({
          kty: z.string(),
          kid: z.string(),
          alg: z.string(),
          use: z.literal('sig'),
          key_ops: z.array(z.string()),
          crv: z.string(),
          x: z.string(),
          y: z.string(),
        }),
      ),
    }),
  },
  errors: [],
})

export const hostedSettings = defineEndpoint({
  method: 'GET',
  path: '/auth/v1/settings',
  summary: 'Which ways of signing in are offered',
  tag: 'hosted auth',
  access: 'public',
  dialect: 'hosted-auth',
  success: {
    status: 200,
    body: z.object({
      external: z.record(z.string(), z.boolean()),
      disable_signup: z.boolean(),
      mailer_autoconfirm: z.boolean(),
      phone_autoconfirm: z.boolean(),
      sms_provider: z.string(),
      saml_enabled: z.boolean(),
      passkeys_enabled: z.boolean(),
    }),
  },
  errors: [],
})

export const hostedHealth = defineEndpoint({
  method: 'GET',
  path: '/auth/v1/health',
  summary: 'The auth service answers',
  tag: 'hosted auth',
  access: 'public',
  dialect: 'hosted-auth',
  success: {
    status: 200,
    body: z.object({ version: z.string(), name: z.string(), description: z.string() }),
  },
  errors: [],
})
