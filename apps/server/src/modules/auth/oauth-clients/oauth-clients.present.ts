import type { HostedOAuthClient } from '@pegasus/contracts/auth/hosted-oauth-clients'
import type { OAuthClientRow } from './oauth-clients.queries.ts'

/** Returns a client in the form of the hosted auth service's protocol. */
export function presentClient(row: OAuthClientRow, secret: string | null = null): HostedOAuthClient {
  return {
    client_id: row.id,
    client_name: row.name,
    ...(secret !== null && { client_secret: secret }),
    client_type: row.client_type,
    token_endpoint_auth_method: row.auth_method,
    registration_type: 'manual',
    ...(row.client_uri !== null && { client_uri: row.client_uri }),
    ...(row.logo_uri !== null && { logo_uri: row.logo_uri }),
    redirect_uris: row.redirect_uris,
    grant_types: row.grant_types,
    response_types: ['code'],
    ...(row.scope !== null && { scope: row.scope }),
    created_at: row.created_at,
    updated_at: row.updated_at,
  }
}
