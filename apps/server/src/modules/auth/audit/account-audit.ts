import { type AuditContext, ANONYMOUS_ACTOR, accountActor } from '../../../platform/actor.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { type AuditEvent, writeAudit } from '../../audit/index.ts'
import type { AccountSummaryRow } from '../../users/index.ts'
import type { Device } from './device.ts'

type Thing = Pick<AuditEvent, 'entity' | 'entityId'> & { entityName?: string | null }

/** An account as what an entry of the audit is about; what it is called is looked up as the entry is written. */
export const accountThing = ({ id }: { id: string }): Thing => ({ entity: 'account', entityId: id })

/** A session, by the name of whose it is. */
export const sessionThing = (id: string, person: { username: string; full_name?: string }): Thing => ({
  entity: 'session',
  entityId: id,
  entityName: person.full_name || person.username,
})

/** What a person does to what is theirs, also before there is a session of theirs. */
export const ownAuditContext = (
  person: Pick<AccountSummaryRow, 'id' | 'username' | 'full_name'>,
  device: Device,
  now: Date,
): AuditContext => ({ actor: accountActor(person), now, from: device })

export interface RefusedSignIn {
  /** Null where the name is nobody's: what was typed is not kept, since people type passwords there. */
  account: { id: string; username: string } | null
  /** Such as `wrong_password`; for admins, who may know which names exist. */
  reason: string
}

/**
 * Writes down that somebody was not let in. Who it was is not known, whatever name they gave; it costs the same for
 * a name that nobody has.
 */
export async function auditRefusedSignIn(
  tx: Queryable,
  { account, reason }: RefusedSignIn,
  device: Device,
  now: Date,
): Promise<void> {
  // With its name, since looking that up would take time for names that somebody has.
  const thing: Thing = {
    entity: 'account',
    entityId: account?.id ?? null,
    entityName: account?.username ?? null,
  }
  await writeAudit(
    tx,
    { action: 'session.refused', ...thing, after: { reason } },
    { actor: ANONYMOUS_ACTOR, now, from: device },
  )
}
