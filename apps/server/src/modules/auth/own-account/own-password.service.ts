import { type PasswordChange, passwordChangeError } from '@pegasus/contracts/auth/password-rules'
import { type Clock, SECOND_MS, addMs } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import type { UserPrincipal } from '../../../platform/http/principal.ts'
import { writeAudit } from '../../audit/index.ts'
import { updatePassword } from '../accounts/account-changes.queries.ts'
import { getAccount } from '../accounts/accounts.queries.ts'
import { assertNotSsoManaged } from '../accounts/sso-managed.ts'
import { lockUnchanged } from '../accounts/recheck-account.ts'
import { isCommonPassword } from '../passwords/common-passwords.ts'
import type { PasswordHashing } from '../passwords/password-hashing.ts'
import type { PasswordProof } from '../passwords/password-proof.ts'
import { endSessionAt, endSignIns } from '../sessions/sessions.queries.ts'
import { accountEntity, ownAuditContext } from '../audit/account-audit.ts'
import type { Device } from '../audit/device.ts'

/** How long the session in which a password was changed stays valid, so that the client can show the result. */
const FAREWELL_MS = 60 * SECOND_MS

/** Changes the caller's own password. */
export interface OwnPassword {
  /**
   * Changes the password and ends all other sessions. Throws the error of the first rule that the password
   * breaks.
   */
  change(principal: UserPrincipal, change: PasswordChange, device: Device): Promise<void>
}

export function createOwnPassword(deps: {
  database: Database
  clock: Clock
  hashing: PasswordHashing
  passwords: Pick<PasswordProof, 'isRight'>
}): OwnPassword {
  const { database, clock, hashing, passwords } = deps

  return {
    async change(principal, change, device) {
      const broken = passwordChangeError(change)
      if (broken) throw new AppError(broken)
      const { accountId, sessionId, user } = principal
      const { current_password: current, new_password: next } = change
      if (!current || !next) throw new Error('a change without one of its passwords kept every rule')
      const account = await getAccount(database.sql, accountId)
      assertNotSsoManaged(account)
      if (!(await passwords.isRight(principal, account, current, device)))
        throw new AppError('CURRENT_PASSWORD_WRONG')
      if (isCommonPassword(next)) throw new AppError('NEW_PASSWORD_COMMON')
      const passwordHash = await hashing.hash(next)
      const now = clock.now()
      await database.transaction(async (tx) => {
        if (!(await lockUnchanged(tx, account))) throw new AppError('CURRENT_PASSWORD_WRONG')
        await updatePassword(tx, accountId, passwordHash, now)
        const ended = await endSignIns(tx, accountId, sessionId)
        await endSessionAt(tx, sessionId, addMs(now, FAREWELL_MS))
        const event = { ...accountEntity(account), after: { ended_sessions: ended } }
        await writeAudit(tx, { action: 'password.changed', ...event }, ownAuditContext(user, device, now))
      })
    },
  }
}
