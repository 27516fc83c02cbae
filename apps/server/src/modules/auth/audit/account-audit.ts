import { type AuditContext, ANONYMOUS_ACTOR, accountActor } from '../../../platform/actor.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { type AuditEvent, writeAudit } from '../../audit/index.ts'
import type { AccountSummaryRow } from '../../users/index.ts'
import type { Device } from './device.ts'

type Subject = Pick<AuditEvent, 'entity' | 'entityId'> & { entityName?: string | null }

/** Returns an account as the subject of an audit entry. Its name is looked up when the entry is written. */
export const accountEntity = ({ id }: { id: string }): Subject => ({ entity: 'account', entityId: id })

/** Returns a session as the subject of an audit entry, under the name of its account. */
export const sessionEntity = (id: string, person: { username: string; full_name?: string }): Subject => ({
  entity: 'session',
  entityId: id,
  entityName: person.full_name || person.username,
})

/** Returns the audit context for people who act on their own account, even before they have a session. */
export const ownAuditContext = (
  person: Pick<AccountSummaryRow, 'id' | 'username' | 'full_name'>,
  device: Device,
  now: Date,
): AuditContext => ({ actor: accountActor(person), now, from: device })

export interface RefusedSignIn {
  /**
   * Null if no account has the entered name. The audit does not store that name, because people sometimes type their
   * password into the name field.
   */
  account: { id: string; username: string } | null
  /** A reason such as `wrong_password`. Only admins see it, and admins may know which names exist. */
  reason: string
}

/**
 * Records a refused sign-in. The actor is always unknown, even if an account has the entered name. Takes the same time
 * for known and unknown names.
 */
export async function auditRefusedSignIn(
  tx: Queryable,
  { account, reason }: RefusedSignIn,
  device: Device,
  now: Date,
): Promise<void> {
  // Pass the name, because looking it up would take longer for known accounts than for unknown ones.
  const subject: Subject = {
    entity: 'account',
    entityId: account?.id ?? null,
    entityName: account?.username ?? null,
  }
  await writeAudit(
    tx,
    { action: 'session.refused', ...subject, after: { reason } },
    { actor: ANONYMOUS_ACTOR, now, from: device },
  )
}
