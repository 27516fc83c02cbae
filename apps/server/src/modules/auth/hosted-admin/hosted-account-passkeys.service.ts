import type { AuditContext } from '../../../platform/actor.ts'
import type { Database } from '../../../platform/database/database.ts'
import { AppError, orThrow } from '../../../platform/errors/app-error.ts'
import { bumpRevision } from '../accounts/account-changes.queries.ts'
import { auditRemovedPasskey } from '../admin/remove-passkeys.ts'
import type { AccountMails } from '../mail-links/account-mails.ts'
import { composePasskeyRemoved } from '../passkeys/passkey-mails.ts'
import { deletePasskey, listPasskeys } from '../passkeys/passkeys.queries.ts'
import type { CredentialRow } from '../webauthn/credentials.queries.ts'
import { findAccount } from './hosted-accounts.queries.ts'
import { lockBelowAdmin } from './hosted-accounts.service.ts'

/** Lists and removes the passkeys of accounts, for programs with a secret key. */
export interface HostedAccountPasskeys {
  /** Lists the passkeys of an account. Throws ACCOUNT_NOT_FOUND. */
  list(accountId: string): Promise<CredentialRow[]>
  /**
   * Removes one passkey and informs the person by email. Sessions that were opened with the passkey continue. Throws
   * ACCOUNT_NOT_FOUND, PASSKEY_NOT_FOUND or OWNERS_ONLY.
   */
  remove(accountId: string, passkeyId: string, audit: AuditContext): Promise<void>
}

export function createHostedAccountPasskeys(deps: {
  database: Database
  mails: AccountMails
}): HostedAccountPasskeys {
  const { database, mails } = deps
  return {
    async list(accountId) {
      if (!(await findAccount(database.sql, accountId))) throw new AppError('ACCOUNT_NOT_FOUND')
      return listPasskeys(database.sql, accountId)
    },

    remove: (accountId, passkeyId, audit) =>
      database.transaction(async (tx) => {
        const person = await lockBelowAdmin(tx, accountId)
        const passkey = orThrow(await deletePasskey(tx, { id: passkeyId, accountId }), 'PASSKEY_NOT_FOUND')
        await bumpRevision(tx, accountId, audit.now)
        await auditRemovedPasskey(tx, person, passkey, audit)
        if (mails.reachPeople) await mails.notify(tx, person, composePasskeyRemoved())
      }),
  }
}
