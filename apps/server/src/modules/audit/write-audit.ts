import type { AuditAction, AuditEntity } from '@pegasus/contracts/audit'
import { v7 as uuidv7 } from 'uuid'
import type { AuditContext } from '../../platform/actor.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { publish } from '../events/index.ts'
import { type NewEntry, insertEntries, insertEntry } from './audit.queries.ts'
import { changedFields, type Fields, findSecret } from './changes.ts'

/** What was done to what. */
export interface AuditEvent {
  action: AuditAction
  entity: AuditEntity
  entityId: string | null
  /** What people call it at this moment: a key's label. Of an account it is looked up where it is left out. */
  entityName?: string | null
  /** What it was and what it is: whole objects, of which the fields that differ are kept. Nothing that opens anything. */
  before?: Fields
  after?: Fields
}

/**
 * Writes down what the transaction does; where it cannot be written, the transaction fails with it. Throws for a
 * field that by its name may hold a secret: names are our own code's, so the first test of a call finds a wrong one,
 * and taking it out silently would leave the call wrong.
 */
export async function writeAudit(tx: Queryable, event: AuditEvent, by: AuditContext): Promise<void> {
  await writeEntry(tx, event, by)
}

/** The same for many things that one deed did, in one statement. Whoever looks at the audit is told once. */
export async function writeAudits(
  tx: Queryable,
  events: readonly AuditEvent[],
  by: AuditContext,
): Promise<void> {
  const entries = events.map(entryOf)
  const [first] = entries
  if (!first) return
  await insertEntries(tx, entries, by)
  await publish(tx, { type: 'created', entity: 'audit_entry', id: first.id })
}

/** The same, for those who want the entry's id. */
export async function writeEntry(tx: Queryable, event: AuditEvent, by: AuditContext): Promise<string> {
  const entry = entryOf(event)
  await insertEntry(tx, entry, by)
  await publish(tx, { type: 'created', entity: 'audit_entry', id: entry.id })
  return entry.id
}

function entryOf(event: AuditEvent): NewEntry {
  const { before, after } = changedFields(event.before, event.after)
  const secret = findSecret({ before, after })
  if (secret !== null) throw new Error(`${event.action} would write down ${secret}, which may be a secret`)
  const { action, entity, entityId, entityName = null } = event
  return { id: uuidv7(), action, entity, entityId, entityName, before, after }
}
