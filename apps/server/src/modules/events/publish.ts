import type { ChangeEvent } from '@pegasus/contracts/events'
import type { Queryable } from '../../platform/database/database.ts'

export const EVENT_CHANNEL = 'pegasus_events'
/** Named in migration 0009 too: the sessions table itself tells which session has ended. */
export const SESSION_CHANNEL = 'pegasus_sessions'

/**
 * Tells everybody who listens, on every replica, that something changed: when the transaction commits, and not
 * at all if it does not. The same event twice in one transaction is told once.
 */
export async function publish(tx: Queryable, event: ChangeEvent): Promise<void> {
  await tx`select pg_notify(${EVENT_CHANNEL}, ${JSON.stringify(event)})`
}

/** The same for many, in one statement. */
export async function publishAll(tx: Queryable, events: readonly ChangeEvent[]): Promise<void> {
  const texts = events.map((event) => JSON.stringify(event))
  await tx`select pg_notify(${EVENT_CHANNEL}, event) from unnest(${texts}::text[]) as event`
}
