import type { Clock } from '../../../platform/clock.ts'
import type { Database, TransactionSql } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import type { UserPrincipal } from '../../../platform/http/principal.ts'
import { writeAudit } from '../../audit/index.ts'
import { bumpRevision } from '../accounts/account-changes.queries.ts'
import { lockAccount } from '../accounts/accounts.queries.ts'
import { getAccountSummary } from '../accounts/account-summary.ts'
import type { AccountMails } from '../mail-links/account-mails.ts'
import { factorFields, factorEntity } from '../second-factor/factor-audit.ts'
import { composeFactorsReset } from '../second-factor/factor-mails.ts'
import { forgetKnownAddresses } from '../accounts/known-addresses.queries.ts'
import { deleteFactor, listFactors } from '../second-factor/factors.queries.ts'
import { endSignIns } from '../sessions/sessions.queries.ts'
import { ownAuditContext } from '../audit/account-audit.ts'
import type { Device } from '../audit/device.ts'
import { assertMayManage, lockRoles } from './manage-accounts.ts'
import { removePasskeys } from './remove-passkeys.ts'

/** Resets the second factor of a colleague who has lost both the phone and the recovery codes. */
export interface FactorReset {
  /**
   * Removes all factors and passkeys of an account, because they may be on the lost device, and ends its
   * sessions. Changes nothing if the account has neither factors nor passkeys. Throws OWNERS_ONLY,
   * OWN_FACTORS or ACCOUNT_NOT_FOUND.
   */
  reset(actor: UserPrincipal, accountId: string, device: Device): Promise<void>
}

export function createFactorReset(deps: {
  database: Database
  clock: Clock
  mails: AccountMails
}): FactorReset {
  const { database, clock, mails } = deps

  const removeAll = async (tx: TransactionSql, actor: UserPrincipal, accountId: string, device: Device) => {
    const now = clock.now()
    const factors = await listFactors(tx, accountId, now)
    const person = await getAccountSummary(tx, accountId)
    const audit = ownAuditContext(actor.user, device, now)
    await forgetKnownAddresses(tx, accountId)
    for (const factor of factors) {
      await deleteFactor(tx, factor.id)
      const before = { ...factorFields(factor), account_id: accountId }
      await writeAudit(tx, { action: 'factor.removed', ...factorEntity(factor.id, person), before }, audit)
    }
    return factors.length + (await removePasskeys(tx, person, audit)) > 0
  }

  return {
    reset: (actor, accountId, device) =>
      database.transaction(async (tx) => {
        await lockRoles(tx)
        const account = await lockAccount(tx, accountId)
        if (!account) throw new AppError('ACCOUNT_NOT_FOUND')
        const { role } = await getAccountSummary(tx, accountId)
        await assertMayManage(tx, actor.accountId, [role])
        if (accountId === actor.accountId) throw new AppError('OWN_FACTORS')
        if (!(await removeAll(tx, actor, accountId, device))) return
        await endSignIns(tx, accountId)
        await bumpRevision(tx, accountId, clock.now())
        if (mails.reachPeople) await mails.notify(tx, account, composeFactorsReset())
      }),
  }
}
