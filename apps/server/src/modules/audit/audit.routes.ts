import { Readable } from 'node:stream'
import { exportAudit, listAudit } from '@pegasus/contracts/audit'
import type { RequestOf } from '@pegasus/contracts/endpoint'
import { auditContextOf } from '../../platform/actor.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Endpoints } from '../../platform/http/endpoints.ts'
import { decodeCursor, sendPageHeaders } from '../../platform/http/paging.ts'
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

export function addAuditRoutes(
  endpoints: Endpoints,
  deps: { audit: Audit; exports: AuditExport; clock: Clock },
): void {
  const { audit, exports, clock } = deps

  endpoints.add(listAudit, async ({ query, request, reply }) => {
    const place = { cursor: decodeCursor(query.cursor), limit: query.limit }
    const page = await audit.list(filterOf(query), place)
    sendPageHeaders(request, reply, page)
    return page.items.map(presentEntry)
  })

  endpoints.add(exportAudit, async ({ user, query, request, reply }) => {
    const deed = auditContextOf(request, user, clock)
    const day = deed.now.toISOString().slice(0, 10)
    reply.headers({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="pegasus-ops-audit-${day}.csv"`,
    })
    // A HEAD request gets the headers and exports nothing.
    const body =
      request.method === 'HEAD' ? Readable.from([]) : await exports.open(filterOf(query), query, deed)
    return reply.send(body)
  })
}
