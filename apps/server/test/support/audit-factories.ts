import type { AuditAction, AuditEntity } from '@pegasus/contracts/audit'
import { writeAudit } from '../../src/modules/audit/index.ts'
import { type Actor, type AuditContext, SYSTEM_ACTOR } from '../../src/platform/actor.ts'
import type { TestApp } from './build-test-app.ts'

export interface EntryToWrite {
  action?: AuditAction
  entity?: AuditEntity
  entityId?: string | null
  entityName?: string | null
  before?: Record<string, unknown>
  after?: Record<string, unknown>
  actor?: Actor
  now?: Date
  from?: AuditContext['from']
}

/**
 * Writes an audit entry as the server does. The default is a sign-in by the server itself, now and without an IP
 * address.
 */
export async function anEntry(app: TestApp, entry: EntryToWrite = {}): Promise<void> {
  const { action = 'session.opened', entity = 'session', entityId = null, entityName = null } = entry
  const { before, after, actor = SYSTEM_ACTOR, now = app.clock.now(), from } = entry
  const event = { action, entity, entityId, entityName, ...(before && { before }), ...(after && { after }) }
  await app.database.transaction((tx) => writeAudit(tx, event, { actor, now, ...(from && { from }) }))
}

/** Writes this many entries, one second apart and older than the server's own entries. */
export async function manyEntries(app: TestApp, count: number): Promise<void> {
  await app.database.sql`
    insert into audit_entries (id, at, actor_kind, actor_name, action, entity, entity_id, after, ip, request_id)
    select gen_random_uuid(), ${app.clock.now()}::timestamptz - n * interval '1 second', 'user', 'Somebody ' || n,
           'session.opened', 'session', n::text, ${app.database.sql.json({ device: 'Firefox on Linux' })},
           '203.0.113.' || n % 250, gen_random_uuid()::text
    from generate_series(1, ${count}::int) n`
}
