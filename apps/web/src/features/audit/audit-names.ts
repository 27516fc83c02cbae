import type { AuditEntry } from '@pegasus/contracts/audit'

/** Somebody whose entries can be asked for, by id or by kind. */
export interface NamedActor {
  id: string
  name: string
}

export const ANY_KEY: NamedActor = { id: 'api_key', name: 'Any API key' }
export const PRODUCT: NamedActor = { id: 'system', name: 'Pegasus Ops itself' }

/** What an actor of the address is called: as people are called now, and keys as the entries at hand know them. */
export function actorName(
  id: string,
  known: { people: readonly NamedActor[]; items: readonly AuditEntry[] },
): string {
  const named = [ANY_KEY, PRODUCT, ...known.people].find((each) => each.id === id)
  return named?.name ?? known.items.find(({ actor }) => actor.id === id)?.actor.name ?? 'Somebody else'
}

/** What a thing of the address is called, as the newest of the entries at hand knows it. */
export const thingName = (id: string, items: readonly AuditEntry[]): string =>
  items.find((entry) => entry.entity_id === id)?.entity_name ?? id
