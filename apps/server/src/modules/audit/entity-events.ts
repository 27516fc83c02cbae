import type { AuditEntity } from '@pegasus/contracts/audit'
import { actorOfColumns, type Actor } from '../../platform/actor.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { type EntryRow, listEntries } from './audit.queries.ts'

/** An entry about one thing, without where the call came from: for the page of the thing, which more people may open. */
export interface EntityEvent extends Pick<EntryRow, 'id' | 'action' | 'after' | 'created_at'> {
  actor: Actor
}

/** The events of one object, newest first. */
export async function listEntityEvents(
  sql: Queryable,
  { entity, entityId, limit }: { entity: AuditEntity; entityId: string; limit: number },
): Promise<EntityEvent[]> {
  const rows = await listEntries(sql, { entity, entityId }, { limit, cursor: null })
  return rows.slice(0, limit).map((row) => ({
    id: row.id,
    action: row.action,
    after: row.after,
    created_at: row.created_at,
    actor: actorOfColumns(row),
  }))
}
