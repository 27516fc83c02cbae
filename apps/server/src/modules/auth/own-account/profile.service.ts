import type { CurrentUser } from '@pegasus/contracts/auth/sign-in'
import type { UpdateProfileBody } from '@pegasus/contracts/auth/own-account'
import type { Clock } from '../../../platform/clock.ts'
import type { Database, TransactionSql } from '../../../platform/database/database.ts'
import type { UserPrincipal } from '../../../platform/http/principal.ts'
import { assertRevision } from '../../../platform/errors/assert-revision.ts'
import { writeAudit } from '../../audit/index.ts'
import { type AccountSummaryRow, presentCurrentUser, setFullName } from '../../users/index.ts'
import { bumpRevision } from '../accounts/account-changes.queries.ts'
import { getAccountSummary } from '../accounts/account-summary.ts'
import type { ChangeEmail } from '../mail-links/email-change.ts'
import { lockProvenHolder } from '../second-factor/second-step.ts'
import { accountEntity, ownAuditContext } from '../audit/account-audit.ts'
import type { Device } from '../audit/device.ts'

/** Changes to the caller's own name and email address. */
export interface Profile {
  /**
   * Changes the name and the email address, or neither. A value that is missing or equal stays unchanged. `revision`
   * comes from `If-Match`; null accepts any revision. Throws SESSION_NOT_FOUND if the session has ended in the
   * meantime, PRECONDITION_FAILED, REAUTHENTICATION_REQUIRED, EMAIL_TAKEN or TOO_MANY_MAILS.
   */
  update(
    principal: UserPrincipal,
    change: UpdateProfileBody,
    options: { revision: number | null; device: Device },
  ): Promise<CurrentUser>
}

export function createProfile(deps: { database: Database; clock: Clock; changeEmail: ChangeEmail }): Profile {
  const { database, clock, changeEmail } = deps

  const rename = async (
    tx: TransactionSql,
    person: AccountSummaryRow,
    { fullName, device }: { fullName: string; device: Device },
  ): Promise<void> => {
    if (fullName === person.full_name) return
    const now = clock.now()
    await setFullName(tx, person.id, fullName)
    await bumpRevision(tx, person.id, now)
    const change = { before: { full_name: person.full_name }, after: { full_name: fullName } }
    const event = { action: 'profile.updated', ...accountEntity(person), ...change } as const
    await writeAudit(tx, event, ownAuditContext(person, device, now))
  }

  return {
    update: (principal, { full_name: fullName, email }, { revision, device }) =>
      database.transaction(async (tx) => {
        const { account } = await lockProvenHolder(tx, principal)
        const person = await getAccountSummary(tx, account.id)
        assertRevision(revision, person, () => presentCurrentUser(person))
        if (fullName !== undefined) await rename(tx, person, { fullName, device })
        if (email !== undefined) {
          const change = { email, challenge: null, redirectTo: null, showsCode: false }
          await changeEmail(tx, change, { principal, account, device })
        }
        return presentCurrentUser(await getAccountSummary(tx, account.id))
      }),
  }
}
