import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/database.ts'
import type { Endpoints } from '../../../platform/http/endpoints.ts'
import type { RootSecret } from '../../../platform/root-secret.ts'
import type { AccountMails } from '../mail-links/account-mails.ts'
import type { PhoneMessages } from '../phone/phone-messages.ts'
import type { PasswordHashing } from '../passwords/password-hashing.ts'
import type { Refusals } from '../audit/refused-sign-ins.service.ts'
import { createAccountChanges } from './account-changes.service.ts'
import { addAccountRoutes } from './accounts-admin.routes.ts'
import { createAccounts } from './accounts-admin.service.ts'
import { addFactorResetRoutes } from './factor-reset.routes.ts'
import { createFactorReset } from './factor-reset.service.ts'
import { type FirstOwner, createFirstOwner } from './first-owner.ts'
import { createPasswordResets } from './password-reset.service.ts'

/** The services with which admins and owners manage accounts, and the setup of the first owner. */
export interface AccountsAdmin {
  owner: FirstOwner
  addRoutes(endpoints: Endpoints): void
}

export function createAccountsAdmin(deps: {
  database: Database
  clock: Clock
  secret: RootSecret
  hashing: PasswordHashing
  mails: AccountMails
  messages: PhoneMessages
  refusals: Refusals
}): AccountsAdmin {
  const { database, clock, secret, hashing, mails, messages, refusals } = deps
  const accounts = createAccounts({ database, clock, hashing, mails })
  const changes = createAccountChanges({ database, mails, messages })
  const resets = createPasswordResets({ database, hashing, mails })
  const factorReset = createFactorReset({ database, clock, mails })
  const fingerprintKey = secret.deriveKey('request-fingerprints')
  return {
    owner: createFirstOwner({ database, clock, secret, hashing }),
    addRoutes(endpoints) {
      addAccountRoutes(endpoints, { accounts, changes, resets, refusals, fingerprintKey })
      addFactorResetRoutes(endpoints, { factorReset, refusals })
    },
  }
}
