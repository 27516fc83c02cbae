import { Readable } from 'node:stream'
import type { AuditContext } from '../../platform/actor.ts'
import type { Database } from '../../platform/database/database.ts'
import { type Cursor, type Page, toPage } from '../../platform/http/paging.ts'
import { createExportQueue } from '../../platform/workers/export-queue.ts'
import { type AuditFilter, type EntryRow, listEntries } from './audit.queries.ts'
import type { Fields } from './changes.ts'
import { writeEntry } from './write-audit.ts'
import { type CsvCell, csvHeader, csvLine } from '@pegasus/contracts/csv-text'

const asJson = (value: unknown): string | null => (value === null ? null : JSON.stringify(value))

/**
 * The columns of the CSV, named like the fields of the API. `actor` becomes several columns, because a cell holds one
 * value.
 */
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

const auditCsvHead = (): string => csvHeader(Object.keys(COLUMNS))

const auditCsvLine = (entry: EntryRow): string =>
  csvLine(Object.values(COLUMNS).map((cellOf) => cellOf(entry)))

const PAGE_SIZE = 1000

export interface AuditExport {
  /**
   * Returns the matching entries that are older than the export, as CSV. Before that, records the export in
   * the audit, with `asked` as its filters. Throws UNAVAILABLE if too many exports are waiting.
   */
  open(filter: AuditFilter, asked: Fields, by: AuditContext): Promise<Readable>
}

/**
 * Creates the audit export. It reads page by page and holds no database connection between two pages, which is possible
 * because entries never change. So a slow client delays nobody. After a disconnect, at most one more page is read.
 */
export function createAuditExport({ database }: { database: Database }): AuditExport {
  const inTurn = createExportQueue()

  const readPage = async (filter: AuditFilter, cursor: Cursor) => {
    const rows = await listEntries(database.planned, filter, { cursor, limit: PAGE_SIZE })
    return toPage(rows, PAGE_SIZE, rows.length)
  }

  async function* linesOf(first: Page<EntryRow>, filter: AuditFilter): AsyncGenerator<string> {
    yield auditCsvHead() + first.items.map(auditCsvLine).join('')
    for (let { next } = first; next !== null; ) {
      const cursor = next
      const page = await inTurn(() => readPage(filter, cursor))
      yield page.items.map(auditCsvLine).join('')
      next = page.next
    }
  }

  return {
    async open(filter, asked, by) {
      const first = await inTurn(async () => {
        const event = { action: 'audit.exported', entity: 'audit', entityId: null, after: asked } as const
        const id = await database.transaction((tx) => writeEntry(tx, event, by))
        return readPage(filter, { createdAt: by.now.toISOString(), id })
      })
      return Readable.from(linesOf(first, filter))
    },
  }
}
