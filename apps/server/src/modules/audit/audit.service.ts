import type { Database } from '../../platform/database/database.ts'
import { type Page, toPage, type PageRequest } from '../../platform/http/paging.ts'
import { type AuditFilter, type EntryRow, countEntries, listEntries } from './audit.queries.ts'

export type { AuditFilter } from './audit.queries.ts'

export interface Audit {
  /** Lists the entries, newest first. */
  list(filter: AuditFilter, page: PageRequest): Promise<Page<EntryRow>>
}

export function createAudit(deps: { database: Database }): Audit {
  return {
    async list(filter, page) {
      const { planned } = deps.database
      const [rows, total] = await Promise.all([
        listEntries(planned, filter, page),
        countEntries(planned, filter),
      ])
      return toPage(rows, page.limit, total)
    },
  }
}
