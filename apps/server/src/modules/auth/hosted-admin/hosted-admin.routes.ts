import {
  hostedAdminCreateUser,
  hostedAdminDeleteFactor,
  hostedAdminDeletePasskey,
  hostedAdminDeleteUser,
  hostedAdminGetUser,
  hostedAdminListFactors,
  hostedAdminListPasskeys,
  hostedAdminUpdateUser,
  hostedGenerateLink,
  hostedInvite,
  hostedListUsers,
} from '@pegasus/contracts/auth/hosted-admin'
import type { Endpoints } from '../../../platform/http/endpoints.ts'
import { presentPasskey } from '../hosted/hosted-passkeys.present.ts'
import { pageHeaders } from '../hosted/page-headers.ts'
import type { Redirects } from '../mail-links/redirects.ts'
import type { HostedAccountFactors } from './hosted-account-factors.service.ts'
import type { HostedAccountPasskeys } from './hosted-account-passkeys.service.ts'
import type { HostedAccounts } from './hosted-accounts.service.ts'
import type { HostedLinks } from './hosted-links.service.ts'

/** Adds the admin endpoints of the hosted auth protocol, for programs with a secret key. */
export function addHostedAdminRoutes(
  endpoints: Endpoints,
  deps: {
    accounts: HostedAccounts
    links: HostedLinks
    accountFactors: HostedAccountFactors
    accountPasskeys: HostedAccountPasskeys
    redirects: Redirects
  },
): void {
  const { accounts, links, accountFactors, accountPasskeys, redirects } = deps

  endpoints.add(hostedListUsers, async ({ query: { page, per_page: perPage }, reply }) => {
    const { users, total } = await accounts.list({ page, perPage })
    reply.headers(pageHeaders('/auth/v1/admin/users', { page, perPage, total }))
    return { users, aud: 'authenticated' as const }
  })

  endpoints.add(hostedAdminGetUser, ({ params }) => accounts.get(params.id))
  endpoints.add(hostedAdminCreateUser, ({ body, audit }) => accounts.create(body ?? {}, audit))
  endpoints.add(hostedAdminUpdateUser, ({ params, body, audit }) =>
    accounts.update(params.id, body ?? {}, audit),
  )
  endpoints.add(hostedAdminDeleteUser, async ({ params, audit }) => {
    await accounts.remove(params.id, audit)
    return {}
  })

  endpoints.add(hostedAdminListFactors, ({ params }) => accountFactors.list(params.id))
  endpoints.add(hostedAdminDeleteFactor, ({ params, audit }) =>
    accountFactors.remove(params.id, params.factorId, audit),
  )

  endpoints.add(hostedAdminListPasskeys, async ({ params }) =>
    (await accountPasskeys.list(params.id)).map(presentPasskey),
  )
  endpoints.add(hostedAdminDeletePasskey, async ({ params, audit, reply }) => {
    await accountPasskeys.remove(params.id, params.passkeyId, audit)
    return reply.send()
  })

  endpoints.add(hostedGenerateLink, ({ body, query, audit }) =>
    links.generate(
      {
        type: body?.type ?? '',
        email: body?.email ?? null,
        password: body?.password || null,
        newEmail: body?.new_email ?? null,
        data: body?.data ?? {},
        redirectTo: redirects.allow(query.redirect_to ?? body?.redirect_to ?? undefined),
      },
      audit,
    ),
  )

  endpoints.add(hostedInvite, ({ body, query, audit }) => {
    const redirectTo = redirects.allow(query.redirect_to)
    return links.invite({ email: body?.email ?? null, data: body?.data ?? {}, redirectTo }, audit)
  })
}
