import type { HostedFactor } from '@pegasus/contracts/auth/hosted-auth'
import type { AuditContext } from '../../../platform/actor.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import { writeAudit } from '../../audit/index.ts'
import { bumpRevision } from '../accounts/account-changes.queries.ts'
import { presentFactor } from '../hosted/hosted-user.present.ts'
import type { AccountMails } from '../mail-links/account-mails.ts'
import { factorFields, factorEntity } from '../second-factor/factor-audit.ts'
import { composeFactorsReset } from '../second-factor/factor-mails.ts'
import {
  deleteFactor,
  findRecoveryFactor,
  hasSecondFactor,
  listFactors,
} from '../second-factor/factors.queries.ts'
import { forgetKnownAddresses } from '../accounts/known-addresses.queries.ts'
import { lowerSessions } from '../sessions/session-level.queries.ts'
import { findAccount } from './hosted-accounts.queries.ts'
import { lockBelowAdmin } from './hosted-accounts.service.ts'

/** Lists and removes the second factors of accounts, for programs with a secret key. */
export interface HostedAccountFactors {
  /** Lists the factors of an account. Throws ACCOUNT_NOT_FOUND. */
  list(accountId: string): Promise<HostedFactor[]>
  /**
   * Removes one factor. Removing the last verified factor also removes the recovery codes. Sessions that passed the
   * second step (aal2) with the factor fall back to aal1. Throws ACCOUNT_NOT_FOUND, FACTOR_NOT_FOUND or OWNERS_ONLY.
   */
  remove(accountId: string, factorId: string, audit: AuditContext): Promise<HostedFactor>
}

export function createHostedAccountFactors(deps: {
  database: Database
  clock: Clock
  mails: AccountMails
}): HostedAccountFactors {
  const { database, clock, mails } = deps
  return {
    async list(accountId) {
      if (!(await findAccount(database.sql, accountId))) throw new AppError('ACCOUNT_NOT_FOUND')
      return (await listFactors(database.sql, accountId, clock.now())).map(presentFactor)
    },

    remove: (accountId, factorId, audit) =>
      database.transaction(async (tx) => {
        const person = await lockBelowAdmin(tx, accountId)
        const factor = (await listFactors(tx, accountId, audit.now)).find(({ id }) => id === factorId)
        if (!factor) throw new AppError('FACTOR_NOT_FOUND')
        await lowerSessions(tx, factorId)
        await deleteFactor(tx, factorId)
        const codes = (await hasSecondFactor(tx, accountId)) ? null : await findRecoveryFactor(tx, accountId)
        if (codes) {
          await lowerSessions(tx, codes.id)
          await deleteFactor(tx, codes.id)
        }
        await forgetKnownAddresses(tx, accountId)
        await bumpRevision(tx, accountId, audit.now)
        const before = { ...factorFields(factor), account_id: accountId }
        const after = { recovery_codes_removed: codes !== null }
        const event = { action: 'factor.removed', ...factorEntity(factorId, person), before, after } as const
        await writeAudit(tx, event, audit)
        if (mails.reachPeople && factor.status === 'verified')
          await mails.notify(tx, person, composeFactorsReset())
        return presentFactor(factor)
      }),
  }
}
