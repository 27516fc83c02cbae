import * as z from 'zod/mini'
import { declareEndpoints } from '../endpoint.ts'
import { timestamp } from '../fields.ts'
import { listPageQuery } from './hosted-admin.ts'
import { grantText } from './hosted-auth.ts'

/** OAuth clients: programs that are registered with this instance, in the protocol of the hosted auth service. */
const { get, post, put, del } = declareEndpoints('hosted auth', {
  dialect: 'hosted-auth',
  notFound: 'OAUTH_CLIENT_NOT_FOUND',
})

export const OAUTH_GRANT_TYPES = ['authorization_code', 'refresh_token'] as const
export const OAUTH_CLIENT_TYPES = ['confidential', 'public'] as const
export const OAUTH_AUTH_METHODS = ['client_secret_basic', 'client_secret_post', 'none'] as const

export const hostedOAuthClient = z.object({
  client_id: z.uuid(),
  client_name: z.string(),
  /** Present only if a secret was created. */
  client_secret: z.optional(z.string()),
  client_type: z.enum(OAUTH_CLIENT_TYPES),
  token_endpoint_auth_method: z.enum(OAUTH_AUTH_METHODS),
  registration_type: z.literal('manual'),
  client_uri: z.optional(z.string()),
  logo_uri: z.optional(z.string()),
  redirect_uris: z.array(z.string()),
  grant_types: z.array(z.enum(OAUTH_GRANT_TYPES)),
  response_types: z.array(z.literal('code')),
  scope: z.optional(z.string()),
  created_at: timestamp,
  updated_at: timestamp,
})
export type HostedOAuthClient = z.output<typeof hostedOAuthClient>

const texts = (name: string) =>
  z.optional(z.nullable(z.array(z.string(), `${name} must be a list of strings`)))

/** The values are checked one by one, because the protocol has a separate message for each. */
const clientBody = z.optional(
  z.object({
    client_name: grantText,
    client_type: grantText,
    token_endpoint_auth_method: grantText,
    client_uri: grantText,
    logo_uri: grantText,
    redirect_uris: texts('redirect_uris'),
    grant_types: texts('grant_types'),
    response_types: texts('response_types'),
    scope: grantText,
  }),
)
export type OAuthClientBody = NonNullable<z.output<typeof clientBody>>

export const hostedListOAuthClients = get('/auth/v1/admin/oauth/clients', 'service-role', {
  summary:
    'OAuth clients, newest first; headers contain the total (X-Total-Count) and the next and last page (Link)',
  query: listPageQuery,
  returns: z.object({ clients: z.array(hostedOAuthClient), aud: z.literal('authenticated') }),
})

export const hostedCreateOAuthClient = post('/auth/v1/admin/oauth/clients', 'service-role', {
  summary: 'Register an OAuth client; only this response contains its secret',
  body: clientBody,
  creates: hostedOAuthClient,
  errors: ['REQUEST_INCOMPLETE'],
})

export const hostedGetOAuthClient = get('/auth/v1/admin/oauth/clients/:id', 'service-role', {
  summary: 'One OAuth client, without its secret',
  returns: hostedOAuthClient,
})

export const hostedUpdateOAuthClient = put('/auth/v1/admin/oauth/clients/:id', 'service-role', {
  summary: 'Change an OAuth client; missing fields stay unchanged',
  body: clientBody,
  returns: hostedOAuthClient,
  errors: ['REQUEST_INCOMPLETE'],
})

export const hostedDeleteOAuthClient = del('/auth/v1/admin/oauth/clients/:id', 'service-role', {
  summary: 'Remove an OAuth client',
})

export const hostedRegenerateOAuthSecret = post(
  '/auth/v1/admin/oauth/clients/:id/regenerate_secret',
  'service-role',
  {
    summary: 'Replace the secret of a confidential OAuth client; the previous secret stops working at once',
    returns: hostedOAuthClient,
    errors: ['REQUEST_INCOMPLETE'],
  },
)
