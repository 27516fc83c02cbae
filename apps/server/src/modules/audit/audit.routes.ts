import { Readable } from 'node:stream'
import { exportAudit, listAudit } from '@pegasus/contracts/audit'
import type { RequestOf } from '@pegasus/contracts/endpoint'
import type { Endpoints } from '../../platform/http/endpoints.ts'
import { mapPage, pageRequestOf } from '../../platform/http/paging.ts'
import type { AuditExport } from './audit-export.ts'
import { presentEntry } from './audit.present.ts'
import type { Audit, AuditFilter } from './audit.service.ts'

const filterOf = (query: RequestOf<typeof exportAudit>['query']): AuditFilter => ({
  actions: query.action,
  entity: query.entity,
  entityId: query.entity_id,
  actorId: query.actor,
  actorKind: query.actor_kind,
  from: query.from,
  to: query.to,
  search: query.search,
})

export function addAuditRoutes(endpoints: Endpoints, deps: { log: Audit; exports: AuditExport }): void {
  const { log, exports } = deps

  endpoints.add(listAudit, async ({ query }) =>
    mapPage(await log.list(filterOf(query), pageRequestOf(query)), presentEntry),
  )

  endpoints.add(exportAudit, async ({ query, request, reply, audit }) => {
    const day = audit.now.toISOString().slice(0, 10)
    reply.headers({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="pegasus-ops-audit-${day}.csv"`,
    })
    // A HEAD request gets only the headers, so export nothing.
    const body =
      request.method === 'HEAD' ? Readable.from([]) : await exports.open(filterOf(query), query, audit)
    return reply.send(body)
  })
}
