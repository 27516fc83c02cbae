import type { AuditAction, AuditEntity } from '@pegasus/contracts/audit'
import { v7 as uuidv7 } from 'uuid'
import type { AuditContext } from '../../platform/actor.ts'
import type { Queryable } from '../../platform/database/database.ts'
import type { ChangeEvent } from '@pegasus/contracts/events'
import { publish, publishChanges } from '../events/index.ts'
import { type NewEntry, insertEntries, insertEntry } from './audit.queries.ts'
import { changedFields, type Fields, findSecret } from './changes.ts'

/** An action, its object, and the fields that it changed. */
export interface AuditEvent {
  action: AuditAction
  entity: AuditEntity
  entityId: string | null
  /**
   * Current name of the object, such as the label of a key. The name of an account may be left out, and is then looked
   * up.
   */
  entityName?: string | null
  /** The whole object before and after. Only the changed fields are stored. Must not contain a secret. */
  before?: Fields
  after?: Fields
}

/**
 * Writes an audit entry in the transaction of the change. If the entry cannot be written, the transaction fails. Throws
 * if the name of a field suggests a secret. Field names are part of our own code, so tests find such a name.
 */
export async function writeAudit(tx: Queryable, event: AuditEvent, by: AuditContext): Promise<void> {
  await writeEntry(tx, event, by)
}

/** Writes audit entries for many objects in one statement. Publishes only one live event for all of them. */
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

/** An action on several objects of one kind, and how to get the audited name and fields of an object. */
interface ObjectAction<Row> {
  action: AuditAction
  entity: AuditEntity & ChangeEvent['entity']
  nameOf: (row: Row) => string
  fieldsOf: (row: Row) => Fields
}

/**
 * Writes the audit entries for changed objects and publishes the changes. Uses no more statements than for a single
 * object. An object without `after` was moved rather than edited, so its entry has no fields.
 */
export async function recordChanges<Row extends { id: string }>(
  tx: Queryable,
  { action, entity, nameOf, fieldsOf }: ObjectAction<Row>,
  changes: readonly { row: Row; after?: Row }[],
  by: AuditContext,
): Promise<void> {
  if (changes.length === 0) return
  const events = changes.map(({ row, after }) => ({
    action,
    entity,
    entityId: row.id,
    entityName: nameOf(after ?? row),
    ...(after && { before: fieldsOf(row), after: fieldsOf(after) }),
  }))
  await writeAudits(tx, events, by)
  await publishChanges(tx, action, { entity, ids: changes.map(({ row }) => row.id) })
}

/** Writes an audit entry like `writeAudit`, and returns its id. */
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
