import type { Database } from '../../platform/database/database.ts'
import { forceCustomPlan } from '../../platform/database/custom-plan.ts'
import { type Page, toPage, type PageRequest } from '../../platform/http/paging.ts'
import { type AuditFilter, type EntryRow, countEntries, listEntries } from './audit.queries.ts'

export type { AuditFilter } from './audit.queries.ts'

export interface Audit {
  /** The entries, newest first. */
  list(filter: AuditFilter, page: PageRequest): Promise<Page<EntryRow>>
}

export function createAudit(deps: { database: Database }): Audit {
  return {
    list: (filter, page) =>
      deps.database.transaction(async (tx) => {
        await forceCustomPlan(tx)
        const [rows, total] = await Promise.all([listEntries(tx, filter, page), countEntries(tx, filter)])
        return toPage([...rows], page.limit, total)
      }),
  }
}
