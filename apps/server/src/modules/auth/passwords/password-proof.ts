import type { Clock } from '../../../platform/clock.ts'
import type { UserPrincipal } from '../../../platform/http/principal.ts'
import { writeAudit } from '../../audit/index.ts'
import type { AccountRow } from '../accounts/accounts.queries.ts'
import { type Attempt, type AttemptLimits, judged } from '../rate-limit/attempt-limits.ts'
import { accountEntity, ownAuditContext } from '../audit/account-audit.ts'
import type { Device } from '../audit/device.ts'
import type { PasswordHashing } from './password-hashing.ts'

/** Checks the passwords that people enter to prove their identity. */
export interface PasswordProof {
  /** Returns whether the password matches the hash. A wrong password counts towards the limit of failed sign-ins. */
  judge(attempt: Attempt, password: string, hash: string | null): Promise<boolean>
  /** Returns whether the password belongs to the signed-in person. Records a wrong password in the audit. */
  isRight(principal: UserPrincipal, account: AccountRow, password: string, device: Device): Promise<boolean>
}

export function createPasswordProof(deps: {
  clock: Clock
  hashing: PasswordHashing
  limits: AttemptLimits
}): PasswordProof {
  const { clock, hashing, limits } = deps

  const judge: PasswordProof['judge'] = (attempt, password, hash) =>
    judged(limits, attempt, ({ isUsedUp }) => hashing.matches(password, isUsedUp ? null : hash))

  return {
    judge,

    isRight({ user }, account, password, device) {
      const { id, password_hash: hash } = account
      const event = {
        action: 'session.refused',
        ...accountEntity(account),
        after: { reason: 'wrong_password' },
      } as const
      const attempt: Attempt = {
        key: id,
        accountId: id,
        isOwn: true,
        ip: device.ip,
        onWrong: (tx) => writeAudit(tx, event, ownAuditContext(user, device, clock.now())),
      }
      return judge(attempt, password, hash)
    },
  }
}
