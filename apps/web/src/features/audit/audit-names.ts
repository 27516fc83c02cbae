import type { AuditEntry } from '@pegasus/contracts/audit'
import { t } from '@/lib/i18n/messages.ts'

/** An actor that the list can be filtered by, identified by its id or kind. */
export interface NamedActor {
  id: string
  name: string
}

export const ANY_KEY: NamedActor = { id: 'api_key', name: t('Any API key') }
export const PRODUCT: NamedActor = { id: 'system', name: t('Pegasus Ops itself') }

/**
 * Returns the name of the actor in the URL. For an account, this is its current name; for a key, it is the
 * name in the loaded entries.
 */
export function actorName(
  id: string,
  known: { people: readonly NamedActor[]; items: readonly AuditEntry[] },
): string {
  const named = [ANY_KEY, PRODUCT, ...known.people].find((each) => each.id === id)
  return named?.name ?? known.items.find(({ actor }) => actor.id === id)?.actor.name ?? t('Somebody else')
}

/** Returns the name of the object in the URL, from the newest loaded entry about it. */
export const thingName = (id: string, items: readonly AuditEntry[]): string =>
  items.find((entry) => entry.entity_id === id)?.entity_name ?? id
