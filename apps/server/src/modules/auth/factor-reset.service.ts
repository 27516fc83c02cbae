import type { Clock } from '../../platform/clock.ts'
import type { Database, TransactionSql } from '../../platform/database/database.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { UserPrincipal } from '../../platform/http/principal.ts'
import { writeAudit } from '../audit/index.ts'
import { assertMayKeep, getPerson, lockRoles } from './account-keeping.ts'
import { bumpRevision, lockAccount } from './accounts.queries.ts'
import { ownDeed } from './audited.ts'
import { endSignIns } from './auth.queries.ts'
import type { Device } from './device.ts'
import { factorFields, factorThing } from './factor-audit.ts'
import { composeFactorsReset } from './factor-mails.ts'
import { deleteFactor, listFactors } from './factors.queries.ts'
import type { TokenMails } from './token-mails.ts'

/** The way back for a colleague who has lost phone and recovery codes. */
export interface FactorReset {
  /**
   * Removes all of an account's factors and ends its sessions. Throws OWNERS_ONLY, OWN_FACTORS or ACCOUNT_NOT_FOUND.
   * Of an account without any it changes nothing.
   */
  reset(actor: UserPrincipal, accountId: string, device: Device): Promise<void>
}

export function createFactorReset(deps: {
  database: Database
  clock: Clock
  mails: TokenMails
}): FactorReset {
  const { database, clock, mails } = deps

  const removeAll = async (
    tx: TransactionSql,
    actor: UserPrincipal,
    accountId: string,
    device: Device,
  ): Promise<boolean> => {
    const now = clock.now()
    const factors = await listFactors(tx, accountId, now)
    const person = await getPerson(tx, accountId)
    for (const factor of factors) {
      await deleteFactor(tx, factor.id)
      const before = { ...factorFields(factor), account_id: accountId }
      const deed = ownDeed(actor.user, device, now)
      await writeAudit(tx, { action: 'factor.removed', ...factorThing(factor.id, person), before }, deed)
    }
    return factors.length > 0
  }

  return {
    reset: (actor, accountId, device) =>
      database.transaction(async (tx) => {
        await lockRoles(tx)
        const account = await lockAccount(tx, accountId)
        if (!account) throw new AppError('ACCOUNT_NOT_FOUND')
        const { role } = await getPerson(tx, accountId)
        await assertMayKeep(tx, actor.accountId, [role])
        if (accountId === actor.accountId) throw new AppError('OWN_FACTORS')
        if (!(await removeAll(tx, actor, accountId, device))) return
        await endSignIns(tx, accountId)
        await bumpRevision(tx, accountId, clock.now())
        if (mails.reachPeople) await mails.tell(tx, account, composeFactorsReset())
      }),
  }
}
