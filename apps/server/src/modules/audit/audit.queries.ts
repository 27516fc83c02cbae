import type { AuditAction, AuditEntity } from '@pegasus/contracts/audit'
import { v7 as uuidv7 } from 'uuid'
import { type Deed, actorColumns } from '../../platform/actor.ts'
import type { Queryable } from '../../platform/database/database.ts'

/** What was done to what. `before` and `after` hold what changed and nothing that opens anything. */
export interface AuditEvent {
  action: AuditAction
  entity: AuditEntity
  entityId: string | null
  before?: Readonly<Record<string, unknown>>
  after?: Readonly<Record<string, unknown>>
}

/** Writes down what the transaction does; where it cannot be written, the transaction fails with it. */
export async function writeAudit(tx: Queryable, event: AuditEvent, by: Deed): Promise<void> {
  const json = (value: AuditEvent['before']) => (value === undefined ? null : tx.json(value as never))
  const { actor_kind: kind, actor_id: actorId, actor_name: name } = actorColumns(by.actor)
  await tx`
    insert into audit_entries
      (id, at, actor_kind, actor_id, actor_name, action, entity, entity_id, before, after, ip, request_id)
    values (${uuidv7()}, ${by.now}, ${kind}, ${actorId}, ${name}, ${event.action}, ${event.entity},
            ${event.entityId}, ${json(event.before)}, ${json(event.after)}, ${by.from?.ip ?? null},
            ${by.from?.requestId ?? null})`
}
