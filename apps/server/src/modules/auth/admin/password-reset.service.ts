import { type PasswordReset, passwordResetError } from '@pegasus/contracts/auth/password-rules'
import { validate as isUuid } from 'uuid'
import type { AuditContext } from '../../../platform/actor.ts'
import type { Database } from '../../../platform/database/database.ts'
import { AppError, orThrow } from '../../../platform/errors/app-error.ts'
import { writeAudit } from '../../audit/index.ts'
import { bumpRevision, confirmInvited, updatePassword } from '../accounts/account-changes.queries.ts'
import { lockAccount } from '../accounts/accounts.queries.ts'
import { assertNotSsoManaged } from '../accounts/sso-managed.ts'
import { getAccountSummary } from '../accounts/account-summary.ts'
import type { AccountMails } from '../mail-links/account-mails.ts'
import { isCommonPassword } from '../passwords/common-passwords.ts'
import type { PasswordHashing } from '../passwords/password-hashing.ts'
import { endSignIns } from '../sessions/sessions.queries.ts'
import { accountEntity } from '../audit/account-audit.ts'
import { assertMayManage, lockRoles } from './manage-accounts.ts'
import { composePasswordResetNotice } from './admin-mails.ts'
import { removePasskeys } from './remove-passkeys.ts'

/** Lets admins and owners reset the passwords of other people. */
export interface PasswordResets {
  /**
   * Sets the password of an account, removes its passkeys, and ends all its sessions and links. Throws
   * RESET_OWN_PASSWORD, ACCOUNT_NOT_FOUND, SSO_MANAGED, OWNERS_ONLY, or the error of the first password rule
   * that the password breaks.
   */
  reset(reset: PasswordReset, by: { actorId: string; audit: AuditContext }): Promise<void>
}

export function createPasswordResets(deps: {
  database: Database
  hashing: PasswordHashing
  mails: AccountMails
}): PasswordResets {
  const { database, hashing, mails } = deps

  return {
    async reset(reset, { actorId, audit }) {
      const broken = passwordResetError(reset)
      if (broken) throw new AppError(broken)
      const { user_id: id, new_password: password } = reset
      if (!id || !password) throw new Error('a reset without a user or a password kept every rule')
      if (isCommonPassword(password)) throw new AppError('NEW_PASSWORD_COMMON')
      if (!isUuid(id)) throw new AppError('ACCOUNT_NOT_FOUND')
      if (id.toLowerCase() === actorId) throw new AppError('RESET_OWN_PASSWORD')
      const passwordHash = await hashing.hash(password)
      await database.transaction(async (tx) => {
        await lockRoles(tx)
        const account = orThrow(await lockAccount(tx, id), 'ACCOUNT_NOT_FOUND')
        assertNotSsoManaged(account)
        const person = await getAccountSummary(tx, id)
        await assertMayManage(tx, actorId, [person.role])
        await updatePassword(tx, id, passwordHash, audit.now)
        await removePasskeys(tx, person, audit)
        await confirmInvited(tx, id, audit.now)
        await bumpRevision(tx, id, audit.now)
        const ended = await endSignIns(tx, id)
        if (mails.reachPeople) await mails.notify(tx, person, composePasswordResetNotice(mails.publicUrl))
        const event = { ...accountEntity(person), after: { ended_sessions: ended } }
        await writeAudit(tx, { action: 'password.reset', ...event }, audit)
      })
    },
  }
}
