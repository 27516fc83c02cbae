import { acceptSiteValues, checkProduct } from '@pegasus/contracts/products/products'
import type { Endpoints } from '../../../platform/http/endpoints.ts'
import { requiredRevisionIn } from '../../../platform/http/etag.ts'
import { presentProduct, type WireNeeds } from '../catalog/products.present.ts'
import type { SiteChecks } from './sync-check.service.ts'

export function addSiteCheckRoutes(
  endpoints: Endpoints,
  { checks, ...needs }: { checks: SiteChecks } & WireNeeds,
): void {
  endpoints.add(checkProduct, async ({ params }) => presentProduct(await checks.check(params.id), needs))

  endpoints.add(acceptSiteValues, async ({ params, body, request, audit }) =>
    presentProduct(await checks.accept(params.id, body, requiredRevisionIn(request), audit), needs),
  )
}
