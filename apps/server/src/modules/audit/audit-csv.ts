import { type CsvCell, csvHeader, csvLine } from '../../platform/csv.ts'
import type { EntryRow } from './audit.queries.ts'

const asJson = (value: unknown): string | null => (value === null ? null : JSON.stringify(value))

/** The columns, named as on the wire. `actor` is split, because a cell holds one value. */
const COLUMNS: Readonly<Record<string, (entry: EntryRow) => CsvCell>> = {
  at: (entry) => entry.created_at,
  actor_kind: (entry) => entry.actor_kind,
  actor_id: (entry) => entry.actor_id,
  actor_name: (entry) => entry.actor_name,
  action: (entry) => entry.action,
  entity: (entry) => entry.entity,
  entity_id: (entry) => entry.entity_id,
  entity_name: (entry) => entry.entity_name,
  before: (entry) => asJson(entry.before),
  after: (entry) => asJson(entry.after),
  ip: (entry) => entry.ip,
  request_id: (entry) => entry.request_id,
  id: (entry) => entry.id,
}

export const auditCsvHead = (): string => csvHeader(Object.keys(COLUMNS))

export const auditCsvLine = (entry: EntryRow): string =>
  csvLine(Object.values(COLUMNS).map((cellOf) => cellOf(entry)))
