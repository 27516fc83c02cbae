import type { Database } from '../../platform/database/database.ts'
import type { Endpoints } from '../../platform/http/endpoints.ts'
import { createAuditExport } from './audit-export.ts'
import { addAuditRoutes } from './audit.routes.ts'
import { createAudit } from './audit.service.ts'

export { type EntityEvent, listEntityEvents } from './audit.queries.ts'

export { recordMalware, writeMalware } from './record-malware.ts'

export { type AuditEvent, recordChanges, writeAudit, writeAudits } from './write-audit.ts'

/** Adds the audit: a record of who changed which object, when and from where. */
export function addAudit(endpoints: Endpoints, { database }: { database: Database }): void {
  addAuditRoutes(endpoints, { log: createAudit({ database }), exports: createAuditExport({ database }) })
}
