import { type PasswordChange, passwordChangeError } from '@pegasus/contracts/passwords'
import { type Clock, SECOND_MS, addMs } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { UserPrincipal } from '../../platform/http/principal.ts'
import { writeAudit } from '../audit/index.ts'
import { accountThing, ownDeed } from './audited.ts'
import { type AccountRow, endSessionAt, endSignIns, getAccount, updatePassword } from './auth.queries.ts'
import { isCommonPassword } from './common-passwords.ts'
import type { Device } from './device.ts'
import type { PasswordHashing } from './password-hashing.ts'
import { type Attempt, type SignInLimits, judged } from './sign-in-limits.ts'
import { lockUnchanged } from './unchanged.ts'

/** How long the session in which a password was changed lives on, for the client's farewell sequence. */
const FAREWELL_MS = 60 * SECOND_MS

/** Passwords as people prove themselves with them, and the change of one's own. */
export interface OwnPassword {
  /** Whether the password belongs to the hash, judged under the limits for failed sign-ins: only wrong ones count. */
  judge(attempt: Attempt, password: string, hash: string | null): Promise<boolean>
  /** Whether this is the password of the person who is signed in. A wrong one is written down. */
  isRight(principal: UserPrincipal, account: AccountRow, password: string, device: Device): Promise<boolean>
  /** Changes the own password and ends all other sessions. Throws the first rule that is broken. */
  change(principal: UserPrincipal, change: PasswordChange, device: Device): Promise<void>
}

export function createOwnPassword(deps: {
  database: Database
  clock: Clock
  hashing: PasswordHashing
  limits: SignInLimits
}): OwnPassword {
  const { database, clock, hashing, limits } = deps

  const judge: OwnPassword['judge'] = (attempt, password, hash) =>
    judged(limits, attempt, ({ isUsedUp }) => hashing.matches(password, isUsedUp ? null : hash))

  const isRight: OwnPassword['isRight'] = ({ user }, account, password, device) => {
    const { id, password_hash: hash } = account
    const event = {
      action: 'session.refused',
      ...accountThing(account),
      after: { reason: 'wrong_password' },
    } as const
    const attempt: Attempt = {
      key: id,
      accountId: id,
      isOwn: true,
      ip: device.ip,
      onWrong: (tx) => writeAudit(tx, event, ownDeed(user, device, clock.now())),
    }
    return judge(attempt, password, hash)
  }

  return {
    judge,
    isRight,

    async change(principal, change, device) {
      const broken = passwordChangeError(change)
      if (broken) throw new AppError(broken)
      const { accountId, sessionId, user } = principal
      const { current_password: current, new_password: next } = change
      if (!current || !next) throw new Error('a change without one of its passwords kept every rule')
      const account = await getAccount(database.sql, accountId)
      if (!(await isRight(principal, account, current, device))) throw new AppError('CURRENT_PASSWORD_WRONG')
      if (isCommonPassword(next)) throw new AppError('NEW_PASSWORD_COMMON')
      const passwordHash = await hashing.hash(next)
      const now = clock.now()
      await database.transaction(async (tx) => {
        if (!(await lockUnchanged(tx, account))) throw new AppError('CURRENT_PASSWORD_WRONG')
        await updatePassword(tx, accountId, passwordHash, now)
        const ended = await endSignIns(tx, accountId, sessionId)
        await endSessionAt(tx, sessionId, addMs(now, FAREWELL_MS))
        const event = { ...accountThing(account), after: { ended_sessions: ended } }
        await writeAudit(tx, { action: 'password.changed', ...event }, ownDeed(user, device, now))
      })
    },
  }
}
