import type { AuditEntry } from '@pegasus/contracts/audit'

/** Entries about one action. Most groups have only one entry. */
export interface EntryGroup {
  /** The newest entry, which names what the request achieved. */
  lead: AuditEntry
  /** The other entries of the group, newest first. */
  others: readonly AuditEntry[]
  /** Index of the lead in the list. */
  index: number
}

/** The longest pause, in ms, between entries about the same object that are shown as one action. */
const SAME_WORK_MS = 60_000

/** Returns whether an older entry is shown in the row of a newer one. */
const belongTogether = (newer: AuditEntry, older: AuditEntry): boolean =>
  (newer.request_id !== null && newer.request_id === older.request_id) ||
  // One request changes a product, and the next request publishes it.
  (newer.entity === 'product' &&
    older.entity === 'product' &&
    newer.entity_id === older.entity_id &&
    newer.actor.id === older.actor.id &&
    Date.parse(newer.at) - Date.parse(older.at) <= SAME_WORK_MS)

/** Groups neighboring entries, so that one action is one row: publishing, a bulk edit. */
export function groupEntries(entries: readonly AuditEntry[]): EntryGroup[] {
  const groups: (EntryGroup & { others: AuditEntry[] })[] = []
  for (const [index, entry] of entries.entries()) {
    const last = groups.at(-1)
    if (last && belongTogether(last.others.at(-1) ?? last.lead, entry)) last.others.push(entry)
    else groups.push({ lead: entry, others: [], index })
  }
  return groups
}
