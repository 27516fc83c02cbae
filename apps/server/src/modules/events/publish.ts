import type { ChangeEvent } from '@pegasus/contracts/events'
import type { Queryable } from '../../platform/database/database.ts'

export const EVENT_CHANNEL = 'pegasus_events'
/** Migration 0009 uses the same name: a trigger on the sessions table reports ended sessions. */
export const SESSION_CHANNEL = 'pegasus_sessions'

/**
 * Notifies all listeners on every replica when the transaction commits. If the transaction fails, nothing is
 * sent. Equal events in one transaction are sent once.
 */
export async function publish(tx: Queryable, event: ChangeEvent): Promise<void> {
  await tx`select pg_notify(${EVENT_CHANNEL}, ${JSON.stringify(event)})`
}

/** Publishes many events in one statement, otherwise like `publish`. */
export async function publishAll(tx: Queryable, events: readonly ChangeEvent[]): Promise<void> {
  const texts = events.map((event) => JSON.stringify(event))
  await tx`select pg_notify(${EVENT_CHANNEL}, event) from unnest(${texts}::text[]) as event`
}

/** Publishes the same change for several objects. The change is derived from an audit action such as `item.deleted`. */
export function publishChanges(
  tx: Queryable,
  action: string,
  { entity, ids }: { entity: ChangeEvent['entity']; ids: readonly string[] },
): Promise<void> {
  const type = action.endsWith('.deleted') ? 'deleted' : action.endsWith('.restored') ? 'created' : 'updated'
  return publishAll(
    tx,
    ids.map((id) => ({ type, entity, id })),
  )
}
