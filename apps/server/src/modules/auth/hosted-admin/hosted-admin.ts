import { type AuditContext, SYSTEM_ACTOR } from '../../../platform/actor.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/database.ts'
import type { Endpoints } from '../../../platform/http/endpoints.ts'
import { writeAudit } from '../../audit/index.ts'
import { accountEntity } from '../audit/account-audit.ts'
import type { SignedInUsers } from '../hosted/hosted-user.service.ts'
import type { MailLinks } from '../mail-links/mail-links.ts'
import type { PasswordHashing } from '../passwords/password-hashing.ts'
import { addOAuthClientRoutes } from '../oauth-clients/oauth-clients.routes.ts'
import { createOAuthClients } from '../oauth-clients/oauth-clients.service.ts'
import { createHostedAccountFactors } from './hosted-account-factors.service.ts'
import { createHostedAccountPasskeys } from './hosted-account-passkeys.service.ts'
import { liftEndedBans } from './hosted-accounts.queries.ts'
import { createHostedAccounts } from './hosted-accounts.service.ts'
import { addHostedAdminRoutes } from './hosted-admin.routes.ts'
import { createHostedLinks } from './hosted-links.service.ts'

/** Manages accounts and OAuth clients for programs with a secret key of the hosted protocol. */
export interface HostedAdmin {
  addRoutes(endpoints: Endpoints): void
  /** Activates accounts whose ban has ended. */
  liftBans(): Promise<void>
}

export function createHostedAdmin(deps: {
  database: Database
  clock: Clock
  hashing: PasswordHashing
  mailLinks: MailLinks
  person: SignedInUsers
}): HostedAdmin {
  const { database, clock, hashing, person } = deps
  const { mails, redirects, tokens } = deps.mailLinks
  const accounts = createHostedAccounts({ database, clock, hashing, person })
  const links = createHostedLinks({ database, hashing, accounts, tokens, mails, redirects, person })
  const accountFactors = createHostedAccountFactors({ database, clock, mails })
  const accountPasskeys = createHostedAccountPasskeys({ database, mails })
  const oauthClients = createOAuthClients({ database })
  return {
    addRoutes(endpoints) {
      addHostedAdminRoutes(endpoints, { accounts, links, accountFactors, accountPasskeys, redirects })
      addOAuthClientRoutes(endpoints, { oauthClients })
    },

    liftBans: () =>
      database.transaction(async (tx) => {
        const audit: AuditContext = { actor: SYSTEM_ACTOR, now: clock.now() }
        const sides = { before: { is_active: false }, after: { is_active: true } }
        for (const id of await liftEndedBans(tx, audit.now))
          await writeAudit(tx, { action: 'account.reactivated', ...accountEntity({ id }), ...sides }, audit)
      }),
  }
}
