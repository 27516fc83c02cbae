import {
  getCostSettings,
  getItemCost,
  saveItemCost,
  updateCostSettings,
} from '@pegasus/contracts/inventory/costs'
import { auditContextOf } from '../../../platform/actor.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Endpoints } from '../../../platform/http/endpoints.ts'
import { etagOf, requiredRevisionIn } from '../../../platform/http/etag.ts'
import type { Costs } from './costs.service.ts'

export function addCostRoutes(endpoints: Endpoints, { costs, clock }: { costs: Costs; clock: Clock }): void {
  endpoints.add(getCostSettings, async ({ reply }) => {
    const settings = await costs.getSettings()
    reply.header('etag', etagOf(settings.revision))
    return settings
  })

  endpoints.add(updateCostSettings, async ({ body, user, request, reply }) => {
    const revision = requiredRevisionIn(request)
    const settings = await costs.updateSettings(body, revision, auditContextOf(request, user, clock))
    reply.header('etag', etagOf(settings.revision))
    return settings
  })

  endpoints.add(getItemCost, ({ params }) => costs.ofItem(params.id))

  endpoints.add(saveItemCost, ({ params, user, request }) =>
    costs.save(params.id, auditContextOf(request, user, clock)),
  )
}
