import type { ChangeEvent } from '@pegasus/contracts/events'
import type { Queryable } from '../../platform/database/database.ts'

export const EVENT_CHANNEL = 'pegasus_events'
/**
 * The name of the notification about ended sessions. A trigger on the sessions table sends it, which migration 0009
 * creates with the same name.
 */
export const SESSION_CHANNEL = 'pegasus_sessions'

/**
 * Notifies all listeners on every replica when the transaction commits. Sends nothing if the transaction fails. Sends
 * equal events in one transaction only once.
 */
export async function publish(tx: Queryable, event: ChangeEvent): Promise<void> {
  await tx`select pg_notify(${EVENT_CHANNEL}, ${JSON.stringify(event)})`
}

/** Publishes many events in one statement. Otherwise the same as `publish`. */
export async function publishAll(tx: Queryable, events: readonly ChangeEvent[]): Promise<void> {
  const texts = events.map((event) => JSON.stringify(event))
  await tx`select pg_notify(${EVENT_CHANNEL}, event) from unnest(${texts}::text[]) as event`
}

/** Publishes the same change of several objects. The audit action, such as `item.deleted`, determines the change. */
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
