import type { AuditAction, AuditEntity } from '@pegasus/contracts/audit'
import { v7 as uuidv7 } from 'uuid'
import type { AuditContext } from '../../platform/actor.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { publish } from '../events/index.ts'
import { type NewEntry, insertEntries, insertEntry } from './audit.queries.ts'
import { changedFields, type Fields, findSecret } from './changes.ts'

/** An action and its subject. */
export interface AuditEvent {
  action: AuditAction
  entity: AuditEntity
  entityId: string | null
  /** The subject's current name, such as the label of a key. An account's name is looked up if it is left out. */
  entityName?: string | null
  /** The whole object before and after, of which the changed fields are stored. Must not contain a secret. */
  before?: Fields
  after?: Fields
}

/**
 * Writes an audit entry in the transaction of the change. If it cannot be written, the transaction fails. Throws for
 * a field whose name may mark a secret; field names come from our own code, so the first test of a call detects a
 * wrong one.
 */
export async function writeAudit(tx: Queryable, event: AuditEvent, by: AuditContext): Promise<void> {
  await writeEntry(tx, event, by)
}

/** The same for many objects of one action, in one statement. Listeners get one event. */
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

/** The same, and returns the entry's id. */
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
