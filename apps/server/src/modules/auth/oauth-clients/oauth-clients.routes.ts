import {
  hostedCreateOAuthClient,
  hostedDeleteOAuthClient,
  hostedGetOAuthClient,
  hostedListOAuthClients,
  hostedRegenerateOAuthSecret,
  hostedUpdateOAuthClient,
} from '@pegasus/contracts/auth/hosted-oauth-clients'
import type { Endpoints } from '../../../platform/http/endpoints.ts'
import { pageHeaders } from '../hosted/page-headers.ts'
import { presentClient } from './oauth-clients.present.ts'
import type { OAuthClients } from './oauth-clients.service.ts'

/** Adds the endpoints with which programs with a secret key register OAuth clients. */
export function addOAuthClientRoutes(endpoints: Endpoints, { oauthClients }: { oauthClients: OAuthClients }) {
  endpoints.add(hostedListOAuthClients, async ({ query: { page, per_page: perPage }, reply }) => {
    const { clients, total } = await oauthClients.list({ page, perPage })
    reply.headers(pageHeaders('/auth/v1/admin/oauth/clients', { page, perPage, total }))
    return { clients: clients.map((row) => presentClient(row)), aud: 'authenticated' as const }
  })

  endpoints.add(hostedGetOAuthClient, async ({ params }) => presentClient(await oauthClients.get(params.id)))

  endpoints.add(hostedCreateOAuthClient, async ({ body, audit }) => {
    const { client, secret } = await oauthClients.register(body ?? {}, audit)
    return presentClient(client, secret)
  })

  endpoints.add(hostedUpdateOAuthClient, async ({ params, body, audit }) =>
    presentClient(await oauthClients.update(params.id, body ?? {}, audit)),
  )

  endpoints.add(hostedRegenerateOAuthSecret, async ({ params, audit }) => {
    const { client, secret } = await oauthClients.replaceSecret(params.id, audit)
    return presentClient(client, secret)
  })

  endpoints.add(hostedDeleteOAuthClient, async ({ params, audit, reply }) => {
    await oauthClients.remove(params.id, audit)
    return reply.send()
  })
}
