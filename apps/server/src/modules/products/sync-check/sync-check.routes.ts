import { acceptSiteValues, checkProduct } from '@pegasus/contracts/products/products'
import { auditContextOf } from '../../../platform/actor.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Endpoints } from '../../../platform/http/endpoints.ts'
import { etagOf, requiredRevisionIn } from '../../../platform/http/etag.ts'
import { presentProduct, type WireNeeds } from '../catalogue/products.present.ts'
import type { SiteChecks } from './sync-check.service.ts'

export function addSiteCheckRoutes(
  endpoints: Endpoints,
  { checks, clock, ...needs }: { checks: SiteChecks; clock: Clock } & WireNeeds,
): void {
  endpoints.add(checkProduct, async ({ params, reply }) => {
    const row = await checks.check(params.id)
    reply.header('etag', etagOf(row.revision))
    return presentProduct(row, needs)
  })

  endpoints.add(acceptSiteValues, async ({ params, body, user, request, reply }) => {
    const revision = requiredRevisionIn(request)
    const row = await checks.accept(params.id, body, revision, auditContextOf(request, user, clock))
    reply.header('etag', etagOf(row.revision))
    return presentProduct(row, needs)
  })
}
